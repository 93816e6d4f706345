import {
  type ContentRow,
  type CostEffect,
  type Digest,
  hashText,
  type JsonValue,
  RecoveryNeededError,
  type SideEffect,
  UpstreamErrorError,
} from "@spfunctions/contracts";
import { readPayload } from "../journal/read-payload.ts";
import { askPolicy, type EvaluatePostTool } from "../call/ask-policy.ts";
import type { CallHost } from "../call/call-host.ts";
import { claimKey, standingClaim } from "../call/claims.ts";
import { type Conclusion, conclude, type Ended, failureContent } from "../call/conclude.ts";
import { executeTool } from "../call/execute-tool.ts";
import { execute, permit, reconcile } from "../call/executors.ts";
import { endingOf } from "../call/post-tool.ts";
import type { Execution } from "../call/run-once.ts";
import { durabilityOf, type Ending, endingWriter } from "../call/write-ending.ts";
import type { CallState, Opening } from "../journal/fold-calls.ts";
import { draftRecord } from "../journal/record-draft.ts";
import type { StreamWriter } from "../journal/stream-writer.ts";
import { outputOf, textOf } from "../replay/recorded-answer.ts";
import type { PolicyAnswer } from "../judge/input-gates.ts";
import type { Place, SealedRecord } from "../store/store.ts";
import { uniqueOf } from "../time/ids.ts";
import type { Tool } from "../tool/define-tool.ts";
import { type Intent, planRecovery } from "./plan-recovery.ts";
import { unknownEffect } from "./unknown-effects.ts";

/** What became of something that had no end. */
export type Settled = {
  readonly callId: string;
  readonly tool: string;
  /** `left`: as it was, for somebody who can settle it. */
  readonly outcome:
    | "completed"
    | "failed"
    | "timed_out"
    | "cancelled"
    | "unknown"
    | "released"
    | "withheld"
    | "left";
  /** How: the tool was run again, asked, or neither; or a held output was looked at again. */
  readonly by: "retry" | "reconcile" | "nobody" | "policy";
  readonly effectId?: string;
  /** Of one that is unknown or left: why, and what a person can do. */
  readonly reason?: string;
};

type Content = ReadonlyMap<string, ContentRow>;

/** Gives a call an end, or leaves it to somebody who can. */
export async function settlePending(
  host: CallHost,
  writer: StreamWriter,
  call: CallState,
  { content, givenUp }: { readonly content: Content; readonly givenUp?: string | undefined },
): Promise<Settled> {
  if (call.output === "held") return await settleHeld(host, writer, call, content);
  const intent = call.opening as Intent;
  const { callId, effectId, tool: name } = intent;
  if (effectId === givenUp) return await declareUnknown(host, writer, call, "a person has given it up");
  const plan = await planRecovery(host, intent, content.get(intent.input.ref));
  if (plan.type === "leave")
    return { callId, effectId, tool: name, outcome: "left", by: "nobody", reason: plan.reason };
  if (plan.type === "unknown") return await declareUnknown(host, writer, call, plan.reason);
  const act = plan.type === "retry" ? tryAgain : askWhatBecame;
  const ended = await act(host, writer, call, plan);
  if (ended.execution.status === "unknown") {
    return await declareUnknown(host, writer, call, ended.execution.error.message, ended.external);
  }
  // As it was to be when it was begun, also where whoever was to be asked is not here.
  const isHeld = intent.holdsOutput === true || host.evaluatePostTool !== undefined;
  const conclusion = conclude(host, plan.tool, uniqueOf(intent), { ...ended, held: isHeld });
  const record = await end(host, writer, call, conclusion);
  if (conclusion.output === undefined || conclusion.body.held !== true) {
    return {
      callId,
      effectId,
      tool: name,
      outcome: conclusion.body.status as Settled["outcome"],
      by: plan.type,
    };
  }
  const inputText = rowText(content, intent.input.ref);
  const outputText = conclusion.output.recorded.text;
  return await decideHeld(host, writer, {
    opening: intent,
    places: [call.openedAt, record].map(writer.placeOf),
    inputText,
    outputText,
  });
}

type Ready = { readonly tool: Tool; readonly input: JsonValue };
type Attempted = Omit<Ended, "held">;

async function tryAgain(
  host: CallHost,
  writer: StreamWriter,
  call: CallState,
  { tool, input }: Ready,
): Promise<Attempted> {
  const intent = call.opening as Intent;
  const { runId, callId, effectId } = intent;
  const attempt = call.attempts + 1;
  const retried = draftRecord("call.retried", { runId, callId, effectId, attempt });
  await writer.write({ durability: durabilityOf(intent), records: [retried] });
  const named = { ...intent, names: intent, tool, attempt };
  const tried = await executeTool(host, named, execute, permit(tool), input);
  const { execution } = tried;
  if (execution.status !== "failed" || intent.sideEffect === "none") return tried;
  // What the second attempt says about itself it does not say about the first.
  return { ...tried, execution: { ...execution, status: "unknown" } };
}

/** A tool's answer about an effect it is not run for. What is no clear answer leaves it unknown. */
async function askWhatBecame(
  host: CallHost,
  _: StreamWriter,
  call: CallState,
  { tool, input }: Ready,
): Promise<Attempted> {
  const intent = call.opening as Intent;
  const attempt = { ...intent, names: intent, tool, attempt: call.attempts + 1 };
  const asked = await executeTool(host, attempt, reconcile, permit(tool), input);
  const answer = asked.execution.status === "completed" ? asked.execution.output : undefined;
  return { ...asked, execution: executionOf(answer) };
}

function executionOf(answer: unknown): Execution {
  const { status, output } = readAnswer(answer);
  if (status === "completed") return { status, output };
  if (status === "failed") {
    const error = new UpstreamErrorError("the tool has found that this effect did not happen");
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

async function end(
  host: CallHost,
  writer: StreamWriter,
  call: CallState,
  conclusion: Conclusion,
): Promise<SealedRecord> {
  const { runId, callId, effectId } = call.opening as Intent;
  const record = draftRecord("call.settled", { runId, callId, effectId, ...conclusion.body }, conclusion);
  const answers = conclusion.body.held === true ? "later" : "now";
  const shape = await endingShape(host, writer, call.opening, [writer.placeOf(call.openedAt)]);
  return await endingWriter({ ...shape, record, answers })(writer);
}

async function endingShape(
  { store, clock }: CallHost,
  { accountId }: StreamWriter,
  opening: Opening,
  places: readonly Place[],
): Promise<Omit<Ending, "record" | "answers">> {
  const { callId, tool } = opening;
  const key = "idempotencyKey" in opening ? opening.idempotencyKey : undefined;
  const claim =
    key === undefined
      ? undefined
      : await standingClaim(store, claimKey(accountId, tool, key), callId, clock.now());
  return { durability: durabilityOf(opening), accountId, callId, places, claim };
}

async function declareUnknown(
  host: CallHost,
  writer: StreamWriter,
  call: CallState,
  why: string,
  { operationId, reconciliationRef }: Ended["external"] = {},
): Promise<Settled> {
  const intent = call.opening as Intent;
  const { runId, callId, effectId, tool, idempotencyKey } = intent;
  const reason = `${why}; find out at the other side (key ${idempotencyKey}) whether it happened, then say so with resolve("${effectId}", …)`;
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
  const shape = await endingShape(host, writer, intent, [writer.placeOf(call.openedAt)]);
  await endingWriter({ ...shape, record, answers: "now", unknown })(writer);
  return { callId, effectId, tool, outcome: "unknown", by: "nobody", reason };
}

/** A crash between the result and the answer of the host's policy: it is asked again. Where it is not here, nobody decides for it. */
async function settleHeld(
  host: CallHost,
  writer: StreamWriter,
  call: CallState,
  content: Content,
): Promise<Settled> {
  const { opening, ending } = call;
  const inputText = rowText(content, opening.input?.ref);
  const outputText = rowText(content, outputOf(call)?.ref);
  const places =
    ending === undefined || ending.seq === opening.seq ? [call.openedAt] : [call.openedAt, call.at];
  const held = { opening, places: places.map(writer.placeOf), inputText, outputText };
  return await decideHeld(host, writer, held);
}

type Held = {
  readonly opening: Opening;
  readonly places: readonly Place[];
  readonly inputText: string | undefined;
  readonly outputText: string | undefined;
};

async function decideHeld(host: CallHost, writer: StreamWriter, held: Held): Promise<Settled> {
  const { opening, places } = held;
  const { callId, tool } = opening;
  if (host.evaluatePostTool === undefined) {
    const reason = "its output is held for a policy of the host's, which is not here";
    return { callId, tool, outcome: "left", by: "nobody", reason };
  }
  const answer = await askAgain(host.evaluatePostTool, host, held);
  const { ending: record } = endingOf(host, uniqueOf(opening), opening, opening.tool, answer);
  const shape = await endingShape(host, writer, opening, places);
  await endingWriter({ ...shape, record, answers: "now" })(writer);
  const outcome = answer.outcome === "allow" ? "released" : "withheld";
  return { callId, tool, outcome, by: "policy" };
}

async function askAgain(
  evaluatePostTool: EvaluatePostTool,
  { clock, limits }: CallHost,
  held: Held,
): Promise<PolicyAnswer> {
  const { opening, inputText, outputText } = held;
  const { runId, callId, tool, toolDigest, sideEffect, costEffect, principal, origin } = opening;
  if (outputText === undefined || inputText === undefined)
    return { outcome: "deny", reason: "what it was to decide on was erased" };
  const input = payloadOf(inputText);
  const output = payloadOf(outputText);
  if (input === undefined || output === undefined)
    return { outcome: "deny", reason: "what it was to decide on cannot be read" };
  const view = {
    runId,
    callId,
    tool,
    toolDigest: toolDigest as Digest,
    sideEffect: sideEffect as SideEffect,
    costEffect: costEffect as CostEffect,
    principal,
    origin,
    input,
    inputHash: hashText(inputText),
    output,
    outputHash: hashText(outputText),
  };
  return await askPolicy(evaluatePostTool, view, { clock, timeoutMs: limits.policyMs });
}

function rowText(content: Content, ref: string | undefined): string | undefined {
  return ref === undefined ? undefined : textOf(content.get(ref));
}

function payloadOf(text: string): JsonValue | undefined {
  try {
    return readPayload(text);
  } catch {
    return undefined;
  }
}
