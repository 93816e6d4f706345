// What a run is doing, by the records alone: enough to know its state before a record is sealed, so that the list of runs changes
// in the same commit.
import {
  type CallId,
  InvalidTransitionError,
  type JournalRecordKind,
  type RunEnd,
  type ToolExecutionStrategy,
} from "@spfunctions/contracts";
import { waitsElsewhere } from "../call/waits-elsewhere.ts";
import { type CallPhase, canFollow, phaseTransitions, type RunState } from "./run-states.ts";

export type RunShape = {
  readonly state: RunState | "none";
  readonly strategy: ToolExecutionStrategy["type"];
  /** Which step a model was last asked for, and whether it is being asked. */
  readonly steps: number;
  readonly isModelling: boolean;
  /** Whether what a model is shown was condensed, and it was not asked since. */
  readonly isCompacting: boolean;
  /** Whether it was told to stop: from then on it ends in one way only. */
  readonly isCancelling: boolean;
  /** The calls of the last answer. */
  readonly calls: ReadonlyMap<CallId, CallPhase>;
  readonly end?: RunEnd;
};

/** Before there is a run. */
export const noShape: RunShape = {
  state: "none",
  strategy: "sequential",
  steps: 0,
  isModelling: false,
  isCompacting: false,
  isCancelling: false,
  calls: new Map(),
};

/** A record, or one that is not sealed yet. */
export type Said = { readonly kind: JournalRecordKind; readonly body: Readonly<Record<string, unknown>> };

/** The shape with one more record. One that cannot follow was not written by us. */
export function shapeAfter(shape: RunShape, said: Said): RunShape {
  const phase = shape.calls.get(said.body["callId"] as CallId);
  const from = phaseTransitions[said.kind];
  if (from !== undefined && (phase === undefined || !from.includes(phase)))
    throw impossible(said.kind, `for a call that is ${phase ?? "not proposed"}`);
  if (said.kind === "run.ended" && shape.isCancelling !== (said.body["status"] === "cancelled"))
    throw impossible(
      said.kind,
      `as ${String(said.body["status"])}: it ends so if, and only if, it was told to stop`,
    );
  const next = take(shape, said);
  const state = stateOf(next);
  if (!canFollow(shape.state, said.kind, state))
    throw impossible(said.kind, `in a run that is ${shape.state}, and lead to ${state}`);
  return { ...next, state };
}

function impossible(kind: JournalRecordKind, where: string): InvalidTransitionError {
  return new InvalidTransitionError(`${kind} cannot follow ${where}`, {
    details: { reason: "impossible_record" },
  });
}

function take(shape: RunShape, { kind, body }: Said): RunShape {
  switch (kind) {
    case "run.opened":
      return { ...shape, strategy: (body["strategy"] as ToolExecutionStrategy).type };
    case "context.condensed":
      return { ...shape, isCompacting: true };
    case "model.intended":
      return { ...shape, isModelling: true, isCompacting: false, steps: body["step"] as number };
    case "model.settled": {
      const proposed = body["calls"] as readonly { readonly callId: CallId }[];
      const calls = new Map(proposed.map(({ callId }) => [callId, "proposed"] as const));
      return { ...shape, isModelling: false, calls };
    }
    case "run.cancelling":
      return { ...shape, isCancelling: true };
    case "run.ended":
      return { ...shape, end: body["status"] as RunEnd };
    default: {
      const phase = phaseAfter(kind, body);
      if (phase === undefined) return shape;
      return { ...shape, calls: new Map(shape.calls).set(body["callId"] as CallId, phase) };
    }
  }
}

function phaseAfter(kind: JournalRecordKind, body: Said["body"]): CallPhase | undefined {
  const { held, status } = body;
  switch (kind) {
    case "call.waiting":
      return "waiting";
    case "call.intended":
      return "running";
    case "call.settled":
      if (status === "unknown") return "unknown";
      if (isSentBack(body)) return "proposed";
      return held === true ? "running" : "ended";
    // A read changes nothing: where its tool does not know, there is nothing to find out.
    case "call.read":
      if (isSentBack(body)) return "proposed";
      return held === true ? "running" : "ended";
    case "call.refused":
    case "call.released":
    case "call.withheld":
    case "call.resolved":
      return "ended";
    default:
      return undefined;
  }
}

/** Whether a call that was sent has not begun, because a person is asked about it where its tool runs: it waits from here on. */
function isSentBack({ status, error }: Readonly<Record<string, unknown>>): boolean {
  const { reason } = (error ?? {}) as { readonly reason?: string };
  return status === "denied_before_execution" && reason === waitsElsewhere;
}

/** What a run is doing: what stands in its way comes last. */
function stateOf({ end, isModelling, isCompacting, calls, strategy, steps }: RunShape): RunState {
  if (end !== undefined) return end;
  if (isModelling) return "modelling";
  if (isCompacting) return "compacting";
  const phases = new Set(calls.values());
  if (phases.has("running")) return "calling";
  if (phases.has("unknown")) return "recovery_needed";
  // One after the other, nothing begins behind what waits.
  if (phases.has("waiting") && (strategy === "sequential" || !phases.has("proposed"))) return "waiting";
  if (phases.has("proposed")) return "calling";
  return steps === 0 ? "starting" : "assembling";
}
