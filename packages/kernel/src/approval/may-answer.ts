// A2: who asks cannot be who approves.
import {
  type Approval,
  type ApprovalAnswer,
  ApprovalExpiredError,
  ForbiddenError,
  InvalidTransitionError,
  type Principal,
  type SimpleFunctionsError,
  type StandingGrant,
} from "@spfunctions/contracts";

/** Why an answer does not count; nothing where it does. */
export function refusalOf(
  answerer: Principal,
  approval: Approval,
  answer: ApprovalAnswer,
  isOver: boolean,
): SimpleFunctionsError | undefined {
  const { approvalId, status, decidedBy } = approval;
  const authority = lackOf(answerer, approval);
  if (authority !== undefined)
    return new ForbiddenError(`${approvalId}: ${authority}`, { details: { approvalId } });
  if (status !== "pending") {
    const by = decidedBy === undefined ? "" : ` by ${decidedBy.keyId}`;
    return new InvalidTransitionError(
      `${approvalId} is ${status}${by}: the first answer stands, and "${answer}" changes nothing`,
      { details: { approvalId, status } },
    );
  }
  if (!isOver) return undefined;
  return new ApprovalExpiredError(
    `${approvalId} could be answered until ${approval.expiresAt}; whoever wants the call makes it again`,
    { details: { approvalId } },
  );
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

/** Whether it is a credential that a person does not decide with. */
function isNobody({ kind }: Principal): boolean {
  return kind === "run" || kind === "token" || kind === "anonymous";
}

/** What somebody lacks to answer. */
function lackOf(answerer: Principal, { asker, approvers = [] }: Approval): string | undefined {
  const { kind, keyId, scopes } = answerer;
  if (isNobody(answerer))
    return `a principal of kind ${kind} answers nothing; an operator does, with a credential of theirs`;
  if (keyId === asker.keyId && kind === asker.kind)
    return "whoever asks is not who approves; answer with another credential";
  if (scopes.includes("admin") || approvers.includes(keyId)) return undefined;
  return "to answer it takes the scope admin, or being named among the policy's approvers";
}
