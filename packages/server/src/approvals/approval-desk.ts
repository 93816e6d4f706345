// The platform's side of approvals: what a caller sees of them, and what it says to them. A2, B9: who answers is who the door let
// in, and the kernel's operator decides whether that counts, and keeps every answer on record.
import {
  type AgentPolicy,
  type Approval,
  ForbiddenError,
  InvalidApiKeyError,
  isSimpleFunctionsError,
  NotFoundError,
  type SimpleFunctionsError,
  type StandingGrant,
} from "@spfunctions/contracts";
import {
  type AccountJournals,
  approvalKind,
  approvalWake,
  type Clock,
  type Ids,
  type Installation,
  type Operator,
  openOperator,
  type Store,
  Waits,
} from "@spfunctions/kernel";
import { type Caller, isLent } from "../identity/caller.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { familyOf } from "../keys/key-family.ts";
import { type ApprovalPage, approvalPage } from "./approval-page.ts";
import { type GivenAnswer, isApprovalId, isGrantId, type ListQuery } from "./read-approval-request.ts";
import { shownApproval } from "./shown-approval.ts";
import { seesApproval, seesGrant } from "./who-sees.ts";

export type ApprovalDeskHost = {
  readonly store: Store;
  readonly installation: Installation;
  readonly journals: AccountJournals;
  readonly keys: KeyRing;
  /** The server's policy, under which every key is judged. */
  readonly policy?: AgentPolicy | undefined;
  /** Whether the host has a rule that is asked before a call. */
  readonly hasPreToolRule?: boolean | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Told that something was written in an account. */
  readonly happened: (accountId: string) => void;
};

export type Waiting = { readonly waitMs: number; readonly signal: AbortSignal };

export class ApprovalDesk {
  readonly #host: ApprovalDeskHost;
  /** One listener to the store, however many wait. */
  readonly #waits: Waits;

  constructor(host: ApprovalDeskHost) {
    this.#host = host;
    this.#waits = new Waits(host.store, host.clock);
  }

  async list(caller: Caller, { status, after, limit }: ListQuery): Promise<ApprovalPage> {
    if (isLent(caller)) throw noList();
    const now = this.#host.clock.now();
    // What has run out is kept under the status that it had.
    const kept = await this.#operator(caller).list({ status: status === "expired" ? "any" : status });
    const seen = kept
      .filter((one) => seesApproval(caller, one))
      .map((one) => shownApproval(one, now))
      .filter((one) => status === "any" || one.status === status);
    return approvalPage(seen, after, limit);
  }

  /** As it is now, or as soon as somebody has decided it, or the time is over. */
  async get(caller: Caller, id: string, { waitMs, signal }: Waiting): Promise<Approval> {
    const first = await this.#seen(caller, id);
    if (waitMs === 0 || first.status !== "pending") return first;
    const { clock } = this.#host;
    const by = clock.elapsed() + waitMs;
    const { accountId } = caller.principal;
    let revision = 0;
    const last = await this.#waits.until(
      approvalWake(id),
      async () => {
        revision = (await this.#host.store.document({ kind: approvalKind, accountId, id }))?.revision ?? 0;
        const seen = await this.#seen(caller, id);
        return seen.status !== "pending" || clock.elapsed() >= by ? seen : undefined;
      },
      {
        at: Date.parse(first.expiresAt),
        by,
        watched: () => [{ type: "document", kind: approvalKind, accountId, id, revision }],
        signals: [signal],
      },
    );
    await this.#requireGood(caller);
    return last ?? (await this.#seen(caller, id));
  }

  async answer(caller: Caller, id: string, given: GivenAnswer): Promise<Approval> {
    const found = await this.#find(caller, id);
    const isSeen = found === undefined || seesApproval(caller, found);
    const isAdmin = caller.principal.scopes.includes("admin");
    // The kernel would take it: a key that is bounded to some tools answers about those alone.
    if (!isSeen && isAdmin) throw missing();
    try {
      return shownApproval(await this.#say(caller, id, given), this.#host.clock.now());
    } catch (error) {
      const isMissing =
        isSimpleFunctionsError(error) &&
        (error.code === "not_found" || (!isSeen && error.code === "forbidden"));
      throw isMissing ? missing() : error;
    } finally {
      this.#host.happened(caller.principal.accountId);
    }
  }

  async grants(caller: Caller): Promise<StandingGrant[]> {
    if (isLent(caller)) throw noList();
    return (await this.#operator(caller).grants()).filter((grant) => seesGrant(caller, grant));
  }

  async revoke(caller: Caller, grantId: string): Promise<void> {
    const operator = this.#operator(caller);
    const standing = isGrantId(grantId) ? await operator.grants() : [];
    const grant = standing.find((one) => one.grantId === grantId);
    if (grant === undefined || isLent(caller) || !seesGrant(caller, grant)) throw missingGrant();
    try {
      await operator.revoke(grantId);
    } catch (error) {
      throw isSimpleFunctionsError(error) && error.code === "not_found" ? missingGrant() : error;
    } finally {
      this.#host.happened(caller.principal.accountId);
    }
  }

  async #say(caller: Caller, id: string, given: GivenAnswer): Promise<Approval> {
    const operator = this.#operator(caller);
    const { answer, ...terms } = given;
    if (answer === "denied") return await operator.deny(id, terms);
    if (answer === "approved_for_session") return await operator.approveForSession(id, terms);
    return await operator.approve(id, terms);
  }

  async #seen(caller: Caller, id: string): Promise<Approval> {
    const found = await this.#find(caller, id);
    if (found === undefined || !seesApproval(caller, found)) throw missing();
    return shownApproval(found, this.#host.clock.now());
  }

  async #find(caller: Caller, id: string): Promise<Approval | undefined> {
    if (!isApprovalId(id)) return undefined;
    try {
      return await this.#operator(caller).get(id);
    } catch (error) {
      if (isSimpleFunctionsError(error) && error.code === "not_found") return undefined;
      throw error;
    }
  }

  /** A key may have ended while its request was held open. */
  async #requireGood({ principal: { accountId, keyId } }: Caller): Promise<void> {
    if ((await this.#host.keys.byId(accountId, keyId)) === undefined)
      throw new InvalidApiKeyError("the key has ended while it waited; nothing more is shown to it");
  }

  #operator({ principal }: Caller): Operator {
    const { store, installation, journals, clock, ids } = this.#host;
    const isInFamily = familyOf(this.#host, principal);
    return openOperator({ store, installation, journals, clock, ids, principal, isInFamily });
  }
}

function missing(): SimpleFunctionsError {
  return new NotFoundError("there is no such approval here; GET /api/approvals lists those that wait");
}

function missingGrant(): SimpleFunctionsError {
  return new NotFoundError(
    "there is no such standing grant here; GET /api/approvals/grants lists those there are",
  );
}

function noList(): SimpleFunctionsError {
  return new ForbiddenError(
    "approvals are listed for keys; a page or a run asks for the one that its call was answered with, by its id",
    { details: { reason: "token_list" } },
  );
}
