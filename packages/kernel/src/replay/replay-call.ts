import {
  ApprovalRequiredError,
  type ContentRow,
  type JournalRecord,
  type JournalRecordKind,
  RecoveryNeededError,
} from "@spfunctions/contracts";
import type { CallHost, CallOutcome } from "../call/call-host.ts";
import type { Allowed } from "../call/call-in-progress.ts";
import { failureContent } from "../call/conclude.ts";
import { emitRecord } from "../call/project-events.ts";
import type { Opening } from "../journal/fold-calls.ts";
import { draftRecord, type RecordBody, type RecordDraft } from "../journal/record-draft.ts";
import { contentDigestsIn } from "../journal/verify-stream.ts";
import { nameCall, uniqueOf } from "../time/ids.ts";
import {
  type ContentOf,
  type RecordedAnswer,
  recordedAnswer,
  recordedReceipt,
  rethrown,
} from "./recorded-answer.ts";
import type { RecordedCall, ReplayHit } from "./replay.ts";

/** Answers a call from a trace, and records it with the ids, times and payloads that the trace has (R2); a call of a run is named by its run. */
export async function replayCall(
  host: CallHost,
  call: Allowed,
  { recorded, matchedBy }: ReplayHit,
): Promise<CallOutcome> {
  const answer = answerOf(recorded);
  const { contract } = call.tool;
  const { records } = await host.journal.append(
    { durability: "process", records: draftsOf(host, call, recorded) },
    contract,
  );
  for (const record of records) emitRecord(call.watch, record, recorded.call.opening);
  if (answer.type === "failed") return answer;
  const { toolDigest } = recorded.call.opening;
  const changed =
    toolDigest === undefined || toolDigest === contract.digest ? {} : { recordedToolDigest: toolDigest };
  return { type: "completed", result: { ...answer.result, matchedBy, ...changed } };
}

/** What a call was answered with: its own refusal, where the answer of another was withheld from it. */
function answerOf({ call, answer, contentOf }: RecordedCall): RecordedAnswer {
  const { opening } = call;
  const given = recordedAnswer(answer, contentOf);
  if (opening.kind !== "call.repeated" || opening.error === undefined || given.type === "failed")
    return given;
  const error = rethrown(opening.error, contentOf, { tool: opening.tool });
  return { type: "failed", error, receipt: recordedReceipt(call, contentOf) };
}

function draftsOf(host: CallHost, call: Allowed, recorded: RecordedCall): RecordDraft[] {
  if (!isOfRun(call)) return recordedDrafts(host, call, recorded);
  // A run knows no keys of its caller's: there an answer that was given again is one like any other.
  const { names } = call;
  return recordedDrafts(host, call, { ...recorded, call: recorded.answer }).map(({ body, ...draft }) => ({
    ...draft,
    body: { ...body, ...Object.fromEntries(Object.entries(names).filter(([name]) => name in body)) },
  }));
}

/** Whether it has its place in a run, by which the run knows it. */
function isOfRun({ names, unique }: Allowed): boolean {
  return names.runId !== nameCall(unique).runId;
}

function recordedDrafts(
  host: CallHost,
  { opening: present }: Allowed,
  { call, contentOf }: RecordedCall,
): RecordDraft[] {
  const { principal, origin, verdict, packageFingerprint, toolDigest } = present;
  // Nobody waits in a replay.
  const now = {
    principal,
    origin,
    verdict,
    packageFingerprint,
    toolDigest,
    waited: undefined,
    replayed: true as const,
  };
  const draft = (record: JournalRecord, changes: object = {}): RecordDraft => {
    const { v: _v, seq: _seq, prev: _prev, ts: _ts, kind, ...body } = record;
    const content = contentDigestsIn(record).map((digest) => contentOf(digest) as ContentRow);
    return draftRecord<JournalRecordKind>(kind, { ...body, ...changes }, { content });
  };
  const { opening, ending, withheld, output, late, resolved } = call;
  const { runId, callId } = opening;
  if (opening.kind === "call.waiting") return [neverAnswered(host, opening, now, contentOf)];
  const drafts = [draft(opening, now)];
  if (ending !== undefined && ending.kind !== opening.kind) drafts.push(draft(ending));
  if (opening.kind === "call.intended" && ending === undefined) drafts.push(unknownEnd(host, opening));
  if (output === "released") drafts.push(draftRecord("call.released", { runId, callId }));
  if (output === "held") drafts.push(neverReleased(host, opening));
  for (const more of [withheld, late, resolved]) if (more !== undefined) drafts.push(draft(more));
  return drafts;
}

/** R1: the trace ends before anybody had answered. What is replayed waits for nobody, and never goes on. */
function neverAnswered(
  host: CallHost,
  opening: Extract<Opening, { kind: "call.waiting" }>,
  now: Partial<RecordBody<"call.refused">>,
  contentOf: ContentOf,
): RecordDraft {
  const { runId, callId, traceId, tool, sideEffect, costEffect, input, approval, note } = opening;
  const error = new ApprovalRequiredError(`${tool}: the trace does not say whether this call was approved`);
  const failure = failureContent(host, uniqueOf(opening), error);
  const recorded = {
    runId,
    callId,
    traceId,
    tool,
    sideEffect,
    costEffect,
    input,
    approval,
    ...(note && { note }),
  };
  const rows = [contentOf(input), failure.row, contentOf(note)].filter((row) => row !== undefined);
  return draftRecord("call.refused", { ...recorded, ...now, error: failure.body }, { content: rows });
}

/** The trace ends before anybody decided about the output, and so nobody gets it. */
function neverReleased(host: CallHost, opening: Opening): RecordDraft {
  const { runId, callId, tool } = opening;
  const error = new RecoveryNeededError(`${tool}: the trace does not say whether this output was released`);
  const failure = failureContent(host, `${uniqueOf(opening)}-post`, error);
  return draftRecord("call.withheld", { runId, callId, error: failure.body }, { content: [failure.row] });
}

/** The trace ends before the call did. */
function unknownEnd(host: CallHost, opening: Extract<JournalRecord, { kind: "call.intended" }>): RecordDraft {
  const { runId, callId, effectId, tool } = opening;
  const error = new RecoveryNeededError(`${tool}: the trace does not say how this call ended`);
  const failure = failureContent(host, uniqueOf(opening), error);
  const body = { status: "unknown", error: failure.body, durationMs: 0, spent: {} } as const;
  return draftRecord("call.settled", { runId, callId, effectId, ...body }, { content: [failure.row] });
}
