import type { JsonValue } from "@spfunctions/contracts";
import type { RunResult } from "@spfunctions/kernel";
import { printChild } from "../children/print-child.ts";
import { holderOf, type RunTree } from "../children/run-tree.ts";
import { momentText, whoText } from "../approvals/approval-facts.ts";
import type { Line } from "../io/line.ts";
import type { Printer } from "../io/printer.ts";
import { fitLine } from "../trace/fit-line.ts";
import type { TimelineCall } from "../trace/timeline.ts";
import { timelineRows } from "../trace/timeline-rows.ts";
import type { FoundRun } from "./look-at-runs.ts";
import type { RunStory, StoryCall, StoryStep } from "./run-story.ts";
import { isOver, stateOf, stateText } from "./run-states.ts";
import { counted, spentText } from "./spent-text.ts";
import {
  howItStands,
  howToAnswer,
  howToDecide,
  howToGoOnWith,
  howToResume,
  isOpen,
  type Resumable,
} from "./what-it-needs.ts";

/** Where a run stands among others. */
type Family = {
  readonly tree: RunTree;
  /** Whose child it is. */
  readonly parent?: string | undefined;
  /** With which it goes on: itself, unless it is a child that was not let go. */
  readonly master: string;
};

type Told = {
  readonly result: RunResult;
  readonly story: RunStory;
  readonly family: Family;
  /** Whether it is known that no process drives it. */
  readonly nobodys: boolean;
};

const nameWidth = 9;

/** What it was to do, what its model said and what came of that, what was spent on what, and how it ended or what it needs. */
export function printRun(
  print: Pick<Printer, "out">,
  told: Told,
  { document, folder, options }: Pick<FoundRun, "document" | "folder" | "options">,
  columns: number,
): void {
  const line: Line = (name, text, indent = "") =>
    print.out(indent, { text: name.padEnd(nameWidth), style: "dim" }, " ", text);
  const fitted: Line = (name, text, indent = "") =>
    line(name, fitLine(text, columns - nameWidth - 1 - indent.length), indent);
  const { runId, agentId, sessionId, packageFingerprint, starter, startedAt } = document;
  const { result, story, family, nobodys } = told;
  const now = Date.now();
  print.out({ text: runId, style: "bold" }, `  ${stateText(stateOf(result), { ...result, nobodys })}`);
  fitted("objective", objectiveText(story.objective));
  line("agent", sessionId === undefined ? agentId : `${agentId}, session ${sessionId}`);
  if (family.parent !== undefined) line("parent", parentText(family, runId));
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
  for (const child of family.tree.children) printChild({ line, fitted }, child, options);
  line("spent", spentText(result.spent));
  for (const { what, spent } of result.spentOn) line("", `${what}: ${spentText(spent)}`);
  for (const [name, text] of endOf(result, story, now)) fitted(name, text);
  for (const text of needs(told, document, options)) line("needs", text);
}

function parentText({ parent, master }: Family, runId: string): string {
  return master === runId ? `${parent}, which has let it go` : `${parent}`;
}

function stepText({ model, status, attempt, spent }: StoryStep): string {
  const tried = attempt === 1 ? "" : `, attempt ${attempt}`;
  return `${model} ${status}${tried}${spent === undefined ? "" : `; ${spentText(spent)}`}`;
}

function printCall(line: Line, call: StoryCall): void {
  const { callId, tool, made, approval } = call;
  if (made === undefined) return line("call", `${tool}  proposed, and not begun (${callId})`, "  ");
  line("call", `${tool}  ${callText(call, made)}`, "  ");
  for (const [name, text] of timelineRows(made)) if (text) line(name, text, "    ");
  if (approval !== undefined) printApproval(line, approval, Date.now());
}

function callText({ isWaiting, approval, child }: StoryCall, { entry }: TimelineCall): string {
  const at = child === undefined ? "" : ` (${child})`;
  // A call that waits for a child has no end yet, and is nothing that nobody knows.
  if (child !== undefined && entry.status === "unknown") return `is under way${at}`;
  if (isWaiting !== true) return `${entry.status.replaceAll("_", " ")}${at}`;
  return approval?.status === "pending"
    ? "waits for a person"
    : "is past its question, and has not gone on yet";
}

function printApproval(
  line: Line,
  { approvalId, status, decidedBy, decidedAt, grantId }: NonNullable<StoryCall["approval"]>,
  now: number,
): void {
  line(
    "approval",
    `${approvalId} ${status}${grantId === undefined ? "" : `, by standing grant ${grantId}`}`,
    "    ",
  );
  if (decidedBy === undefined) return;
  const when = decidedAt === undefined ? "" : `${momentText(decidedAt, now)} `;
  line("decided", `${when}by ${whoText(decidedBy)}`, "    ");
}

function endOf(result: RunResult, story: RunStory, now: number): (readonly [name: string, text: string])[] {
  const { status, output, error } = result;
  if (!isOver(result)) return [];
  const by = story.cancelledBy === undefined ? "" : ` by ${whoText(story.cancelledBy)}`;
  const when = story.endedAt === undefined ? "" : `, ${momentText(story.endedAt, now)}`;
  return [
    ["ended", `${status}${by}${when}`],
    ...(error === undefined ? [] : [["error", `${error.code}: ${error.message}`] as const]),
    ...(output === undefined ? [] : [["answer", textOf(output)] as const]),
  ];
}

function needs(
  { result, family: { tree, master }, nobodys }: Told,
  run: Resumable,
  options: string,
): string[] {
  const { runId, approvals, unknown } = result;
  const answered = approvals.filter((asked) => !isOpen(asked)).map(howItStands);
  const driving = [...answered, nobodys ? "nobody does" : "where nobody does"].join("; ");
  const resume = master === runId ? howToResume(run, options) : howToGoOnWith({ runId: master }, options);
  const whoHas = (effectId: string) => holderOf(tree, effectId)?.runId ?? runId;
  return [
    ...approvals
      .filter(isOpen)
      .map((asked) => `an answer to ${asked.approvalId}: ${howToAnswer(asked, options)}`),
    ...unknown.map(
      (effectId) =>
        `a word on what became of ${effectId}: ${howToDecide(whoHas(effectId), effectId, options)}`,
    ),
    ...(isOver(result) ? [] : [`somebody who drives it; ${driving}: ${resume}`]),
  ];
}

/** A runtime keeps it as the message that it begins with. */
function objectiveText(objective: JsonValue): string {
  const said = (Array.isArray(objective) ? objective : []).map((message) => Object(message) as Said);
  const isSaid =
    said.length > 0 && said.every(({ role, text }) => role === "user" && typeof text === "string");
  return isSaid ? said.map(({ text }) => text).join(" ") : textOf(objective);
}

type Said = { readonly role?: unknown; readonly text?: unknown };

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
