// A run's records say what it has asked; what people have said since is kept with the questions.
import { type ApprovalOfCall, isSimpleFunctionsError } from "@spfunctions/contracts";
import type { Operator, RunResult } from "@spfunctions/kernel";
import { statusNow } from "../approvals/approval-facts.ts";

export type Asking = { readonly operator: Pick<Operator, "get">; readonly now: () => number };

/** What a run has come to, with its questions as they stand now. */
export async function withQuestionsNow(result: RunResult, asking: Asking): Promise<RunResult> {
  const approvals = await Promise.all(result.approvals.map((asked) => questionNow(asked, asking)));
  return { ...result, approvals };
}

/** Of one that another place has asked, only that place knows more. */
async function questionNow(asked: ApprovalOfCall, { operator, now }: Asking): Promise<ApprovalOfCall> {
  if (asked.elsewhere !== undefined) return asked;
  try {
    const approval = await operator.get(asked.approvalId);
    const { decidedBy, grantId } = approval;
    return {
      ...asked,
      status: statusNow(approval, now()),
      ...(decidedBy && { decidedBy }),
      ...(grantId && { grantId }),
    };
  } catch (error) {
    // Of one that is lost the run itself says what becomes of it.
    if (isSimpleFunctionsError(error) && error.code === "not_found") return asked;
    throw error;
  }
}
