// What a run is doing, by the records alone: enough to know its state before a record is sealed, so that the list of runs changes
// in the same commit.
import {
  type CallId,
  type DepthBudget,
  InvalidTransitionError,
  type JournalRecordKind,
  type RunEnd,
  type RunId,
  type ToolExecutionStrategy,
} from "@spfunctions/contracts";
import { waitsElsewhere } from "../../call/run-once.ts";
import {
  type ChildShape,
  type ChildShapes,
  childrenAfter,
  isAttached,
  isAwaited,
  isChildRecord,
} from "../../subagent/child-states.ts";
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
  /** Whether its model has said its last word, and was told nothing since. */
  readonly hasSaid: boolean;
  /** Whether it was told something while its model was asked, which that has not seen. */
  readonly isTold: boolean;
  /** Whether it has asked its parent, and was told nothing since. */
  readonly isAsking: boolean;
  readonly depth: DepthBudget | undefined;
  readonly children: ChildShapes;
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
  hasSaid: false,
  isTold: false,
  isAsking: false,
  depth: undefined,
  children: new Map(),
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
  if (said.kind === "run.ended" && hasAttached(shape))
    throw impossible(said.kind, "before its children have ended, or go on without it");
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
  if (isChildRecord(kind)) return takeChild(shape, { kind, body });
  switch (kind) {
    case "run.opened": {
      const { type: strategy } = body["strategy"] as ToolExecutionStrategy;
      return { ...shape, strategy, depth: body["depth"] as DepthBudget | undefined };
    }
    case "context.condensed":
      return { ...shape, isCompacting: true };
    case "model.intended":
      return {
        ...shape,
        isModelling: true,
        isCompacting: false,
        hasSaid: false,
        // What it was told in the midst of an attempt comes after this step, also where that attempt came to nothing.
        isTold: shape.isTold && body["step"] === shape.steps,
        steps: body["step"] as number,
      };
    case "model.settled": {
      const proposed = body["calls"] as readonly { readonly callId: CallId }[];
      const calls = new Map(proposed.map(({ callId }) => [callId, "proposed"] as const));
      const hasSaid = body["status"] === "completed" && calls.size === 0 && !shape.isTold;
      return { ...shape, isModelling: false, calls, hasSaid };
    }
    case "run.asked":
      if (!shape.hasSaid || awaitedOf(shape).length > 0)
        throw impossible(kind, "before its model's last word, or while that waits for children");
      return { ...shape, isAsking: true };
    case "run.told":
      return tell(shape);
    case "run.owned":
      // It has nobody to ask any more.
      return body["owner"] === "host" ? { ...shape, isAsking: false } : shape;
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

/** What it is told counts with its model's next turn. */
function tell(shape: RunShape): RunShape {
  return { ...shape, isAsking: false, hasSaid: false, isTold: shape.isTold || shape.isModelling };
}

function takeChild(shape: RunShape, said: Parameters<typeof childrenAfter>[1]): RunShape {
  const next = { ...shape, children: childrenAfter(shape.children, said, shape.depth) };
  return isTellingParent(shape, said) ? tell(next) : next;
}

/** What is not told to a call that waits is told to the model; not what its own run has told to stop. */
export function isTellingParent(shape: RunShape, { kind, body }: Said): boolean {
  const childRunId = body["childRunId"] as RunId;
  if (isWaitedFor(shape, childRunId)) return false;
  if (kind === "subagent.ended") return shape.children.get(childRunId)?.isCancelling === false;
  return kind === "subagent.message" && body["type"] === "clarification";
}

/** Whether a call of its waits for a child. */
export function isWaitedFor({ children, calls }: RunShape, childRunId: RunId): boolean {
  const call = children.get(childRunId)?.call;
  return call !== undefined && calls.get(call) === "running";
}

/** Whether it has children that it does not end before. */
export function hasAttached({ children }: RunShape): boolean {
  return [...children.values()].some(isAttached);
}

/** The children that its last word waits for. */
export function awaitedOf({ children }: RunShape): readonly ChildShape[] {
  return [...children.values()].filter(isAwaited);
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
function stateOf(shape: RunShape): RunState {
  const { end, isModelling, isCompacting, isAsking, hasSaid, strategy, steps } = shape;
  if (end !== undefined) return end;
  if (isModelling) return "modelling";
  if (isCompacting) return "compacting";
  const phases = callPhases(shape);
  if (phases.has("running")) return "calling";
  if (phases.has("unknown")) return "recovery_needed";
  // One after the other, nothing begins behind what waits.
  if (phases.has("waiting") && (strategy === "sequential" || !phases.has("proposed"))) return "waiting";
  if (phases.has("proposed")) return "calling";
  if (isAsking) return "waiting";
  return (hasSaid && childrenState(shape)) || (steps === 0 ? "starting" : "assembling");
}

/** A call whose child rests waits for a person as one does that was asked about itself. */
function callPhases({ calls, children }: RunShape): Set<CallPhase> {
  if (children.size === 0) return new Set(calls.values());
  const resting = new Set(
    [...children.values()].flatMap(({ phase, call }) => (phase === "resting" ? call : [])),
  );
  return new Set(
    [...calls].map(([id, phase]) => (phase === "running" && resting.has(id) ? "waiting" : phase)),
  );
}

/** After its last word a run waits for its children. */
function childrenState(shape: RunShape): RunState | undefined {
  const awaited = awaitedOf(shape);
  if (awaited.length === 0) return undefined;
  return awaited.every(({ phase }) => phase === "resting") ? "waiting" : "calling";
}
