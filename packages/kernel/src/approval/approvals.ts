// A1: an approval fits exactly one call. It is used once, in the commit of the call's intent, and not after its time, whether
// anybody has swept up or not (B9).
import {
  type Approval,
  type ApprovalId,
  ApprovalMismatchError,
  type ApprovalOfCall,
  askedSchema,
  type CallId,
  canonicalJson,
  type GrantId,
  type KeyId,
  type Principal,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { unlessCorrupt, readKept } from "../journal/read-kept.ts";
import { approvalKind, askedKind } from "../store/kernel-kinds.ts";
import type { EarlierCall } from "../call/executors.ts";
import type { DocumentWrite } from "../store/store.ts";
import type { CallNames } from "../time/ids.ts";
import {
  approvalDenied,
  approvalEnded,
  approvalMismatch,
  approvalOfCall,
  orderMismatch,
} from "./approval-errors.ts";
import { boundOf, fitOf, mismatchOf, type Wanted } from "./approval-fit.ts";
import type { ApprovalsHost } from "./approvals-host.ts";
import { type Forgetting, forgetGrant, forgetQuestion } from "./forget-question.ts";
import { approvalIn, putApproval } from "./kept-approval.ts";
import { type Kept } from "../installation/proven.ts";
import { grantFor, isForSession, readGrant, useOfGrant } from "./standing-grants.ts";
import { isUsedHere } from "./used-here.ts";

/**
 * What `approvals.ttlMs` of a policy, or `approvalMs` of a host, may come to.
 * @limit approval.longestTtlMs | it is shortened to this | fixed: a yes that holds for longer is a policy
 */
const mostTtlMs = 366 * 24 * 3_600_000;

/** By which approval a call may run, until when, and what is to be written in the commit of its intent. */
export type Approved = {
  readonly approval: ApprovalOfCall;
  readonly writes: readonly DocumentWrite[];
  /** Milliseconds since 1970. */
  readonly until: number;
};

/** What there is for a call that a person is asked about. */
export type Found =
  | { readonly type: "approved"; readonly approved: Approved }
  | { readonly type: "pending"; readonly approval: Approval }
  | { readonly type: "refused"; readonly approval?: ApprovalOfCall; readonly error: SimpleFunctionsError }
  /** Nothing that stands: somebody is to be asked. */
  | { readonly type: "none" };

/** Who is asked, and for how long. */
type AskTerms = {
  readonly ttlMs: number;
  readonly approvers?: readonly KeyId[] | undefined;
  readonly reason: string;
  readonly readBefore?: readonly string[] | undefined;
};

type Names = Pick<CallNames, "runId" | "callId">;

export type Asked = { readonly approval: Approval; readonly writes: readonly DocumentWrite[] };

/** What a call asks of the approvals in a store. */
export class Approvals {
  readonly #host: ApprovalsHost;

  constructor(host: ApprovalsHost) {
    this.#host = host;
  }

  /** For a call that nobody has waited with: by the approval that it names, by a grant, or by what was asked about it before. */
  async find(wanted: Wanted, names: Names, named: string | undefined): Promise<Found> {
    if (named !== undefined) return await this.#named(wanted, names, named);
    const granted = await this.#byGrant(wanted, names);
    if (granted !== undefined) return { type: "approved", approved: granted };
    const asked = await this.#asked(wanted, names);
    return asked === undefined ? { type: "none" } : await this.judged(asked, wanted, names);
  }

  /**
   * For a call that an earlier one has ordered: by the approval of the earlier one, if that fits this call too. It counts for one
   * ordered call: both approvals are written with the intent.
   */
  async findOrdered(wanted: Wanted, names: Names, { callId, approvalId }: EarlierCall): Promise<Found> {
    const kept = approvalId === undefined ? undefined : await this.read(wanted.asker.accountId, approvalId);
    if (kept === undefined) return { type: "none" };
    const { value: earlier, revision } = kept;
    const isOfThatCall = earlier.status === "used" && earlier.usedBy === callId;
    const mismatch = isOfThatCall ? mismatchOf(earlier, wanted) : "another call has used it";
    if (mismatch !== undefined) return refused(earlier, orderMismatch(earlier, mismatch));
    if (earlier.alsoUsedBy !== undefined && earlier.alsoUsedBy !== names.callId)
      return refused(earlier, orderMismatch(earlier, "it has counted for another ordered call"));
    if (await this.#isDecisionOver(earlier))
      return refused(earlier, orderMismatch(earlier, "what its approver has decided was ended"));
    const question = this.#question(wanted, names, {
      ttlMs: 1,
      reason: `ordered under ${earlier.approvalId}`,
    });
    const used: Approval = {
      ...question,
      status: "used",
      orderedUnder: earlier.approvalId,
      ...(earlier.decidedBy && { decidedBy: earlier.decidedBy }),
      ...(earlier.decidedAt !== undefined && { decidedAt: earlier.decidedAt }),
      usedBy: names.callId,
    };
    const counted: Approval = { ...earlier, alsoUsedBy: names.callId };
    const { proves } = this.#host;
    return {
      type: "approved",
      approved: {
        approval: approvalOfCall(used),
        writes: [putApproval(used, 0, proves), putApproval(counted, revision, proves)],
        until: Number.MAX_SAFE_INTEGER,
      },
    };
  }

  /** A new question. `isReturned`: nobody waits with the call, and whoever comes again with it finds the question. */
  async ask(wanted: Wanted, names: Names, terms: AskTerms, isReturned: boolean): Promise<Asked> {
    const approval = this.#question(wanted, names, terms);
    const writes = [putApproval(approval, 0, this.#host.proves)];
    return { approval, writes: isReturned ? [...writes, await this.findable(approval)] : writes };
  }

  /** What is to be written so that whoever comes with the same call finds this. */
  async findable(approval: Approval): Promise<DocumentWrite> {
    const key = { kind: askedKind, accountId: approval.asker.accountId, id: fitOf(approval) };
    const expects = (await this.#host.store.document(key))?.revision ?? 0;
    const body = canonicalJson({ approvalId: approval.approvalId });
    return { type: "put", ...key, expects, status: "asked", body };
  }

  /** B22: what this installation did not write, or has written before it was used, is nothing to go by. `callId`: whose use it would be. */
  async read(accountId: string, id: string, callId?: CallId): Promise<Kept<Approval> | undefined> {
    const { store, proves } = this.#host;
    const document = await store.document({ kind: approvalKind, accountId, id });
    if (document === undefined) return undefined;
    if (document.status !== "used" && isUsedHere(store, id, callId)) return undefined;
    return unlessCorrupt(() => approvalIn(document, proves));
  }

  /** Until when a call that has used an approval goes on by it, in milliseconds since 1970. Returns undefined if it has used no such approval. */
  async endOfUsed(
    accountId: string,
    approvalId: string,
    callId: CallId,
  ): Promise<{ readonly until: number; readonly grantId?: GrantId | undefined } | undefined> {
    const { value } = (await this.read(accountId, approvalId)) ?? {};
    if (value?.status !== "used" || value.usedBy !== callId) return undefined;
    const { grantId } = value;
    if (grantId === undefined) return { until: Date.parse(value.expiresAt) };
    // One that a grant stands for holds as long as the grant was to hold; also one that is used up, or was revoked since.
    const grant = await readGrant(this.#host, accountId, grantId);
    return grant && { until: Date.parse(grant.value.expiresAt), grantId };
  }

  /** What an approval means to a call now. */
  async judged(kept: Kept<Approval>, wanted: Wanted, { callId }: Names): Promise<Found> {
    const { value: approval, revision } = kept;
    const mismatch = mismatchOf(approval, wanted);
    if (mismatch !== undefined) return refused(approval, approvalMismatch(approval, mismatch));
    const { status, expiresAt, grantId } = approval;
    const isYes = status === "approved" || status === "approved_for_session";
    if (isYes && (await this.#isDecisionOver(approval))) return { type: "none" };
    const used: Approval = { ...approval, status: "used", usedBy: callId };
    const write = putApproval(used, revision, this.#host.proves);
    if (status === "approved_for_session") {
      // B12: a yes for a session stands as long as the grant that it has made, and counts as one of its uses.
      const isInSession = approval.sessionId === wanted.sessionId && isForSession(wanted);
      const use = isInSession ? await useOfGrant(this.#host, wanted.asker.accountId, grantId) : undefined;
      return use === undefined ? { type: "none" } : approvedBy(used, [write, use.write], use.grant.expiresAt);
    }
    if (this.isOver(approval)) return { type: "none" };
    if (status === "approved") return approvedBy(used, [write], expiresAt);
    if (status === "pending") return { type: "pending", approval };
    return status === "denied" ? refused(approval, approvalDenied(approval)) : { type: "none" };
  }

  async #isDecisionOver(question: Approval): Promise<boolean> {
    const { asker, decidedBy, decidedAt } = question;
    const { accountId, keyId } = asker;
    return (await this.#host.isDecisionOver?.({ accountId, keyId, decidedBy, decidedAt, question })) === true;
  }

  /** Whether its time is over. */
  isOver({ expiresAt }: Pick<Approval, "expiresAt">): boolean {
    return this.#host.clock.now() >= Date.parse(expiresAt);
  }

  /** The write that ends a question which nobody is to answer any more. */
  ended({ value, revision }: Kept<Approval>, status: "expired" | "cancelled" | "superseded"): Asked {
    const approval: Approval = { ...value, status };
    return { approval, writes: [putApproval(approval, revision, this.#host.proves)] };
  }

  /** What is to be written so that an approval shows nothing more of a call. Nothing where it is another call's. */
  async forget(accountId: string, approvalId: string, callId: string): Promise<Forgetting | undefined> {
    return await forgetQuestion(this.#host, accountId, { approvalId, callId });
  }

  /** The same of what a grant holds of the call that it was made about. */
  async forgetGrant(by: Principal, grantId: GrantId): Promise<Forgetting | undefined> {
    return await forgetGrant(this.#host, by, grantId);
  }

  #question(
    wanted: Wanted,
    { runId, callId }: Names,
    { ttlMs, approvers, reason, readBefore = [] }: AskTerms,
  ): Approval {
    const { clock, ids } = this.#host;
    const { asker, contract, input, inputHash, policyDigest, sessionId, gate, hidden = [] } = wanted;
    const now = clock.now();
    return {
      approvalId: `appr_${ids.unique()}` as ApprovalId,
      runId,
      callId,
      asker,
      tool: contract.name,
      toolDigest: contract.digest,
      sideEffect: contract.sideEffect,
      costEffect: contract.costEffect,
      inputHash,
      policyDigest,
      ...(sessionId !== undefined && { sessionId }),
      input,
      ...(hidden.length > 0 && { hidden: [...hidden] }),
      reason,
      ...(gate === "pre_tool" && { gate }),
      ...(readBefore.length > 0 && { readBefore: [...readBefore] }),
      ...(approvers !== undefined && { approvers: [...approvers] }),
      status: "pending",
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + Math.min(ttlMs, mostTtlMs)).toISOString(),
    };
  }

  /** B1: a name proves nothing. What it names must fit this call, and stand. */
  async #named(wanted: Wanted, names: Names, id: string): Promise<Found> {
    const kept = await this.read(wanted.asker.accountId, id, names.callId);
    if (kept === undefined) {
      const error = new ApprovalMismatchError(
        `${wanted.contract.name}: there is no such approval here. Make the call without one, to be asked`,
      );
      return { type: "refused", error };
    }
    const { value: approval } = kept;
    const found = await this.judged(kept, wanted, names);
    if (found.type !== "none") return found;
    const isLate = approval.status === "pending" || approval.status === "approved";
    return refused(isLate ? { ...approval, status: "expired" } : approval, approvalEnded(approval));
  }

  async #asked(wanted: Wanted, { callId }: Names): Promise<Kept<Approval> | undefined> {
    const { accountId } = wanted.asker;
    const document = await this.#host.store.document({
      kind: askedKind,
      accountId,
      id: fitOf(boundOf(wanted)),
    });
    const asked =
      document && unlessCorrupt(() => readKept(askedSchema, document.body, "what was asked about a call"));
    const kept = asked && (await this.read(accountId, asked.approvalId, callId));
    return kept !== undefined && mismatchOf(kept.value, wanted) === undefined ? kept : undefined;
  }

  /** B12: each use of a standing grant is an approval of its own, used at once, that names it. */
  async #byGrant(wanted: Wanted, names: Names): Promise<Approved | undefined> {
    const found = await grantFor(this.#host, wanted);
    if (found === undefined) return undefined;
    const { grantId, grantedBy: decidedBy, expiresAt } = found.grant;
    const question = this.#question(wanted, names, { ttlMs: 1, reason: "covered by a standing grant" });
    const used: Approval = {
      ...question,
      status: "used",
      grantId,
      decidedBy,
      decidedAt: question.createdAt,
      usedBy: names.callId,
    };
    return {
      approval: approvalOfCall(used),
      writes: [putApproval(used, 0, this.#host.proves), found.write],
      until: Date.parse(expiresAt),
    };
  }
}

function approvedBy(used: Approval, writes: readonly DocumentWrite[], until: string): Found {
  const approval = approvalOfCall(used);
  return { type: "approved", approved: { approval, writes, until: Date.parse(until) } };
}

function refused(approval: Approval, error: SimpleFunctionsError): Found {
  return { type: "refused", approval: approvalOfCall(approval), error };
}
