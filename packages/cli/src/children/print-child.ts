import type { ApprovalOfCall } from "@spfunctions/contracts";
import type { Line } from "../io/line.ts";
import { stateOf, stateText } from "../runs/run-states.ts";
import { spentText } from "../runs/spent-text.ts";
import { howItStands, howToAnswer, howToDecide, isOpen } from "../runs/what-it-needs.ts";
import { askerOf, type ChildTree, holderOf, type RunTree } from "./run-tree.ts";

/** `fitted`: for what may be long. */
type Lines = { readonly line: Line; readonly fitted: Line };

/** How a child stands, and what it waits for; those below it further in. */
export function printChild(lines: Lines, child: ChildTree, options: string, indent = ""): void {
  const { line, fitted } = lines;
  const { runId, subagent, depth, status, result, problem, children } = child;
  const unread = problem === undefined ? "not begun" : "cannot be read";
  const state = result === undefined ? unread : stateText(stateOf(result), result);
  const spent = result === undefined ? "" : `; ${spentText(result.spent)}`;
  const letGo = status === "detached" ? ", let go" : "";
  line("child", `${runId}  ${subagent}, depth ${depth}${letGo}  ${state}${spent}`, indent);
  const more = `${indent}  `;
  if (problem !== undefined) line("broken", problem, more);
  if (result?.asks !== undefined) fitted("asks", result.asks.text, more);
  for (const asked of ownOf(child)) line("waits", waitText(asked, options), more);
  for (const effectId of result?.unknown ?? [])
    if (holderOf(child, effectId) === undefined)
      line("waits", `for a word on ${effectId}: ${howToDecide(runId, effectId, options)}`, more);
  for (const one of children) printChild(lines, one, options, more);
}

/** What those below it have asked stands with them. */
function ownOf(tree: RunTree): readonly ApprovalOfCall[] {
  return (tree.result?.approvals ?? []).filter(({ approvalId }) => askerOf(tree, approvalId) === undefined);
}

function waitText(asked: ApprovalOfCall, options: string): string {
  return isOpen(asked)
    ? `for an answer to ${asked.approvalId}: ${howToAnswer(asked, options)}`
    : howItStands(asked);
}
