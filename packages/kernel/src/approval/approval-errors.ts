import {
  type Approval,
  ApprovalDeniedError,
  ApprovalExpiredError,
  ApprovalMismatchError,
  type ApprovalOfCall,
  ApprovalRequiredError,
  type SimpleFunctionsError,
  type Verdict,
} from "@spfunctions/contracts";

/** What a call's records say of the approval it is about. */
export function approvalOfCall(approval: Approval): ApprovalOfCall {
  const { approvalId, status, expiresAt, decidedBy, grantId } = approval;
  return { approvalId, status, expiresAt, ...(decidedBy && { decidedBy }), ...(grantId && { grantId }) };
}

export function approvalRequired(
  { approvalId, tool, reason, expiresAt, hidden }: Approval,
  verdict: Verdict,
): SimpleFunctionsError {
  return new ApprovalRequiredError(
    `${tool}: ${reason}; ${approvalId} waits for an operator until ${expiresAt}. Once it is approved, make the same call again`,
    { details: { tool, approvalId, expiresAt, verdict, ...(hidden && { reason: "hidden_parts", hidden }) } },
  );
}

/** B13: whoever asked learns who said no, and why. */
export function approvalDenied({ approvalId, tool, decidedBy, note }: Approval): SimpleFunctionsError {
  const why = note === undefined ? "without saying why" : `and says: ${note}`;
  return new ApprovalDeniedError(
    `${tool}: ${decidedBy?.keyId ?? "an operator"} has denied it, ${why}. Do not ask for the same again; do something else, or ask them`,
    { details: { tool, approvalId } },
  );
}

function approvalExpired({ approvalId, tool, expiresAt }: Approval): SimpleFunctionsError {
  return new ApprovalExpiredError(
    `${tool}: nobody has approved it by ${expiresAt}, when ${approvalId} ended; make the call again to ask once more`,
    { details: { tool, approvalId, expiresAt } },
  );
}

/** What a call is told that comes to a question which is closed. */
export function approvalEnded(approval: Approval): SimpleFunctionsError {
  const { status } = approval;
  switch (status) {
    case "denied":
      return approvalDenied(approval);
    case "pending":
    case "approved":
    case "expired":
      return approvalExpired(approval);
    case "approved_for_session":
      return approvalMismatch(approval, "the grant that it made has ended");
    default:
      return approvalMismatch(approval, `it is ${status}`);
  }
}

/** What an ordered call is told that the approval of the call that ordered it does not fit. Nobody is asked anew. */
export function orderMismatch({ approvalId, tool }: Approval, why: string): SimpleFunctionsError {
  return new ApprovalMismatchError(
    `${tool}: ${approvalId}, which it was ordered under, does not approve this call: ${why}. Order it again, to be asked anew`,
    { details: { tool, approvalId } },
  );
}

/** What an ordered call is told that a person must approve now, while nobody had to when it was ordered. */
export function orderUnapproved(tool: string, verdict: Verdict): SimpleFunctionsError {
  return new ApprovalRequiredError(
    `${tool}: ${verdict.reason}, and nobody has when it was ordered. Order it again, to be asked`,
    { details: { tool, verdict } },
  );
}

export function approvalMismatch(
  { approvalId, tool }: Pick<Approval, "approvalId" | "tool">,
  why: string,
): SimpleFunctionsError {
  return new ApprovalMismatchError(
    `${tool}: ${approvalId} does not approve this call: ${why}. Make the call without it, to be asked anew`,
    { details: { tool, approvalId } },
  );
}
