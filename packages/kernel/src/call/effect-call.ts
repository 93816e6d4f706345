// From an allowed call to its answer. J1: the intent is committed before the tool runs. J2: a result that cannot be committed
// is owed, the caller is told which effect it is about, and nothing further happens before it is written.
import {
  readCanonicalJson,
  RecoveryNeededError,
  RevisionConflictError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import type { Opening } from "../journal/fold-calls.ts";
import { draftRecord, type RecordDraft } from "../journal/record-draft.ts";
import type { DraftConflict } from "../journal/stream-writer.ts";
import type { UnknownEffect } from "../recovery/unknown-effects.ts";
import type { RecordedAnswer } from "../replay/recorded-answer.ts";
import type { ClaimWrite, Durability, Head, SealedRecord } from "../store/store.ts";
import { askPolicy } from "./ask-policy.ts";
import { type Allowed, asWanted, policyViewOf, receiptOf } from "./call-in-progress.ts";
import type { CallHost, CallOutcome } from "./call-host.ts";
import { answerClaimed, claimKey, takeClaim } from "./claims.ts";
import { type Conclusion, conclude, failureContent } from "./conclude.ts";
import { executeTool } from "./execute-tool.ts";
import { execute, permit } from "./executors.ts";
import { endingOf } from "./post-tool.ts";
import { emitRecord } from "./project-events.ts";
import { refuseCall } from "./refuse-call.ts";
import type { Execution } from "./run-once.ts";
import { type Ending, endingWriter } from "./write-ending.ts";

type Taken = Extract<ClaimWrite, { type: "take" }>;

/** What the records of a call that has begun depend on. */
type Begun = {
  readonly durability: Durability;
  readonly claim?: Taken | undefined;
  readonly stream: string;
  /** Its records so far. */
  readonly places: readonly Head[];
};

/** A read that costs nothing much: one record, committed before its answer is given. */
export async function readCall(host: CallHost, call: Allowed): Promise<CallOutcome> {
  const { tool, names, request, watch, shared, own, inputRow, unique } = call;
  const stream = host.journal.isClear ? "" : await host.journal.begin();
  const attempt = { names, tool, idempotencyKey: names.effectId, attempt: 1, request, watch };
  const ended = await executeTool(host, attempt, execute, permit(tool), call.input.live.value);
  const conclusion = conclude(host, tool, unique, { ...ended, held: host.evaluatePostTool !== undefined });
  const content = [inputRow, ...conclusion.content];
  const draft = draftRecord("call.read", { ...own, ...conclusion.body }, { shared, content });
  const [record] = await host.journal.append({ durability: "process", records: [draft] }, tool.contract);
  emitRecord(watch, record, undefined);
  return await finish(host, call, conclusion, record, { durability: "process", stream, places: [record] });
}

/** Anything else: intent, effect, result. */
export async function effectCall(host: CallHost, call: Allowed): Promise<CallOutcome> {
  const { tool, names, request, watch, unique } = call;
  const durability: Durability = tool.contract.sideEffect === "none" ? "process" : "power";
  const stream = await host.journal.begin();
  const claim = claimFor(host, call);
  const written = await host.journal.write(
    { durability, records: [intentOf(call)], ...(claim && { claims: () => [claim] }) },
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
      idempotencyKey: request.idempotencyKey ?? names.effectId,
      attempt: 1,
      request,
      watch,
      late: (execution) => void ending.promise.then(() => noteLate(host, call, execution)),
    },
    execute,
    permit(tool),
    call.input.live.value,
  );
  const conclusion = conclude(host, tool, unique, { ...ended, held: host.evaluatePostTool !== undefined });
  const { runId, callId, effectId } = names;
  const settled = draftRecord("call.settled", { runId, callId, effectId, ...conclusion.body }, conclusion);
  const begun: Begun = { durability, claim, stream, places: [opened] };
  const record = await writeOrOwe(host, call, {
    ...endingShape(call, begun),
    record: settled,
    isAnswered: conclusion.body.held !== true,
    unknown: unknownEffect(call, stream, conclusion),
  });
  ending.resolve();
  emitRecord(watch, record, call.opening as Opening);
  return await finish(host, call, conclusion, record, { ...begun, places: [opened, record] });
}

function intentOf({ tool, names, request, input, own, shared, inputRow }: Allowed): RecordDraft {
  const redacted = input.recorded.redacted.length > 0 ? { inputRedacted: true as const } : {};
  const { effectId } = names;
  const idempotencyKey = request.idempotencyKey ?? effectId;
  const body = { ...own, effectId, idempotency: tool.contract.idempotency, idempotencyKey, ...redacted };
  return draftRecord("call.intended", body, { shared, content: [inputRow] });
}

function endingShape({ opening, names }: Allowed, begun: Begun): Omit<Ending, "record" | "isAnswered"> {
  return { ...begun, accountId: opening.principal.accountId, callId: names.callId };
}

/** A tool can say itself that it does not know. */
function unknownEffect(
  { tool, names, request }: Allowed,
  stream: string,
  { body, error }: Conclusion,
): UnknownEffect | undefined {
  if (body.status !== "unknown") return undefined;
  const { runId, callId, effectId } = names;
  const { externalOperationId, reconciliationRef } = body;
  return {
    effectId,
    runId,
    callId,
    stream,
    tool: tool.contract.name,
    idempotencyKey: request.idempotencyKey ?? effectId,
    reason: error?.message ?? "the tool does not know",
    ...(externalOperationId === undefined ? {} : { externalOperationId }),
    ...(reconciliationRef === undefined ? {} : { reconciliationRef }),
  };
}

function claimFor(host: CallHost, { tool, request, input, names }: Allowed): Taken | undefined {
  if (request.idempotencyKey === undefined) return undefined;
  const key = claimKey(host.principal.accountId, tool.contract.name, request.idempotencyKey);
  const expiresAt = host.clock.now() + host.limits.claimMs;
  return takeClaim(key, tool, input, { callId: names.callId }, expiresAt);
}

/** Somebody had the key before. What is answered then is a decision like any other, and recorded. */
async function comeAgain(
  host: CallHost,
  call: Allowed,
  claim: Taken | undefined,
  conflict: DraftConflict,
): Promise<CallOutcome> {
  const { tool, input } = call;
  const { name } = tool.contract;
  if (claim === undefined || conflict.on !== "claim" || conflict.claim === undefined) {
    throw new RevisionConflictError(
      `${name}: the journal was changed at the same time; nothing has run, try again`,
    );
  }
  const answered = await answerClaimed(host.store, claim, conflict.claim, name);
  if (answered.type === "refused") {
    return await refuseCall(host, call, {
      verdict: call.opening.verdict,
      error: answered.error,
      tool,
      input,
    });
  }
  const { stream, callId } = answered.of;
  return await repeat(host, call, answered.answer, { stream, callId: callId as Allowed["own"]["callId"] });
}

async function repeat(
  host: CallHost,
  call: Allowed,
  answer: RecordedAnswer,
  of: { readonly stream: string; readonly callId: Allowed["own"]["callId"] },
): Promise<CallOutcome> {
  const { own, shared, inputRow, tool, watch, unique, request } = call;
  const failure = answer.type === "failed" ? failureContent(host, unique, answer.error) : undefined;
  const body = { ...own, of, ...(failure && { error: failure.body }) };
  const content = failure === undefined ? [inputRow] : [inputRow, failure.row];
  const draft = draftRecord("call.repeated", body, { shared, content });
  const [record] = await host.journal.append({ durability: "process", records: [draft] }, tool.contract);
  emitRecord(watch, record, undefined);
  if (answer.type === "failed") return { ...answer, receipt: asWanted(host, request, answer.receipt) };
  const { result } = answer;
  return { ...answer, result: { ...result, receipt: asWanted(host, request, result.receipt) } };
}

/** J2: what cannot be written is owed, and its caller told. */
async function writeOrOwe(host: CallHost, { names, tool }: Allowed, ending: Ending): Promise<SealedRecord> {
  const write = endingWriter(ending);
  try {
    return await write(host.journal);
  } catch (cause) {
    host.journal.owe(write);
    const { name } = tool.contract;
    throw new RecoveryNeededError(
      `${name} ran, and how it ended could not be written to the journal (effect ${names.effectId}); it is written before anything else runs here, or settled when the store is opened next. Do not repeat it blindly`,
      { details: { tool: name, callId: names.callId, effectId: names.effectId }, cause },
    );
  }
}

/** The answer, or why there is none; a held output only once a record has released it. */
async function finish(
  host: CallHost,
  call: Allowed,
  conclusion: Conclusion,
  at: Head,
  begun: Begun,
): Promise<CallOutcome> {
  const { output, body } = conclusion;
  const refusal =
    conclusion.error ?? (body.held === true ? await release(host, call, conclusion, begun) : undefined);
  const { spent } = body;
  const inputHash = call.input.recorded.hash;
  const outputHash = refusal === undefined ? output?.recorded.hash : undefined;
  const facts = { opening: call.opening as Opening, inputHash, outputHash, spent, at };
  const receipt = receiptOf(host, call.request, facts);
  if (refusal !== undefined || output === undefined) {
    return { type: "failed", error: refusal as SimpleFunctionsError, receipt };
  }
  const { runId, callId } = call.names;
  return {
    type: "completed",
    result: {
      tool: call.tool.contract.name,
      runId,
      callId,
      output: output.live.value,
      redacted: [...output.recorded.redacted],
      durationMs: body.durationMs,
      receipt,
    },
  };
}

/** Asks the host's policy about a held output, on its recorded form, and writes the answer before anybody gets it. */
async function release(
  host: CallHost,
  call: Allowed,
  { output }: Conclusion,
  begun: Begun,
): Promise<SimpleFunctionsError | undefined> {
  const { evaluatePostTool, clock, limits } = host;
  if (evaluatePostTool === undefined || output === undefined) return undefined;
  const { recorded } = output;
  const view = policyViewOf(host, call.names, call.tool, call.input);
  const post = Object.freeze({
    ...view,
    output: readCanonicalJson(recorded.text),
    outputHash: recorded.hash,
  });
  const answer = await askPolicy(evaluatePostTool, post, { clock, timeoutMs: limits.policyMs });
  const { ending, error } = endingOf(host, call.unique, call.names, call.tool.contract.name, answer);
  const record = await writeOrOwe(host, call, {
    ...endingShape(call, begun),
    record: ending,
    isAnswered: true,
  });
  emitRecord(call.watch, record, undefined);
  return error;
}

/** What a tool did after its call was over changes no outcome; a person may want to know it all the same (J4). */
function noteLate(host: CallHost, { tool, names, unique }: Allowed, execution: Execution): void {
  if (execution.status !== "completed" && execution.status !== "failed") return;
  const ended = { execution, durationMs: 0, external: {}, held: false };
  const { body, content } = conclude(host, tool, `${unique}-late`, ended);
  const { runId, callId, effectId } = names;
  const { output, error } = body;
  const outcome = { status: execution.status, ...(output && { output }), ...(error && { error }) };
  const draft = draftRecord("call.late", { runId, callId, effectId, ...outcome }, { content });
  // Nobody waits for it, and where it cannot be written nothing is lost that was promised.
  host.journal.append({ durability: "process", records: [draft] }).catch(() => undefined);
}
