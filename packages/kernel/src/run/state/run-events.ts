// Events are projected from a run's records: what a watcher sees is what is kept, from any place on, as often as wanted.
import {
  type ContentRow,
  InvalidInputError,
  type JournalRecord,
  type RunId,
  type RuntimeEvent,
  type StepId,
} from "@spfunctions/contracts";
import { projectEvents } from "../../call/project-events.ts";
import { textOf } from "../../replay/recorded-answer.ts";
import type { ChildRecord } from "../../subagent/fold-child.ts";
import type { Run } from "./fold-run.ts";

type Part = RuntimeEvent extends infer Event
  ? Event extends { seq: number }
    ? Omit<Event, "runId" | "ts" | "seq" | "index">
    : never
  : never;

/** The events of one record of a run, which `run` has folded. */
export function runEvents(run: Run, record: JournalRecord, content: readonly ContentRow[]): RuntimeEvent[] {
  const { runId } = run.opening;
  const { seq, ts } = record;
  const parts = partsIn(run, record, content);
  return parts.map((part, index) => ({ ...part, runId, seq, index, ts }));
}

function partsIn(run: Run, record: JournalRecord, content: readonly ContentRow[]): Part[] {
  if ("callId" in record) return callParts(run, record, content);
  return "childRunId" in record ? childParts(run, record, content) : partsOf(record, content);
}

function childParts(run: Run, record: ChildRecord, content: readonly ContentRow[]): Part[] {
  const { childRunId } = record;
  const subagent = run.children.get(childRunId)?.started.subagent ?? "";
  const child = { childRunId, subagent };
  switch (record.kind) {
    case "subagent.started": {
      const { mode, call, handoff } = record;
      const started = { type: "subagent.started", ...child, mode, ...(call && { callId: call }) } as const;
      return [started, { type: "subagent.handoff", ...child, handoff }];
    }
    case "subagent.message": {
      const { messageId, type, output } = record;
      const direction = type === "clarification" ? "to_parent" : "to_child";
      return [{ type: record.kind, ...child, messageId, direction, text: textIn(content, output.ref) }];
    }
    case "subagent.rested": {
      const approvals = record.approvals.map(({ approvalId }) => approvalId);
      return [{ type: record.kind, ...child, approvals, unknownEffects: record.unknown }];
    }
    case "subagent.woken":
    case "subagent.detached":
    case "subagent.reclaimed":
      return [{ type: record.kind, ...child }];
    case "subagent.ended":
      return [childEnd(record, child, content)];
    default:
      return [];
  }
}

function childEnd(
  { status, spent, error }: Extract<ChildRecord, { kind: "subagent.ended" }>,
  child: { readonly childRunId: RunId; readonly subagent: string },
  content: readonly ContentRow[],
): Part {
  if (status === "completed") return { type: "subagent.completed", ...child, usage: spent };
  if (status === "cancelled") return { type: "subagent.cancelled", ...child };
  return { type: "subagent.failed", ...child, error: failureIn(error, content) };
}

/** Those of a call, without the frame that a call of its own has, and with the step that it is of. */
function callParts(
  run: Run,
  record: Extract<JournalRecord, { callId: unknown }>,
  content: readonly ContentRow[],
): Part[] {
  const opening = run.calls.get(record.callId)?.opening;
  const stepId = stepOf(run, record.callId);
  return projectEvents(record, content, opening)
    .filter(({ type }) => !type.startsWith("run."))
    .map((event) => ({ ...event, ...(stepId && { stepId }) }) as Part);
}

function stepOf({ steps }: Run, callId: string): StepId | undefined {
  return steps.findLast(({ calls }) => calls.some((one) => one.callId === callId))?.stepId;
}

function partsOf(record: JournalRecord, content: readonly ContentRow[]): Part[] {
  switch (record.kind) {
    case "run.opened":
      return [{ type: "runtime.started", ...(record.sessionId && { sessionId: record.sessionId }) }];
    case "context.condensed":
      return [{ type: "context.condensed", stepId: record.stepId }];
    case "model.intended":
      return [{ type: "model.started", stepId: record.stepId }];
    case "model.settled":
      return [record.status === "completed" ? answeredPart(record) : discardedPart(record, content)];
    case "run.ended":
      return [endPart(record, content)];
    default:
      return [];
  }
}

type Settled = Extract<JournalRecord, { kind: "model.settled" }>;

function answeredPart({ stepId, spent: usage }: Settled): Part {
  return { type: "model.completed", stepId, usage };
}

function discardedPart({ stepId, attempt, error }: Settled, content: readonly ContentRow[]): Part {
  const type = "model.attempt.discarded";
  return { type, stepId, attempt, ...(error && { error: failureIn(error, content) }) };
}

function endPart(
  { status, error }: Extract<JournalRecord, { kind: "run.ended" }>,
  content: readonly ContentRow[],
): Part {
  if (status === "completed") return { type: "runtime.completed" };
  if (status === "cancelled") return { type: "runtime.cancelled" };
  return { type: "runtime.failed", error: failureIn(error, content) };
}

function failureIn(
  error: Extract<JournalRecord, { kind: "run.ended" }>["error"],
  content: readonly ContentRow[],
) {
  const { code = "internal", reason } = error ?? {};
  return { code, message: textIn(content, error?.message.ref), ...(reason !== undefined && { reason }) };
}

function textIn(content: readonly ContentRow[], wanted: string | undefined): string {
  return textOf(content.find(({ ref }) => ref === wanted)) ?? "";
}

/** A place in a run's events. */
export type EventPlace = { readonly seq: number; readonly index: number };

export function runCursor({ runId, seq, index }: EventPlace & { readonly runId: string }): string {
  return `${runId}:${seq}.${index}`;
}

/** Of this run and of no other: a cursor is never widened or narrowed. */
export function readRunCursor(runId: RunId, cursor: string): EventPlace {
  const [, of, seq, index] = /^(run_[0-9A-Za-z-]{8,64}):(\d{1,15})\.(\d{1,6})$/.exec(cursor) ?? [];
  if (of === runId) return { seq: Number(seq), index: Number(index) };
  if (of === undefined) throw unknownCursor(runId);
  throw new InvalidInputError(
    "this cursor is of another run's events; give one of this run, or none to begin with its first",
    {
      details: { path: "/cursor", reason: "other_run" },
    },
  );
}

export function unknownCursor(runId: RunId): InvalidInputError {
  return new InvalidInputError(
    `this is no cursor of an event of ${runId}; leave it out to begin at the first`,
    {
      details: { path: "/cursor", reason: "no_cursor" },
    },
  );
}

/** Whether an event comes after a place. */
export function isAfter(event: RuntimeEvent, place: EventPlace | undefined): boolean {
  if (place === undefined || !("seq" in event)) return true;
  return event.seq > place.seq || (event.seq === place.seq && event.index > place.index);
}
