import {
  type CallId,
  type ContentDigest,
  type ContentRow,
  type ErrorCode,
  type JournalRecord,
  type JsonValue,
  type StepId,
} from "@spfunctions/contracts";
import type { CallState } from "../../journal/fold-calls.ts";
import { readPayload } from "../../journal/read-payload.ts";
import { knownValue } from "../../journal/record-draft.ts";
import type { ModelToolCall } from "../../model/model-adapter.ts";
import { limitOf } from "../../judge/static-gates.ts";
import { recordedOutput, textOf } from "../../replay/recorded-answer.ts";

/** What a model said in one step, and what came of the calls that it proposed. */
export type RunStep = {
  readonly stepId: StepId;
  /** When the model was asked, and had answered. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly text: string;
  readonly calls: readonly ProposedCall[];
  /** In the order in which they ended. */
  readonly results: readonly CallResult[];
  /** It was said by a child that goes on without its parent: what it asks, nobody answers. */
  readonly isAlone?: true;
};

/** A call as the model has put it. */
export type ProposedCall = ModelToolCall & {
  readonly callId: CallId;
  readonly index: number;
  /** What it was to be called with is there no more. */
  readonly isErased?: true;
};

/** What the model is told of a call. */
export type CallResult = {
  readonly callId: CallId;
  readonly text: string;
  /** There is no output: the text says why. */
  readonly isError?: true;
  readonly refusal?: string;
  /** Why there is none, for people. */
  readonly why?: Why;
  /** Which limit it was refused for. */
  readonly limit?: string;
  readonly status: CallState["status"];
  readonly startedAt: string;
  readonly endedAt: string;
  /** When a person was asked about it, where one was. */
  readonly askedAt?: string;
};

/** Why a move failed or was blocked. */
export type Why = { readonly code: ErrorCode; readonly reason: string };

type Content = ReadonlyMap<string, ContentRow>;

/** A step as the model's answer begins it. */
export function stepOf(
  { stepId, output, calls, ts: endedAt }: Extract<JournalRecord, { kind: "model.settled" }>,
  content: Content,
  startedAt: string = endedAt,
): RunStep {
  const { text = "", toolCalls = [] } = (payloadIn(content, output) ?? {}) as Partial<Answer>;
  const proposed = calls.map(({ callId, tool }, index): ProposedCall => {
    const { id = callId, args } = toolCalls[index] ?? {};
    if (args === undefined) return { id, name: tool, args: null, callId, index, isErased: true };
    return { id, name: tool, args, callId, index };
  });
  return { stepId, startedAt, endedAt, text, calls: proposed, results: [] };
}

type Answer = { readonly text: string; readonly toolCalls: readonly Partial<ModelToolCall>[] };

/** What was erased is not there for the model either. */
export function payloadIn(content: Content, digest: ContentDigest | undefined): JsonValue {
  const row = digest && content.get(digest.ref);
  const text = textOf(row);
  if (row === undefined || text === undefined) return null;
  return knownValue(row) ?? readPayload(text);
}

/** The steps, the last of which nobody answers, or somebody is asked. */
export function withAlone(steps: readonly RunStep[], isAlone: boolean): readonly RunStep[] {
  const { isAlone: _, ...step } = steps.at(-1) ?? {};
  if (!("text" in step)) return steps;
  return [...steps.slice(0, -1), isAlone ? { ...step, isAlone } : step];
}

/** The steps with what a call of the last one has come to. */
export function withResult(
  steps: readonly RunStep[],
  call: CallState,
  content: Content,
  endedAt: string,
): readonly RunStep[] {
  const step = steps.at(-1);
  const isThis = ({ callId }: { readonly callId: CallId }) => callId === call.callId;
  // What is heard of it later changes nothing that the model was told.
  if (step === undefined || !step.calls.some(isThis) || step.results.some(isThis)) return steps;
  return [...steps.slice(0, -1), { ...step, results: [...step.results, resultOf(call, content, endedAt)] }];
}

/** B13: what was refused is told with why, and what would have allowed it. */
function resultOf(call: CallState, content: Content, endedAt: string): CallResult {
  const said = recordedOutput(call, (digest) => (digest === undefined ? undefined : content.get(digest.ref)));
  const { callId, status, askedAt, opening } = call;
  const times = { startedAt: opening.ts, endedAt, ...(askedAt !== undefined && { askedAt }) };
  const ended = { callId, status, ...times };
  if ("text" in said) return { ...ended, text: said.text };
  const { code, message } = said.error;
  const text = JSON.stringify({ error: { code, message } });
  if (opening.kind !== "call.refused")
    return { ...ended, text, isError: true, why: { code, reason: message } };
  const { verdict } = opening;
  const limit = limitOf(verdict);
  // What a person has denied, the judge had only asked about.
  const why = { code, reason: verdict.code === code ? verdict.reason : message };
  return { ...ended, text, isError: true, refusal: code, why, ...(limit !== undefined && { limit }) };
}
