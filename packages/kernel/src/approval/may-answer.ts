// A2: who asks cannot be who approves.
import {
  type Approval,
  type ApprovalAnswer,
  ApprovalExpiredError,
  type CapabilityHolder,
  ForbiddenError,
  InvalidTransitionError,
  type Principal,
  type SimpleFunctionsError,
  type StandingGrant,
} from "@spfunctions/contracts";

/** What a key has asked: an approval has an id, a wish for a capability has none. */
export type AskedQuestion = Pick<Approval, "gate" | "hidden"> & Partial<Pick<Approval, "approvalId">>;

/**
 * Whether a key is of the same family as whoever answers: both come from one key whose calls a person must approve. Only the host of the
 * keys knows that. `question`: what that key has asked; undefined if it could only use what is granted.
 */
export type IsInFamily = (key: Pick<Principal, "keyId">, question?: AskedQuestion) => Promise<boolean>;

/** Who has asked, and whose calls can use what is granted: those of every key of the account if the holder names none. */
export type Interest = {
  readonly asker?: Pick<Principal, "keyId" | "kind"> | undefined;
  readonly holder?: Pick<CapabilityHolder, "keyId"> | undefined;
  readonly question?: AskedQuestion | undefined;
};

/** Why somebody is too close to a question or a grant to decide it. */
export type Conflict = { readonly reason: "own_question" | "key_family"; readonly text: string };

/**
 * The one rule for approvals and capabilities: nobody answers what they have asked, and no key answers what a key of its family has asked
 * or grants what a key of its family can use. Returns undefined if the answerer may decide.
 */
export async function conflictOf(
  by: Principal,
  { asker, holder, question }: Interest,
  isInFamily: IsInFamily,
): Promise<Conflict | undefined> {
  if (asker !== undefined && isAsker(by, asker))
    return {
      reason: "own_question",
      text: "whoever asks is not who approves; answer with another credential",
    };
  if (asker !== undefined && (await isInFamily(asker, question ?? {})))
    return { reason: "key_family", text: `the key that asked and this one ${ofOneFamily}` };
  if (holder !== undefined && (await isInFamily({ keyId: holder.keyId ?? by.keyId })))
    return {
      reason: "key_family",
      text: `this key and ${holder.keyId ?? "others for whom it would be"} ${ofOneFamily}, or name a key of another family whom it is for`,
    };
  return undefined;
}

const ofOneFamily =
  "are of one family: they come from one key, of whose calls a person must approve some. Answer with an admin key that comes from none of them, or at the platform's machine (sf approvals, sf grants)";

/** Why an answer does not count; undefined if it does. */
export function refusalOf(
  answerer: Principal,
  approval: Approval,
  answer: ApprovalAnswer,
  { isOver, conflict }: { readonly isOver: boolean; readonly conflict: Conflict | undefined },
): SimpleFunctionsError | undefined {
  const { approvalId, status } = approval;
  if (conflict !== undefined && !isNobody(answerer)) return conflictError(approvalId, conflict);
  const authority = lackOf(answerer, approval);
  if (authority !== undefined)
    return new ForbiddenError(`${approvalId}: ${authority}`, { details: { approvalId } });
  if (status !== "pending" && status !== "expired")
    return new InvalidTransitionError(`${tooLate(approval)}; "${answer}" changes nothing`, {
      details: { approvalId, status },
    });
  if (status === "pending" && !isOver) return undefined;
  return new ApprovalExpiredError(
    `${approvalId} could be answered until ${approval.expiresAt}; whoever wants the call makes it again`,
    { details: { approvalId } },
  );
}

/** The first answer stands. Whoever gave it and says the same again is told what stands. */
export function isSaidAgain(
  { keyId, kind }: Principal,
  { decidedBy, status }: Approval,
  answer: ApprovalAnswer,
): boolean {
  const isTheirs = decidedBy?.keyId === keyId && decidedBy.kind === kind;
  return isTheirs && (status === "used" ? "approved" : status) === answer;
}

function tooLate({ approvalId, status, decidedBy }: Approval): string {
  const by = decidedBy === undefined ? "" : ` by ${decidedBy.keyId}`;
  switch (status) {
    case "cancelled":
      return `${approvalId} can be answered no more: whoever asked has given the call up`;
    case "superseded":
      return `${approvalId} can be answered no more: the call cannot go on by it, and is asked about anew when it is made again`;
    case "used":
      return `${approvalId} was approved${by} and has been used: the first answer stands`;
    default:
      return `${approvalId} was ${status.replaceAll("_", " ")}${by}: the first answer stands`;
  }
}

/** Why somebody may not end a standing grant: whoever made it may, and whoever administers the account. */
export function revokingRefusal(
  by: Principal,
  { grantId, grantedBy }: StandingGrant,
): SimpleFunctionsError | undefined {
  const isGrantor = by.keyId === grantedBy.keyId && by.kind === grantedBy.kind;
  const isNoOperator = isNobody(by) || !(isGrantor || by.scopes.includes("admin"));
  return isNoOperator
    ? new ForbiddenError(`${grantId}: to end it takes the scope admin, or the key that made it`, {
        details: { grantId },
      })
    : undefined;
}

/** Why somebody may not take back a yes: whoever administers the account may, as long as no call has used it. */
export function withdrawingRefusal(by: Principal, approval: Approval): SimpleFunctionsError | undefined {
  const { approvalId, status } = approval;
  const details = { approvalId, status };
  if (isNobody(by) || !by.scopes.includes("admin"))
    return new ForbiddenError(`${approvalId}: to take it back takes the scope admin`, { details });
  if (status === "approved") return undefined;
  const stands = status === "pending" ? `${approvalId} is not answered` : tooLate(approval);
  return new InvalidTransitionError(`${stands}; only a yes that no call has used is taken back`, { details });
}

const nobodies: { readonly [Kind in Principal["kind"]]?: string } = {
  run: "no run",
  token: "no token",
  anonymous: "nobody without a key",
};

/** Whether it is a credential that a person does not decide with. */
export function isNobody({ kind }: Pick<Principal, "kind">): boolean {
  return nobodies[kind] !== undefined;
}

/** A2: what a model drives, a page holds or anybody can send decides nothing about what is on record. */
export function requireSomebody({ kind }: Principal, what: string): void {
  const nobody = nobodies[kind];
  if (nobody === undefined) return;
  throw new ForbiddenError(`${nobody} ${what}: a person does, with a key of theirs`, { details: { kind } });
}

/**
 * Whether it is the key that has asked, whatever it calls itself. A run asks for itself: where it is driven here, its program knows
 * the person who answers. Who comes with a key alone has asked what that key was lent for: nobody knows whether there is such a run.
 */
export function isAsker({ keyId, kind }: Principal, asker: Pick<Principal, "keyId" | "kind">): boolean {
  return keyId === asker.keyId && (kind === "key" || !isNobody(asker));
}

/** `id`: of the approval or grant, or the name of the capability. */
export function conflictError(id: string, { reason, text }: Conflict): SimpleFunctionsError {
  const named = id.startsWith("appr_") ? { approvalId: id } : id.startsWith("cap_") ? { grantId: id } : {};
  return new ForbiddenError(`${id}: ${text}`, { details: { ...named, reason } });
}

/** What somebody lacks to answer. */
function lackOf(answerer: Principal, { approvers = [] }: Approval): string | undefined {
  const { kind, keyId, scopes } = answerer;
  if (isNobody(answerer))
    return `a principal of kind ${kind} answers nothing; an operator does, with a credential of theirs`;
  if (scopes.includes("admin") || approvers.includes(keyId)) return undefined;
  return "to answer it takes the scope admin, or being named among the policy's approvers";
}
