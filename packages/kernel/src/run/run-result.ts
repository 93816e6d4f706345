import type {
  ApprovalOfCall,
  ContentRow,
  EffectId,
  ErrorCode,
  JsonValue,
  RuntimeStep,
  Spent,
  SpentOn,
} from "@spfunctions/contracts";
import { readPayload } from "../journal/read-payload.ts";
import { textOf } from "../replay/recorded-answer.ts";
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
};

export function resultOf(run: Run): RunResult {
  const { opening, shape, end, content, spending, activeMs } = run;
  const { runId, sessionId } = opening;
  const output = end?.output && textOf(content.get(end.output.ref));
  const state = shape.state as RunState;
  return {
    runId,
    ...(sessionId !== undefined && { sessionId }),
    status: state === "waiting" ? "requires_approval" : state,
    ...(output !== undefined && { output: readPayload(output) }),
    ...(end?.error && {
      error: { code: end.error.code, message: wordsOf(content.get(end.error.message.ref)) },
    }),
    spent: end?.spent ?? { ...spending.total, wallMs: activeMs },
    spentOn: end?.spentOn ?? spending.on,
    steps: stepsOf(run),
    ...openEnds(run),
  };
}

function wordsOf(row: ContentRow | undefined): string {
  return textOf(row) ?? "(erased)";
}

function openEnds({ calls, shape }: Run): Pick<RunResult, "approvals" | "unknown"> {
  const approvals: ApprovalOfCall[] = [];
  const unknown: EffectId[] = [];
  for (const { callId, opening, status } of calls.values()) {
    if (opening.kind === "call.waiting" && shape.calls.get(callId) === "waiting")
      approvals.push(opening.approval);
    if (opening.kind === "call.intended" && status === "unknown") unknown.push(opening.effectId);
  }
  return { approvals, unknown };
}
