// From an allowed call to its end. J1: the intent is committed before the tool runs.
import type { RedactOptions } from "@spfunctions/contracts";
import type { CallSegment } from "../journal/account-journal.ts";
import type { Opening } from "../journal/fold-calls.ts";
import { draftRecord, type RecordDraft } from "../journal/record-draft.ts";
import { unknownEffect } from "../recovery/unknown-effects.ts";
import type { SealedRecord } from "../store/store.ts";
import type { Allowed } from "./call-in-progress.ts";
import type { CallHost, CallOutcome } from "./call-host.ts";
import { claimKey, takeClaim } from "./claims.ts";
import { comeAgain } from "./come-again.ts";
import { type Attempted, type Conclusion, conclude, type Ended } from "./conclude.ts";
import { executeTool } from "./execute-tool.ts";
import { execute, idempotencyOf, permit } from "./executors.ts";
import { type Begun, finish, writeOrOwe } from "./finish-call.ts";
import { emitRecord } from "./project-events.ts";
import type { Execution } from "./run-once.ts";
import { changesOf } from "./tool-changes.ts";
import { durabilityOf, type Ending } from "./write-ending.ts";

/** A read that costs nothing much: one record, committed before its answer is given. */
export async function readCall(host: CallHost, call: Allowed): Promise<CallOutcome> {
  const { tool, names, request, watch, shared, own, inputRow, unique } = call;
  await host.journal.begin();
  const redaction = redactionOf(host, call);
  const attempt = { names, tool, idempotencyKey: names.effectId, attempt: 1, request, watch, redaction };
  const ended = await executeTool(host, attempt, execute, permit(tool), call.input.live.value);
  const conclusion = conclude(host, tool, unique, { ...ended, ...endingTerms(host, call) });
  const content = [inputRow, ...conclusion.content];
  const draft = draftRecord("call.read", { ...own, ...conclusion.body }, { shared, content });
  const { segment, records } = await host.journal.append(
    { durability: "process", records: [draft] },
    tool.contract,
  );
  const [record] = records;
  emitRecord(watch, record, undefined);
  const places = [segment.placeOf(record)];
  return await finish(host, call, conclusion, record, { durability: "process", segment, places });
}

/** Anything else: intent, effect, result. */
export async function effectCall(host: CallHost, call: Allowed): Promise<CallOutcome> {
  const { tool, names, request, watch } = call;
  const durability = durabilityOf(tool.contract);
  const claim = claimFor(host, call);
  const { segment, written } = await host.journal.open(
    { durability, records: [intentOf(host, call)], ...(claim && { claims: () => [claim] }) },
    tool.contract,
  );
  if (written.type === "conflict") return await comeAgain(host, call, claim, written);
  const [opened] = written.records as [SealedRecord];
  emitRecord(watch, opened, undefined);
  const ending = Promise.withResolvers<void>();
  const ended = await executeTool(
    host,
    {
      names,
      tool,
      idempotencyKey: effectKeyOf(call),
      attempt: 1,
      request,
      watch,
      redaction: redactionOf(host, call),
      late: (execution) =>
        void ending.promise.then(() => noteLate(host, call, segment, execution)).catch(() => undefined),
    },
    execute,
    permit(tool),
    call.input.live.value,
  );
  const begun: Begun = { durability, claim, segment, places: [segment.placeOf(opened)] };
  const { conclusion, record } = await settle(host, call, begun, ended);
  ending.resolve();
  emitRecord(watch, record, call.opening as Opening);
  return await finish(host, call, conclusion, record, {
    ...begun,
    places: [...begun.places, segment.placeOf(record)],
  });
}

/** Writes how it ended, together with what the tool has changed. */
async function settle(host: CallHost, call: Allowed, begun: Begun, attempted: Attempted) {
  const { tool, names, opening, unique } = call;
  const { runId, callId, effectId } = names;
  const listed = { stream: begun.segment.stream, effectId, idempotencyKey: effectKeyOf(call) };
  const endingBy = (one: Attempted) => {
    const conclusion = conclude(host, tool, unique, { ...one, ...endingTerms(host, call) });
    const isUnknown = conclusion.body.status === "unknown";
    return {
      conclusion,
      record: draftRecord("call.settled", { runId, callId, effectId, ...conclusion.body }, conclusion),
      answers: answersOf(one.execution, conclusion),
      unknown: isUnknown ? unknownEffect(opening, listed, conclusion) : undefined,
    };
  };
  const changes = changesOf(tool, attempted, endingBy);
  const { ending, record } = await writeOrOwe(host, call, begun, endingBy(attempted), changes);
  return { conclusion: ending.conclusion, record };
}

function answersOf(execution: Execution, { body }: Conclusion): Ending["answers"] {
  if ("hasBegun" in execution) return "never";
  return body.held === true ? "later" : "now";
}

/** What was hidden of the input is hidden in whatever the tool says of it. */
function redactionOf({ keyedHash }: CallHost, { input }: Allowed): RedactOptions | undefined {
  const { hidden } = input.recorded;
  return hidden && { keyedHash, alsoSecrets: hidden };
}

function endingTerms({ evaluatePostTool }: CallHost, { input }: Allowed): Pick<Ended, "held" | "hidden"> {
  return { held: evaluatePostTool !== undefined, hidden: input.recorded.hidden };
}

/** What an effect is known by to whoever can deduplicate it. */
function effectKeyOf({ request, names }: Allowed): string {
  return request.idempotencyKey ?? names.effectId;
}

function intentOf({ evaluatePostTool }: CallHost, call: Allowed): RecordDraft {
  const { tool, names, input, own, shared, inputRow } = call;
  const idempotency = idempotencyOf(tool);
  const body = {
    ...own,
    effectId: names.effectId,
    idempotency,
    idempotencyKey: effectKeyOf(call),
    ...(input.recorded.redacted.length > 0 && { inputRedacted: true as const }),
    ...(evaluatePostTool !== undefined && { holdsOutput: true as const }),
  };
  return draftRecord("call.intended", body, { shared, content: [inputRow] });
}

function claimFor(
  host: CallHost,
  { tool, request, input, names }: Allowed,
): ReturnType<typeof takeClaim> | undefined {
  if (request.idempotencyKey === undefined) return undefined;
  const key = claimKey(host.principal.accountId, tool.contract.name, request.idempotencyKey);
  const expiresAt = host.clock.now() + host.limits.claimMs;
  return takeClaim(key, tool, input, { callId: names.callId }, expiresAt);
}

/** What a tool did after its call was over changes no outcome; a person may want to know it all the same (J4). */
async function noteLate(
  host: CallHost,
  call: Allowed,
  segment: CallSegment,
  execution: Execution,
): Promise<void> {
  const { tool, names, unique } = call;
  if (execution.status !== "completed" && execution.status !== "failed") return;
  const ended = { execution, durationMs: 0, external: {}, ...endingTerms(host, call), held: false };
  const { body, content } = conclude(host, tool, `${unique}-late`, ended);
  const { runId, callId, effectId } = names;
  const { output, error } = body;
  const outcome = { status: execution.status, ...(output && { output }), ...(error && { error }) };
  const draft = draftRecord("call.late", { runId, callId, effectId, ...outcome }, { content });
  // Nobody waits for it, and where it cannot be written nothing is lost that was promised.
  await segment.write({ durability: "process", records: [draft] });
}
