import type { Approval } from "@spfunctions/contracts";
import type { OperatorDesk } from "@spfunctions/kernel";
import type { GivenAnswer } from "./approval-desk.ts";

/** Says to an operator what a person has said. */
export async function sayAnswer(
  operator: OperatorDesk,
  approvalId: string,
  { answer, note, ...terms }: GivenAnswer,
): Promise<Approval> {
  const said = { ...(note !== undefined && { note }) };
  if (answer === "approved_for_session")
    return await operator.approveForSession(approvalId, { ...said, ...terms });
  return await (answer === "approved" ? operator.approve(approvalId, said) : operator.deny(approvalId, said));
}
