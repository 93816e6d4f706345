import type { CallId } from "@spfunctions/contracts";
import { approvalKind } from "../store/kernel-kinds.ts";
import type { Watched } from "../store/store.ts";
import type { CallHost } from "./call-host.ts";

/** A question to a person, as it is seen by whoever waits for the answer. */
export class AskedAbout {
  readonly #host: Pick<CallHost, "approvals" | "principal">;
  readonly #approvalId: string;
  readonly #callId: CallId | undefined;
  #revision = 0;

  /** `callId`: whose question it must be, where only that call may see it. */
  constructor(host: Pick<CallHost, "approvals" | "principal">, approvalId: string, callId?: CallId) {
    this.#host = host;
    this.#approvalId = approvalId;
    this.#callId = callId;
  }

  /** Whether there is something to go on by. */
  async isAnswered(): Promise<true | undefined> {
    const { approvals, principal } = this.#host;
    const kept = await approvals.read(principal.accountId, this.#approvalId, this.#callId);
    this.#revision = kept?.revision ?? 0;
    return kept?.value.status !== "pending" || approvals.isOver(kept.value) ? true : undefined;
  }

  /** What was seen of it. */
  readonly rechecked = (): Watched[] => {
    const { accountId } = this.#host.principal;
    return [
      { type: "document", kind: approvalKind, accountId, id: this.#approvalId, revision: this.#revision },
    ];
  };
}
