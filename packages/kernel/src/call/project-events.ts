// Events are projected from records once they are committed: what a watcher sees is what is kept.
import {
  type AgentEvent,
  type ContentRow,
  cutText,
  type JournalRecord,
  readCanonicalJson,
} from "@spfunctions/contracts";
import type { Opening } from "../journal/fold-calls.ts";
import type { SealedRecord } from "../store/store.ts";
import type { Watch } from "./call-in-progress.ts";
import { emit } from "./emit.ts";
import { waitsElsewhere } from "./run-once.ts";

/** An event without its place. */
type Part = AgentEvent extends infer Event
  ? Event extends { seq: number }
    ? Omit<Event, "runId" | "ts" | "seq" | "index">
    : never
  : never;

/**
 * What an event shows of an output.
 * @limit events.summaryChars | it is cut; the record has the whole | fixed: it is there to be recognised
 */
const maxSummaryChars = 200;

/** Shows a committed record to whoever watches. A watcher that throws stops nothing (B24). */
export function emitRecord(
  watch: Watch | undefined,
  { text, content }: SealedRecord,
  opening: Opening | undefined,
): void {
  if (watch === undefined) return;
  for (const event of projectEvents(readCanonicalJson(text) as JournalRecord, content, opening))
    emit(watch, event);
}

/** The events of one record, in order. `opening` is the record that opened the call, where this one did not. */
export function projectEvents(
  record: JournalRecord,
  content: readonly ContentRow[],
  opening: Opening | undefined,
): AgentEvent[] {
  if (!("runId" in record)) return [];
  const { runId, seq, ts } = record;
  return partsOf(record, content, opening).map((part, index) => ({ ...part, runId, seq, index, ts }));
}

function partsOf(
  record: JournalRecord,
  content: readonly ContentRow[],
  opening: Opening | undefined,
): Part[] {
  switch (record.kind) {
    case "call.refused":
      return [
        ...begunOrGoneOn(record),
        ...(record.approval?.status === "pending" ? requiredOf(record, content) : []),
        { type: "run.failed", error: failureOf(record.error, content) },
      ];
    case "call.waiting":
      // What was sent was shown to begin.
      return [
        ...(record.approval.elsewhere === undefined ? begun(record) : []),
        ...requiredOf(record, content),
      ];
    case "call.repeated":
      return [...begunOrGoneOn(record), endOf(record.error, content)];
    case "call.intended":
      return [...begunOrGoneOn(record), { type: "tool.started", ...callOf(record) }];
    case "call.read":
      return [
        ...begun(record),
        { type: "tool.started", ...callOf(record) },
        ...ended(record, record, content),
      ];
    case "call.settled":
      return opening === undefined ? [] : ended(record, opening, content);
    case "call.released":
      return [{ type: "run.completed" }];
    case "call.withheld":
      return [{ type: "run.failed", error: failureOf(record.error, content) }];
    default:
      return [];
  }
}

function endOf(error: Failure | undefined, content: readonly ContentRow[]): Part {
  return error === undefined
    ? { type: "run.completed" }
    : { type: "run.failed", error: failureOf(error, content) };
}

type Asked = Extract<Opening, { kind: "call.refused" | "call.waiting" | "call.intended" | "call.repeated" }>;

/** Of a call that has waited the beginning was shown, and what was decided then. */
function begunOrGoneOn(record: Exclude<Asked, { kind: "call.waiting" }>): Part[] {
  if (record.waited !== true) return begun(record);
  const isDecidedAnew = record.verdict.outcome !== "ask";
  return [...resolvedOf(record), ...(isDecidedAnew ? [checkedOf(record)] : [])];
}

function requiredOf(record: Asked, content: readonly ContentRow[]): Part[] {
  const { approval, verdict } = record;
  if (approval === undefined) return [];
  const { approvalId, expiresAt, elsewhere } = approval;
  const said = "note" in record ? textOf(content, record.note?.ref) : "";
  const own = said === "" ? verdict.reason : said;
  const reason = elsewhere === undefined ? own : "a person must approve it where it runs";
  return [{ type: "approval.required", ...callOf(record), approvalId, reason, expiresAt }];
}

function resolvedOf(record: Asked): Part[] {
  const { approval } = record;
  if (approval === undefined) return [];
  const { approvalId, status } = approval;
  return [
    {
      type: "approval.resolved",
      ...callOf(record),
      approvalId,
      status: status === "used" ? "approved" : status,
    },
  ];
}

function begun(record: Opening): Part[] {
  const started: Part = { type: "run.started", traceId: record.traceId };
  const checked = checkedOf(record);
  return record.toolDigest === undefined
    ? [started, checked]
    : [started, { type: "tool.resolved", ...callOf(record) }, checked];
}

function checkedOf(record: Opening): Part {
  const { callId, tool, toolDigest, sideEffect, costEffect, verdict } = record;
  return {
    type: "policy.checked",
    callId,
    tool,
    ...(toolDigest === undefined ? {} : { toolDigest }),
    ...(sideEffect === undefined ? {} : { sideEffect }),
    ...(costEffect === undefined ? {} : { costEffect }),
    verdict,
  };
}

type Ended = Extract<JournalRecord, { kind: "call.settled" | "call.read" }>;

function ended(
  { status, durationMs, error, held, output }: Ended,
  opening: Opening,
  content: readonly ContentRow[],
): Part[] {
  if (error !== undefined) {
    const failure = failureOf(error, content);
    const failed: Part = { type: "tool.failed", ...callOf(opening), durationMs, error: failure };
    // A call that waits for what is answered elsewhere is not over.
    const isOver = status !== "denied_before_execution" || error.reason !== waitsElsewhere;
    return isOver ? [failed, { type: "run.failed", error: failure }] : [failed];
  }
  // What is held is not summed up either.
  const outputSummary = held === true ? "" : cutText(textOf(content, output?.ref), maxSummaryChars);
  const completed: Part = { type: "tool.completed", ...callOf(opening), durationMs, outputSummary };
  return held === true ? [completed] : [completed, { type: "run.completed" }];
}

function callOf({ callId, tool, toolDigest, sideEffect, costEffect }: Opening) {
  return { callId, tool, toolDigest, sideEffect, costEffect } as Pick<
    Extract<AgentEvent, { type: "tool.resolved" }>,
    "callId" | "tool" | "toolDigest" | "sideEffect" | "costEffect"
  >;
}

type Failure = Extract<JournalRecord, { kind: "call.refused" }>["error"];

function failureOf({ code, message, reason }: Failure, content: readonly ContentRow[]) {
  return { code, message: textOf(content, message.ref), ...(reason !== undefined && { reason }) };
}

function textOf(content: readonly ContentRow[], ref: string | undefined): string {
  const row = content.find((one) => one.ref === ref);
  return row !== undefined && "text" in row ? row.text : "";
}
