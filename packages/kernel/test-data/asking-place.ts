// A place where a tool runs that asks a person first: it keeps its keys as a platform does, and says how its question stands.
import { ApprovalRequiredError, type JsonValue, type Principal } from "@spfunctions/contracts";
import type { AnsweredTerms } from "../src/call/executors.ts";
import { describedTool } from "../src/tool/described-tool.ts";
import type { Tool } from "../src/tool/define-tool.ts";
import { sharedDeck } from "./call-deck.ts";

type Status = "pending" | "approved" | "used" | "denied" | "expired" | "cancelled" | "superseded";

const operator: Principal = {
  accountId: "there" as Principal["accountId"],
  keyId: "boss" as Principal["keyId"],
  scopes: ["admin"],
  kind: "key",
};

export class AskingPlace {
  /** What ran there, by its key. */
  readonly runs: string[] = [];
  approvalId = "appr_there-0001";
  expiresAt = "2026-01-02T04:04:05.000Z";
  /** How often it was asked how its question stands, and with how much patience. */
  readonly looks: number[] = [];
  /** What it says of its question instead of how it stands. */
  say: ((terms: AnsweredTerms) => unknown) | undefined;
  /** Whether it asks once more after a yes. */
  isForgetful = false;
  /** The question that it puts then, and goes on with. */
  next: string | undefined;
  #status: Status = "pending";
  #decided = Promise.withResolvers<void>();
  readonly #answers = new Map<string, JsonValue>();

  get status(): Status {
    return this.#status;
  }

  /** As if nothing had been asked yet. */
  forget(): void {
    this.decide("pending");
    this.#answers.clear();
    this.looks.length = 0;
  }

  decide(status: Status): void {
    this.#status = status;
    this.#decided.resolve();
    this.#decided = Promise.withResolvers<void>();
  }

  /** A tool of this side that sends its calls there. */
  tool(name = "notes.write", canSay = true): Tool {
    const [contract] = sharedDeck().tools.flatMap((one) =>
      one.contract.name === name ? [one.contract] : [],
    );
    if (contract === undefined) throw new Error(`there is no ${name}`);
    return describedTool(contract, {
      isElsewhere: true,
      idempotency: { type: "key", keyRetentionMs: 86_400_000 },
      run: (input, { idempotencyKey }) => this.#run(input, idempotencyKey),
      ...(canSay && { answered: (id: string, terms: AnsweredTerms) => this.#answered(id, terms) }),
    });
  }

  #run(input: JsonValue, key: string): JsonValue {
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    if (this.#status === "approved" && this.next !== undefined) {
      this.approvalId = this.next;
      this.next = undefined;
      this.#status = "pending";
    }
    if (this.#status !== "approved" || this.isForgetful)
      throw new ApprovalRequiredError("there a person must approve it", {
        details: { approvalId: this.approvalId, expiresAt: this.expiresAt },
      });
    this.#status = "used";
    this.runs.push(key);
    this.#answers.set(key, { done: input });
    return { done: input };
  }

  async #answered(approvalId: string, terms: AnsweredTerms): Promise<unknown> {
    this.looks.push(terms.waitMs);
    if (this.say !== undefined) return this.say(terms);
    if (approvalId !== this.approvalId) return { status: "superseded" };
    if (this.#status === "pending" && terms.waitMs > 0) await this.#decided.promise;
    return { status: this.#status, ...(this.#status !== "pending" && { decidedBy: operator }) };
  }
}
