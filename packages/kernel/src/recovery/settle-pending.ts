import { CancelledError, type JsonValue, RecoveryNeededError, UpstreamError } from "@spfunctions/contracts";
import type { CallHost } from "../call/call-host.ts";
import { type Attempted, conclude, failureContent } from "../call/conclude.ts";
import { executeTool } from "../call/execute-tool.ts";
import { execute, permit, reconcile } from "../call/executors.ts";
import { holdsOutputs } from "../call/post-tool.ts";
import { momentOf, requireLease } from "../call/require-lease.ts";
import type { Execution } from "../call/run-once.ts";
import { changesOf } from "../call/tool-changes.ts";
import { answersOf, durabilityOf, endingWriter } from "../call/write-ending.ts";
import type { CallState } from "../journal/fold-calls.ts";
import { draftRecord } from "../journal/record-draft.ts";
import { isRunStream } from "../journal/run-seal.ts";
import { uniqueOf } from "../time/ids.ts";
import type { Tool } from "../tool/define-tool.ts";
import { waitElsewhereAgain } from "./asked-again-elsewhere.ts";
import { type Intent, type Plan, planRecovery } from "./plan-recovery.ts";
import { type Content, decideHeld, recordedIn, settleHeld } from "./settle-held.ts";
import { settleWaiting } from "./settle-waiting.ts";
import { lateEnding, type Settled, type SettlingWriter } from "./settled.ts";
import { unknownEffect } from "../journal/unknown-effects.ts";

export type SettleTerms = {
  /** What lies beside the call's records. */
  readonly content: Content;
  /** An effect that nobody is to try again. */
  readonly givenUp?: string | undefined;
  /** Of whoever no longer wants what waits for a person. */
  readonly signal?: AbortSignal | undefined;
};

/** Gives a call an end, or leaves it to somebody who can. */
export async function settlePending(
  host: CallHost,
  writer: SettlingWriter,
  call: CallState,
  { content, givenUp, signal }: SettleTerms,
): Promise<Settled> {
  if (call.status === "waiting") return await settleWaiting(host, writer, call, { content, signal });
  if (call.output === "held") return await settleHeld(host, writer, call, content);
  const intent = call.opening as Intent;
  const { runId, callId, effectId, tool: name } = intent;
  if (effectId === givenUp)
    return intent.sideEffect === "none"
      ? await giveUp(host, writer, call)
      : await declareUnknown(host, writer, call, "a person has given it up");
  const plan = await planRecovery(host, intent, content.get(intent.input.ref));
  if (plan.type === "leave")
    return {
      callId,
      effectId,
      tool: name,
      outcome: "left",
      by: "nobody",
      keyId: intent.principal.keyId,
      reason: plan.reason,
    };
  if (plan.type === "unknown") return await declareUnknown(host, writer, call, plan.reason);
  const { by, ...ended } = await findEnd(asBegun(host, intent), writer, call, { ...plan, signal });
  if (ended.execution.status === "unknown") {
    return await declareUnknown(host, writer, call, ended.execution.error.message, ended.external);
  }
  const waits = await waitElsewhereAgain(host, writer, call, { tool: plan.tool, ended, content });
  if (waits !== undefined) return waits;
  // As it was to be when it was begun, also where whoever was to be asked is not here.
  const held = intent.holdsOutput === true || holdsOutputs(host);
  const endingBy = (one: Attempted) => {
    const conclusion = conclude(host, plan.tool, uniqueOf(intent), { ...one, held });
    const record = draftRecord("call.settled", { runId, callId, effectId, ...conclusion.body }, conclusion);
    return { conclusion, record, answers: answersOf(one.execution, conclusion) };
  };
  const terms = await lateEnding(host, writer, intent, [writer.placeOf(call.openedAt)]);
  const write = endingWriter(terms, endingBy(ended), changesOf(plan.tool, ended, endingBy));
  const { ending, record } = await write(writer);
  const { body, output } = ending.conclusion;
  if (output === undefined || body.held !== true) {
    // A person is asked where it would have run: nothing has.
    const outcome = body.status === "denied_before_execution" ? "refused" : body.status;
    return { callId, effectId, tool: name, outcome, by };
  }
  const places = [call.openedAt, record].map(writer.placeOf);
  const input = recordedIn(content, intent.input);
  return await decideHeld(host, writer, { opening: intent, places, input, output: output.recorded });
}

/** A key that comes again comes for all of its runs: each effect is that of the run it was begun for. */
function asBegun(host: CallHost, { principal: { runId } }: Intent): CallHost {
  return runId === undefined ? host : { ...host, principal: { ...host.principal, runId } };
}

type Ready = { readonly tool: Tool; readonly input: JsonValue };
type Interruptible = { readonly signal?: AbortSignal | undefined };

/** A second attempt that fails says nothing about the first: a tool that can be asked is asked before its effect is called unknown. */
async function findEnd(
  host: CallHost,
  writer: SettlingWriter,
  call: CallState,
  plan: Extract<Plan, Ready> & Interruptible,
): Promise<Attempted & { readonly by: "retry" | "reconcile" }> {
  const tried = plan.type === "retry" ? await tryAgain(host, writer, call, plan) : undefined;
  if (tried !== undefined && (tried.execution.status !== "unknown" || !plan.canAsk))
    return { ...tried, by: "retry" };
  const asked = await askWhatBecame(host, call, plan);
  // Where the tool cannot say either, what the second attempt has said is more.
  return tried !== undefined && asked.execution.status === "unknown"
    ? { ...tried, by: "retry" }
    : { ...asked, by: "reconcile" };
}

async function tryAgain(
  host: CallHost,
  writer: SettlingWriter,
  call: CallState,
  { tool, input, signal }: Ready & Interruptible,
): Promise<Attempted> {
  const intent = call.opening as Intent;
  const { runId, callId, effectId } = intent;
  const attempt = call.attempts + 1;
  const retried = draftRecord("call.retried", { runId, callId, effectId, attempt });
  const sent = momentOf(host.clock);
  await writer.write({ durability: durabilityOf(intent), records: [retried] });
  const ranBy = intent.grant?.grantId;
  const approvalId = intent.approval?.approvalId;
  const named = { ...intent, names: intent, tool, attempt, request: { signal }, ranBy, approvalId };
  await requireLease(host, writer, sent, tool.contract.name);
  const tried = await executeTool(host, named, execute, permit(tool), input);
  const { execution } = tried;
  const isNotBegun = execution.status === "cancelled" && "hasBegun" in execution;
  if (!(execution.status === "failed" || isNotBegun) || intent.sideEffect === "none") return tried;
  // What the second attempt says about itself it does not say about the first.
  return { ...tried, execution: { ...execution, status: "unknown" } };
}

/** A tool's answer about an effect it is not run for. What is no clear answer leaves it unknown. */
async function askWhatBecame(host: CallHost, call: CallState, { tool, input }: Ready): Promise<Attempted> {
  const intent = call.opening as Intent;
  const attempt = { ...intent, names: intent, tool, attempt: call.attempts + 1, isAsked: true } as const;
  const asked = await executeTool(host, attempt, reconcile, permit(tool), input);
  const answer = asked.execution.status === "completed" ? asked.execution.output : undefined;
  return { ...asked, execution: executionOf(answer) };
}

function executionOf(answer: unknown): Execution {
  const { status, output } = readAnswer(answer);
  if (status === "completed") return { status, output };
  if (status === "failed") {
    const error = new UpstreamError("the tool has found that this effect did not happen");
    return { status, error };
  }
  return {
    status: "unknown",
    error: new RecoveryNeededError("its tool could not say either what became of it"),
  };
}

function readAnswer(answer: unknown): { readonly status?: unknown; readonly output?: unknown } {
  try {
    return typeof answer === "object" && answer !== null ? { ...answer } : {};
  } catch {
    return {};
  }
}

/** What changes nothing leaves nothing to find out. */
async function giveUp(host: CallHost, writer: SettlingWriter, call: CallState): Promise<Settled> {
  const intent = call.opening as Intent;
  const { runId, callId, effectId, tool } = intent;
  const failure = failureContent(
    host,
    uniqueOf(intent),
    new CancelledError(`${tool}: cancelled, with the run that it was called by`),
  );
  const body = { status: "cancelled", error: failure.body, durationMs: 0, spent: { toolCalls: 1 } } as const;
  const record = draftRecord(
    "call.settled",
    { runId, callId, effectId, ...body },
    { content: [failure.row] },
  );
  const terms = await lateEnding(host, writer, intent, [writer.placeOf(call.openedAt)]);
  await endingWriter(terms, { record, answers: "never" })(writer);
  return { callId, effectId, tool, outcome: "cancelled", by: "nobody" };
}

async function declareUnknown(
  host: CallHost,
  writer: SettlingWriter,
  call: CallState,
  why: string,
  { operationId, reconciliationRef }: Attempted["external"] = {},
): Promise<Settled> {
  const intent = call.opening as Intent;
  const { runId, callId, effectId, tool, idempotencyKey } = intent;
  const say = isRunStream(writer.stream)
    ? `runs.resolve("${writer.stream}", "${effectId}", …)`
    : `resolve("${effectId}", …)`;
  const reason = `${why}; find out at the other side (key ${idempotencyKey}) whether it happened, then say so with ${say}`;
  const error = new RecoveryNeededError(`${tool}: the process ended while it ran, and ${reason}`);
  const failure = failureContent(host, uniqueOf(intent), error);
  const body = {
    status: "unknown",
    error: failure.body,
    durationMs: 0,
    spent: { toolCalls: 1 },
    ...(operationId === undefined ? {} : { externalOperationId: operationId }),
    ...(reconciliationRef === undefined ? {} : { reconciliationRef }),
  } as const;
  const record = draftRecord(
    "call.settled",
    { runId, callId, effectId, ...body },
    { content: [failure.row] },
  );
  const names = { stream: writer.stream, effectId, idempotencyKey };
  const unknown = unknownEffect(intent, names, { body, error: new RecoveryNeededError(why) });
  const terms = await lateEnding(host, writer, intent, [writer.placeOf(call.openedAt)]);
  await endingWriter(terms, { record, answers: "now", unknown })(writer);
  return { callId, effectId, tool, outcome: "unknown", by: "nobody", reason };
}
