import type { RunState } from "@spfunctions/kernel";
import { momentText } from "../approvals/approval-facts.ts";
import type { Printer } from "../io/printer.ts";
import { sayWhoseNone } from "../trace/whose-none.ts";
import type { Listed, ListedHere } from "./listed-run.ts";
import { hasEnded, isAtWork, stateText } from "./run-states.ts";
import { counted } from "./spent-text.ts";
import { howItStands, howToAnswer, howToDecide, howToGoOnWith, howToResume } from "./what-it-needs.ts";

type Printed = {
  readonly state?: RunState;
  readonly account: string;
  /** Whose journals are there. */
  readonly accounts: readonly string[];
};

/** What runs there are, place by place; children further in, below their parents. */
export function printListed(
  found: readonly ListedHere[],
  { state, account, accounts }: Printed,
  print: Pick<Printer, "out" | "err">,
): void {
  const there = found.filter(({ runs }) => runs.length > 0);
  if (there.length === 0) {
    print.out(state === undefined ? "none: no run is kept here" : `none is ${state}`);
    sayWhoseNone(print, account, accounts);
  }
  for (const { here, runs, total } of there) {
    for (const run of runs) {
      printRun(print, run, topText(run));
      for (const line of needsText(run, here.options)) print.out(`  ${line}`);
      for (const child of run.children) printChild(print, asItsParent(run, child), "  ");
    }
    const below = runs.reduce((sum, run) => sum + countBelow(run), 0);
    const children = below === 0 ? "" : ` with ${counted(below, "subagent")}`;
    const more = runs.length < total ? `, ${total - runs.length} older ones not shown (--limit)` : "";
    const text = `${runs.length} in ${here.folder}${children}${more}; one whole: sf runs show <runId>${here.options}`;
    print.err({ text, style: "dim" });
  }
}

function countBelow({ children }: Listed): number {
  return children.reduce((sum, child) => sum + 1 + countBelow(child), 0);
}

/** What it needs is said of the run that it goes on with. */
function printChild(print: Pick<Printer, "out">, child: Listed, indent: string): void {
  printRun(print, child, `subagent ${child.agentId}`, indent);
  if (child.problem !== undefined) print.out(`${indent}  broken: ${child.problem}`);
  for (const one of child.children) printChild(print, asItsParent(child, one), `${indent}  `);
}

/** A child is driven with its parent. */
function asItsParent({ nobodys }: Listed, child: Listed): Listed {
  return nobodys === undefined ? child : { ...child, nobodys };
}

function printRun(print: Pick<Printer, "out">, run: Listed, who: string, indent = ""): void {
  const { runId, state, sessionId, startedAt } = run;
  print.out(indent, { text: runId, style: "bold" }, `  ${stateText(state, run)}`);
  const session = sessionId === undefined ? "" : `, session ${sessionId}`;
  print.out(`${indent}  ${who}${session}, started ${momentText(startedAt, Date.now())}`);
}

/** A child that stands below no other is one whose parent is not listed, or that goes on without it. */
function topText({ agentId, parentRunId, state, goesOnWith }: Listed): string {
  if (parentRunId === undefined) return `agent ${agentId}`;
  const isLetGo = goesOnWith === undefined && !hasEnded(state);
  return isLetGo ? `agent ${agentId}, let go by ${parentRunId}` : `subagent ${agentId} of ${parentRunId}`;
}

function needsText(run: Listed, options: string): string[] {
  const { approvals = [], unknown = [], nobodys, goesOnWith, problem } = run;
  const driving = nobodys === true ? "nobody drives it" : "where nobody drives it";
  const resume =
    goesOnWith === undefined ? howToResume(run, options) : howToGoOnWith({ runId: goesOnWith }, options);
  return [
    ...(problem === undefined ? [] : [`broken: ${problem}`]),
    ...approvals.map((asked) =>
      asked.status === "pending"
        ? `waits for ${asked.approvalId}: ${howToAnswer(asked, options)}`
        : `${howItStands(asked)}; ${driving}: ${resume}`,
    ),
    ...unknown.map(
      (effectId) =>
        `needs to know of ${effectId}: ${howToDecide(holderOf(run, effectId), effectId, options)}`,
    ),
    ...(nobodys === true && isAtWork(run.state) ? [`takes somebody who drives it: ${resume}`] : []),
  ];
}

/** Which of them it is that has the effect, and does not only pass it on. */
function holderOf({ runId, children }: Listed, effectId: string): string {
  const below = children.find(({ unknown = [] }) => unknown.some((one) => one === effectId));
  return below === undefined ? runId : holderOf(below, effectId);
}
