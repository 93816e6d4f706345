import type {
  ApprovalOfCall,
  ContentRow,
  EffectId,
  ErrorCode,
  JsonValue,
  RunEnd,
  RunId,
  RuntimeStep,
  Spent,
  SpentOn,
} from "@spfunctions/contracts";
import { readPayload } from "../../journal/read-payload.ts";
import { textOf } from "../../replay/recorded-answer.ts";
import type { ChildPhase } from "../../subagent/child-states.ts";
import type { Child, ChildMessage } from "../../subagent/fold-child.ts";
import type { Run } from "./fold-run.ts";
import type { RunState } from "./run-states.ts";
import { stepsOf } from "./runtime-steps.ts";

/** What a run has come to, or what it waits for. */
export type RunResult = {
  readonly runId: string;
  readonly sessionId?: string;
  /** `requires_approval`: not an end; it goes on when somebody has answered. */
  readonly status: Exclude<RunState, "waiting"> | "requires_approval";
  readonly output?: JsonValue;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
  readonly spent: Spent;
  readonly spentOn: SpentOn;
  /** Its moves, in order. */
  readonly steps: readonly RuntimeStep[];
  /** The questions that wait for a person. */
  readonly approvals: readonly ApprovalOfCall[];
  /** Effects of which nobody knows what became. */
  readonly unknown: readonly EffectId[];
  /** What it has asked its parent, and waits for. */
  readonly asks?: ChildMessage;
  /** Its children, in the order in which they were started. */
  readonly children: readonly ChildResult[];
};

/** How a child stands, as its parent has it. */
export type ChildResult = {
  readonly runId: RunId;
  readonly subagent: string;
  readonly status: RunEnd | Exclude<ChildPhase, "ended">;
  readonly depth: number;
  /** What it has used up, once it has ended. */
  readonly spent?: Spent;
};

export function resultOf(run: Run): RunResult {
  const { opening, shape, end, content, spending, activeMs } = run;
  const { runId, sessionId } = opening;
  const output = end?.output && textOf(content.get(end.output.ref));
  const state = shape.state as RunState;
  const ends = openEnds(run);
  return {
    runId,
    ...(sessionId !== undefined && { sessionId }),
    status: state === "waiting" ? restOf(ends) : state,
    ...(output !== undefined && { output: readPayload(output) }),
    ...(end?.error && {
      error: { code: end.error.code, message: wordsOf(content.get(end.error.message.ref)) },
    }),
    spent: end?.spent ?? { ...spending.total, wallMs: activeMs },
    spentOn: end?.spentOn ?? spending.on,
    steps: stepsOf(run),
    ...ends,
    ...(shape.isAsking && run.asked && { asks: run.asked }),
    children: [...run.children.values()].map((child) => childResult(run, child)),
  };
}

/** A child may wait for somebody to say what became of an effect, where nobody is asked about anything. */
function restOf({ approvals, unknown }: Pick<RunResult, "approvals" | "unknown">): RunResult["status"] {
  return approvals.length === 0 && unknown.length > 0 ? "recovery_needed" : "requires_approval";
}

function childResult({ shape }: Run, { childRunId, started, ended }: Child): ChildResult {
  const phase = shape.children.get(childRunId)?.phase ?? "running";
  return {
    runId: childRunId,
    subagent: started.subagent,
    status: ended?.status ?? (phase as Exclude<ChildPhase, "ended">),
    depth: started.depth.currentDepth,
    ...(ended && { spent: ended.spent }),
  };
}

function wordsOf(row: ContentRow | undefined): string {
  return textOf(row) ?? "(erased)";
}

/** Its own, and those of its children. */
function openEnds({ calls, shape, children }: Run): Pick<RunResult, "approvals" | "unknown"> {
  const approvals: ApprovalOfCall[] = [];
  const unknown: EffectId[] = [];
  for (const { callId, opening, status } of calls.values()) {
    if (opening.kind === "call.waiting" && shape.calls.get(callId) === "waiting")
      approvals.push(opening.approval);
    if (opening.kind === "call.intended" && status === "unknown") unknown.push(opening.effectId);
  }
  for (const child of children.values()) {
    approvals.push(...child.approvals);
    unknown.push(...child.unknown);
  }
  return { approvals, unknown };
}
