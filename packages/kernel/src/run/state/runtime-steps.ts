// What a run has done, as a person follows it: each model turn, each call, each question, from its records alone.
import type { CallId, JournalRecord, RunEnd, RuntimeStep, StepId } from "@spfunctions/contracts";
import type { CallState, CallStatus } from "../../journal/fold-calls.ts";
import type { Run } from "./fold-run.ts";
import { wordsIn } from "../../subagent/fold-child.ts";
import type { CallResult, ProposedCall, RunStep, Why } from "./run-step.ts";

type Move = Omit<RuntimeStep, "runId">;

/** Steps of calls are named by their call, so that each is found in the journal. */
export function stepsOf(run: Run): RuntimeStep[] {
  const { runId, traceId } = run.opening;
  const moves = [
    ...run.steps.flatMap((step) => movesOf(step, run)),
    ...askedNow(run),
    ...handoffs(run, undefined),
  ];
  return moves.map((move) => ({ ...move, runId, ...(move.type === "tool" && { traceId }) }));
}

/** A child is a step of its parent's from when it starts until it ends: behind the call that has started it, where one has. */
function handoffs({ children }: Run, call: CallId | undefined): Move[] {
  const own = [...children.values()].filter(({ started }) => started.call === call);
  return own.map(({ childRunId, started, ended, failedBy, unknown }) => ({
    stepId: childRunId.replace(/^run_/, "step_") as StepId,
    type: "handoff",
    status: ended === undefined ? "started" : handoffEnds[ended.status],
    tool: started.subagent,
    startedAt: started.ts,
    ...(ended && { completedAt: ended.ts }),
    ...(ended === undefined && unknown.length > 0 && inDoubt(`an effect of ${started.subagent}`)),
    ...(ended?.error && { code: ended.error.code, reason: failedBy ?? "" }),
  }));
}

const handoffEnds = {
  completed: "completed",
  blocked: "blocked",
  failed: "failed",
  cancelled: "failed",
} as const satisfies Record<RunEnd, Move["status"]>;

function movesOf({ stepId, startedAt, endedAt, calls, results }: RunStep, run: Run): Move[] {
  const answered: Move = { stepId, type: "model", status: "completed", startedAt, completedAt: endedAt };
  return [
    answered,
    ...calls.flatMap((call) => [...callMoves(call, results, run), ...handoffs(run, call.callId)]),
  ];
}

function callMoves(call: ProposedCall, results: readonly CallResult[], run: Run): Move[] {
  const { calls, shape } = run;
  const result = results.find(({ callId }) => callId === call.callId);
  const stepId = call.callId.replace(/^call_/, "step_") as StepId;
  const tool = call.name;
  if (result !== undefined) {
    const { status, askedAt, startedAt, endedAt, why } = result;
    const asked = askedAt === undefined ? [] : [question(stepId, tool, askedAt, answerOf(result), startedAt)];
    // What a person has denied has not begun.
    if (askedAt !== undefined && status === "refused") return asked.map((one) => ({ ...one, ...why }));
    const ended = { status: endOf(status), completedAt: endedAt, ...why };
    return [...asked, { stepId, type: "tool", tool, startedAt, ...ended }];
  }
  const begun = calls.get(call.callId);
  if (begun === undefined || shape.calls.get(call.callId) === "proposed") return [];
  return openMoves(stepId, tool, begun, run);
}

function openMoves(
  stepId: StepId,
  tool: string,
  { status, opening, askedAt, ending }: CallState,
  { content }: Run,
): Move[] {
  const { ts: startedAt } = opening;
  if (status === "waiting") return [question(stepId, tool, askedAt ?? startedAt, "started")];
  const asked = askedAt === undefined ? [] : [question(stepId, tool, askedAt, "completed", startedAt)];
  const move = { stepId, type: "tool", tool, startedAt } as const;
  if (status !== "unknown") return [...asked, { ...move, status: "started" }];
  // Whether the attempt failed, and how, says nothing about what became of its effect.
  return [...asked, { ...move, status: "blocked", ...inDoubt(tool, whyIn(ending?.error, content).reason) }];
}

/** Why a run waits for a person to say what became of an effect. */
function inDoubt(of: string, problem?: string): Why {
  const reason = `nobody knows what became of ${of}${problem === undefined ? "" : ` (${problem})`}; find it out, and resolve the effect`;
  return { code: "recovery_needed", reason };
}

function question(
  call: StepId,
  tool: string,
  startedAt: string,
  status: Move["status"],
  completedAt?: string,
): Move {
  const stepId = `${call}-approval` as StepId;
  return {
    stepId,
    type: "approval",
    status,
    tool,
    startedAt,
    ...(completedAt !== undefined && { completedAt }),
  };
}

function answerOf({ status }: CallResult): Move["status"] {
  return status === "refused" ? "blocked" : "completed";
}

function endOf(status: CallStatus): Move["status"] {
  if (status === "completed") return "completed";
  return status === "refused" || status === "denied_before_execution" ? "blocked" : "failed";
}

/** The model's turn that is under way, or that came to nothing. */
function askedNow({ attempt, steps, shape, failures, lastFailure, content, end, lastTs }: Run): Move[] {
  if (attempt === undefined || steps.at(-1)?.stepId === attempt.stepId) return [];
  const { stepId, ts: startedAt } = attempt;
  if (shape.isModelling) return [{ stepId, type: "model", status: "started", startedAt }];
  const isFailed = failures > 0 || end !== undefined;
  const why = whyIn(lastFailure?.error ?? end?.error, content);
  const status = isFailed ? "failed" : "started";
  return [{ stepId, type: "model", status, startedAt, completedAt: lastTs, ...why }];
}

function whyIn(
  error: Extract<JournalRecord, { kind: "run.ended" }>["error"],
  content: Run["content"],
): Partial<Why> {
  return error === undefined ? {} : { code: error.code, reason: wordsIn(content, error.message) };
}
