// What only a person can do for a run, as commands.
import type { ApprovalOfCall } from "@spfunctions/contracts";

/** Of a question that another place has asked, that place knows more. */
export function howToAnswer({ approvalId, elsewhere }: ApprovalOfCall, options: string): string {
  return elsewhere === undefined
    ? `sf approvals show ${approvalId}${options}`
    : `it is answered on the platform that has the tool: sf approvals show ${approvalId} --url …`;
}

/** Of a question that somebody has answered, or that has run out. */
export function howItStands({ approvalId, status }: ApprovalOfCall): string {
  return `${approvalId} is ${status.replaceAll("_", " ")}`;
}

export function howToDecide(runId: string, effectId: string, options: string): string {
  return `sf runs resolve ${runId} ${effectId} --status … --note …${options}`;
}

export function howToResume(runId: string, options: string): string {
  return `sf runs resume ${runId} --tools … --model …${options}`;
}
