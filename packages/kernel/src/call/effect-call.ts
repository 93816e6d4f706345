// From an allowed call to its end. J1: the intent is committed before the tool runs.
import { type ApprovalOfCall, CancelledError, type RedactOptions } from "@spfunctions/contracts";
import { useOnce } from "../approval/used-here.ts";
import type { CallSegment, Opened } from "../journal/account-journal.ts";
import type { Opening } from "../journal/fold-calls.ts";
import { draftRecord, type RecordDraft } from "../journal/record-draft.ts";
import type { Draft } from "../journal/stream-writer.ts";
import { unknownEffect } from "../journal/unknown-effects.ts";
import type { SealedRecord } from "../store/store.ts";
import type { CallHost, CallOutcome } from "./call-host.ts";
import type { Allowed } from "./call-in-progress.ts";
import { claimFor } from "./claims.ts";
import { comeAgain } from "./come-again.ts";
import { type Attempted, conclude, type Ended } from "./conclude.ts";
import { executeTool } from "./execute-tool.ts";
import { execute, idempotencyOf, permit } from "./executors.ts";
import { type Begun, finish, termsOf, writeOrOwe } from "./finish-call.ts";
import { holdsOutputs } from "./post-tool.ts";
import { emitRecord } from "./project-events.ts";
import type { Execution } from "./run-once.ts";
import { changesOf } from "./tool-changes.ts";
import { endedWaiting, questionElsewhere, waitElsewhere } from "./wait-elsewhere.ts";
import { waitingDraft } from "./waiting-draft.ts";
import { isUnanswered, momentOf, requireLease } from "./require-lease.ts";
import { answersOf, durabilityOf, endingWriter } from "./write-ending.ts";

/** A read that costs nothing much: one record, committed before its answer is given. */
export async function readCall(host: CallHost, call: Allowed): Promise<CallOutcome> {
  const { tool, names, request, watch, shared, own, inputRow, unique } = call;
  await host.journal.begin();
  const redaction = redactionOf(host, call);
  const ranBy = own.grant?.grantId;
  const attempt = {
    names,
    tool,
    idempotencyKey: names.effectId,
    attempt: 1,
    request,
    watch,
    redaction,
    ranBy,
  };
  const attempted = await executeTool(host, attempt, execute, permit(tool), call.input.live.value);
  const asked = questionElsewhere(host, call, attempted.execution);
  const ended = asked === undefined ? attempted : waitingFor(attempted);
  const conclusion = conclude(host, tool, unique, { ...ended, ...endingTerms(host, call) });
  const content = [inputRow, ...conclusion.content];
  const draft = draftRecord("call.read", { ...own, ...conclusion.body }, { shared, content });
  const { segment, records } = await host.journal.append(
    asked === undefined
      ? { durability: "process", records: [draft] }
      : { durability: "power", records: [draft, waitsOn(host, call, asked)] },
    tool.contract,
  );
  const [record, waiting] = records;
  emitRecord(watch, record, undefined);
  if (asked !== undefined && waiting !== undefined) {
    emitRecord(watch, waiting, undefined);
    return await sendOn(host, call, asked, segment);
  }
  const places = [segment.placeOf(record)];
  return await finish(host, call, conclusion, record, { durability: "process", segment, places });
}

/** Anything else: intent, effect, result. Nothing where the approval that it was to run by has been used, or ended, meanwhile. */
export async function effectCall(host: CallHost, given: Allowed): Promise<CallOutcome | undefined> {
  const { tool, names, request, watch, approved } = given;
  // A1: that an approval is used must survive whatever the effect itself may not.
  const uses = given.use?.write === undefined ? [] : [given.use.write];
  const documents = [...(approved?.writes ?? []), ...uses];
  const durability = documents.length === 0 ? durabilityOf(tool.contract) : "power";
  const claim = claimFor(host, given);
  const end = endOf(given);
  let sent = momentOf(host.clock);
  const open = async () => {
    sent = momentOf(host.clock);
    return await openCall(host, given, {
      durability,
      records: [intentOf(host, given)],
      ...(documents.length > 0 && { documents }),
      ...(Number.isFinite(end) && { until: end }),
      ...(claim && { claims: () => [claim] }),
      found: (segment, records) =>
        unbegun(host, given, { durability, claim, segment, places: records.map(segment.placeOf) }),
    });
  };
  const begun =
    approved === undefined ? await open() : await useOnce(host.store, approved.approval, names.callId, open);
  if (begun === undefined) return undefined;
  const { segment, written } = begun;
  if (written.type === "conflict" && (written.on === "document" || written.on === "time")) return undefined;
  if (written.type === "conflict") return await comeAgain(host, given, claim, written);
  const call = approved === undefined ? given : namingApproval(given, approved.approval);
  const [opened] = written.records as [SealedRecord];
  emitRecord(watch, opened, undefined);
  const terms: Begun = { durability, claim, segment, places: [segment.placeOf(opened)] };
  await requireLease(host, segment, sent, tool.contract.name).catch((error: unknown) => {
    // The store takes it only if nobody has taken over.
    if (isUnanswered(error)) host.journal.owe(unbegun(host, call, terms));
    throw error;
  });
  // Nothing may come between this answer and the start of the tool.
  /** Whether its end leaves room for a note: of what is unknown a person says what became of it, and nobody else (J4). */
  const ending = Promise.withResolvers<boolean>();
  const ended = await executeTool(
    host,
    {
      names,
      tool,
      idempotencyKey: effectKeyOf(call),
      attempt: 1,
      request,
      watch,
      ranBy: given.own.grant?.grantId,
      approvalId: approved?.approval.approvalId,
      redaction: redactionOf(host, call),
      late: (execution) =>
        void ending.promise
          .then(async (isNoted) => (isNoted ? await noteLate(host, call, segment, execution) : undefined))
          .catch(() => undefined),
    },
    execute,
    permit(tool),
    call.input.live.value,
  );
  const asked = questionElsewhere(host, call, ended.execution);
  const { conclusion, record, next } = await settle(host, call, terms, ended, asked);
  ending.resolve(conclusion.body.status === "cancelled" || conclusion.body.status === "timed_out");
  emitRecord(watch, record, call.opening as Opening);
  if (asked !== undefined && next !== undefined) {
    emitRecord(watch, next, undefined);
    return await sendOn(host, call, asked, segment);
  }
  return await finish(host, call, conclusion, record, {
    ...terms,
    places: [...terms.places, segment.placeOf(record)],
  });
}

/** A call that waits for what is answered where its tool runs, and is sent again. */
async function sendOn(
  host: CallHost,
  call: Allowed,
  approval: ApprovalOfCall,
  segment: CallSegment,
): Promise<CallOutcome> {
  const { verdict } = call.opening;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- again only when the yes of this side has ended before it was sent
    const gone = await waitElsewhere(host, { ...call, call, verdict, segment, approval });
    if (gone.type === "over") return gone.outcome;
    // oxlint-disable-next-line no-await-in-loop -- see above
    const outcome = await effectCall(host, gone.call);
    if (outcome !== undefined) return outcome;
  }
}

function waitsOn(host: CallHost, call: Allowed, approval: ApprovalOfCall): RecordDraft {
  return waitingDraft(host, { ...call, call, verdict: call.opening.verdict }, approval);
}

function waitingFor(attempted: Attempted): Attempted {
  return { ...attempted, execution: endedWaiting(attempted.execution) };
}

/** What it came to is told with the approval that it ran by. */
function namingApproval(call: Allowed, approval: ApprovalOfCall): Allowed {
  return { ...call, opening: { ...call.opening, approval } };
}

/** When what it runs by ends. */
function endOf({ approved, use }: Allowed): number {
  const grant = use?.write === undefined ? Number.POSITIVE_INFINITY : Date.parse(use.grant.expiresAt);
  return Math.min(approved?.until ?? Number.POSITIVE_INFINITY, grant);
}

/** A call that has waited goes on where it has. */
async function openCall({ journal }: CallHost, { segment, tool }: Allowed, draft: Draft): Promise<Opened> {
  if (segment === undefined) return await journal.open(draft, tool.contract);
  // J2: nothing runs before what is owed is written.
  await journal.pay();
  return { segment, written: await segment.write(draft) };
}

/** J1: nothing has run by an intent of which nobody knew in time whether it was written, or still stood. It ends, and its key is free. */
function unbegun(host: CallHost, call: Allowed, begun: Begun): () => Promise<unknown> {
  const { tool, names, unique } = call;
  const { runId, callId, effectId } = names;
  const error = new CancelledError(
    `${tool.contract.name}: that it was to begin was not known to be written, or to stand, in time, so it did not; nothing has happened`,
  );
  const execution: Execution = { status: "cancelled", error, hasBegun: false };
  const ended = { execution, durationMs: 0, external: {}, ...endingTerms(host, call), held: false };
  const conclusion = conclude(host, tool, unique, ended);
  const record = draftRecord("call.settled", { runId, callId, effectId, ...conclusion.body }, conclusion);
  const write = endingWriter(termsOf(call, begun), { record, answers: answersOf(execution, conclusion) });
  return () => write(begun.segment);
}

/** Writes how it ended, together with what the tool has changed. */
async function settle(
  host: CallHost,
  call: Allowed,
  begun: Begun,
  given: Attempted,
  asked: ApprovalOfCall | undefined,
) {
  const attempted = asked === undefined ? given : waitingFor(given);
  const { tool, names, opening, unique } = call;
  const { runId, callId, effectId } = names;
  const listed = { stream: begun.segment.stream, effectId, idempotencyKey: effectKeyOf(call) };
  const endingBy = (one: Attempted) => {
    const conclusion = conclude(host, tool, unique, { ...one, ...endingTerms(host, call) });
    const isUnknown = conclusion.body.status === "unknown";
    return {
      conclusion,
      record: draftRecord("call.settled", { runId, callId, effectId, ...conclusion.body }, conclusion),
      next: asked && waitsOn(host, call, asked),
      answers: answersOf(one.execution, conclusion),
      unknown: isUnknown ? unknownEffect(opening, listed, conclusion) : undefined,
    };
  };
  const changes = changesOf(tool, attempted, endingBy);
  const { ending, record, next } = await writeOrOwe(host, call, begun, endingBy(attempted), changes);
  return { conclusion: ending.conclusion, record, next };
}

/** What was hidden of the input is hidden in whatever the tool says of it. */
function redactionOf({ keyedHash }: CallHost, { input }: Allowed): RedactOptions | undefined {
  const { hidden } = input.recorded;
  return hidden && { keyedHash, alsoSecrets: hidden };
}

function endingTerms(host: CallHost, { input }: Allowed): Pick<Ended, "held" | "hidden"> {
  return { held: holdsOutputs(host), hidden: input.recorded.hidden };
}

/** What an effect is known by to whoever can deduplicate it. */
function effectKeyOf({ request, names }: Allowed): string {
  return request.idempotencyKey ?? names.effectId;
}

function intentOf(host: CallHost, call: Allowed): RecordDraft {
  const { tool, names, input, own, shared, inputRow, approved, segment } = call;
  const idempotency = idempotencyOf(tool);
  const body = {
    ...own,
    effectId: names.effectId,
    idempotency,
    idempotencyKey: effectKeyOf(call),
    ...(approved && { approval: approved.approval }),
    ...(segment && { waited: true as const }),
    ...(input.recorded.redacted.length > 0 && { inputRedacted: true as const }),
    ...(holdsOutputs(host) && { holdsOutput: true as const }),
  };
  return draftRecord("call.intended", body, { shared, content: [inputRow] });
}

/** What a tool did after its call was over changes no outcome; a person may want to know it all the same (J4). */
async function noteLate(
  host: CallHost,
  call: Allowed,
  segment: CallSegment,
  execution: Execution,
): Promise<void> {
  const { tool, names, unique } = call;
  const status: "completed" | "failed" = execution.status === "completed" ? "completed" : "failed";
  const ended = { execution, durationMs: 0, external: {}, ...endingTerms(host, call), held: false };
  const { body, content } = conclude(host, tool, `${unique}-late`, ended);
  const { runId, callId, effectId } = names;
  const { output, error } = body;
  const outcome = { status, ...(output && { output }), ...(error && { error }) };
  const draft = draftRecord("call.late", { runId, callId, effectId, ...outcome }, { content });
  // Nobody waits for it, and where it cannot be written nothing is lost that was promised.
  await segment.write({ durability: "process", records: [draft] });
}
