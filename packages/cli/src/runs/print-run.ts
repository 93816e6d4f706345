import type { ApprovalOfCall, JsonValue } from "@spfunctions/contracts";
import type { RunResult } from "@spfunctions/kernel";
import { momentText, whoText } from "../approvals/approval-facts.ts";
import type { Printer } from "../io/printer.ts";
import { fitLine } from "../trace/fit-line.ts";
import type { TimelineCall } from "../trace/timeline.ts";
import { timelineRows } from "../trace/timeline-rows.ts";
import type { FoundRun } from "./look-at-runs.ts";
import type { RunStory, StoryCall, StoryStep } from "./run-story.ts";
import { isOver, stateOf, stateText } from "./run-states.ts";
import { counted, spentText } from "./spent-text.ts";
import { howItStands, howToAnswer, howToDecide, howToResume } from "./what-it-needs.ts";

type Told = {
  readonly result: RunResult;
  readonly story: RunStory;
  /** Whether it is known that no process drives it. */
  readonly nobodys: boolean;
};

const nameWidth = 9;

/** What it was to do, what its model said and what came of that, what was spent on what, and how it ended or what it needs. */
export function printRun(
  print: Pick<Printer, "out">,
  { result, story, nobodys }: Told,
  { document, folder, options }: Pick<FoundRun, "document" | "folder" | "options">,
  columns: number,
): void {
  const line: Line = (name, text, indent = "") =>
    print.out(indent, { text: name.padEnd(nameWidth), style: "dim" }, " ", text);
  const fitted: Line = (name, text, indent = "") =>
    line(name, fitLine(text, columns - nameWidth - 1 - indent.length), indent);
  const { runId, agentId, sessionId, packageFingerprint, starter, startedAt } = document;
  const now = Date.now();
  print.out({ text: runId, style: "bold" }, `  ${stateText(stateOf(result), result.approvals)}`);
  fitted("objective", textOf(story.objective));
  line("agent", sessionId === undefined ? agentId : `${agentId}, session ${sessionId}`);
  line("package", packageFingerprint);
  line("started", `${momentText(startedAt, now)} by ${whoText(starter)}`);
  if (story.takenOver > 0) line("resumed", counted(story.takenOver, "time"));
  line("where", folder);
  for (const step of story.steps) {
    print.out("");
    line(`step ${step.step}`, stepText(step));
    if (step.said) fitted("said", step.said, "  ");
    for (const call of step.calls) printCall(fitted, call);
  }
  print.out("");
  line("spent", spentText(result.spent));
  for (const { what, spent } of result.spentOn) line("", `${what}: ${spentText(spent)}`);
  for (const text of endOf(result, story, now)) fitted("ended", text);
  for (const text of needs(result, nobodys, options)) line("needs", text);
}

type Line = (name: string, text: string, indent?: string) => void;

function stepText({ model, status, attempt, spent }: StoryStep): string {
  const tried = attempt === 1 ? "" : `, attempt ${attempt}`;
  return `${model} ${status}${tried}${spent === undefined ? "" : `; ${spentText(spent)}`}`;
}

function printCall(line: Line, call: StoryCall): void {
  const { callId, tool, made, approval } = call;
  if (made === undefined) return line("call", `${tool}  proposed, and not begun (${callId})`, "  ");
  line("call", `${tool}  ${callText(call, made)}`, "  ");
  for (const [name, text] of timelineRows(made)) if (text) line(name, text, "    ");
  if (approval !== undefined) line("approval", approvalText(approval), "    ");
}

function callText({ isWaiting, approval }: StoryCall, { entry }: TimelineCall): string {
  if (isWaiting !== true) return entry.status.replaceAll("_", " ");
  return approval?.status === "pending"
    ? "waits for a person"
    : "is past its question, and has not gone on yet";
}

function approvalText({ approvalId, status, decidedBy, grantId }: ApprovalOfCall): string {
  const by = decidedBy === undefined ? "" : `, decided by ${whoText(decidedBy)}`;
  return `${approvalId} ${status}${by}${grantId === undefined ? "" : `, by standing grant ${grantId}`}`;
}

function endOf(result: RunResult, story: RunStory, now: number): string[] {
  const { status, output, error } = result;
  if (!isOver(result)) return [];
  const by = story.cancelledBy === undefined ? "" : ` by ${whoText(story.cancelledBy)}`;
  const when = story.endedAt === undefined ? "" : `, ${momentText(story.endedAt, now)}`;
  return [
    `${status}${by}${when}`,
    ...(error === undefined ? [] : [`${error.code}: ${error.message}`]),
    ...(output === undefined ? [] : [textOf(output)]),
  ];
}

function isOpen({ status }: ApprovalOfCall): boolean {
  return status === "pending";
}

function needs(result: RunResult, nobodys: boolean, options: string): string[] {
  const { runId, approvals, unknown } = result;
  const answered = approvals.filter((asked) => !isOpen(asked)).map(howItStands);
  const driving = [...answered, nobodys ? "nobody does" : "where nobody does"].join("; ");
  return [
    ...approvals
      .filter(isOpen)
      .map((asked) => `an answer to ${asked.approvalId}: ${howToAnswer(asked, options)}`),
    ...unknown.map(
      (effectId) => `a word on what became of ${effectId}: ${howToDecide(runId, effectId, options)}`,
    ),
    ...(isOver(result) ? [] : [`somebody who drives it; ${driving}: ${howToResume(runId, options)}`]),
  ];
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
