// What of a recorded call counts when two traces are held against each other: the tool, the input, and what became of it.
import {
  type CallId,
  type ContentDigest,
  type EffectTerminalStatus,
  type ErrorCode,
  hashText,
} from "@spfunctions/contracts";
import type { CallState } from "../journal/fold-calls.ts";
import { outputOf, textOf } from "../replay/recorded-answer.ts";
import type { Trace } from "./read-trace.ts";

/** Where a call stands in its trace. */
export type CallInTrace = {
  /** Which call of the trace it is, from 1. */
  readonly place: number;
  readonly callId: CallId;
  /** The record that ended it, or that opened it. */
  readonly seq: number;
  readonly tool: string;
};

/** A payload; one without its text was erased. */
export type Payload = { readonly digest: string; readonly text?: string };

export type DiffedCall = {
  readonly at: CallInTrace;
  readonly state: CallState;
  readonly input: Payload | undefined;
  /** What its caller was given. */
  readonly output: Payload | undefined;
  /** `repeated`: another call's answer was given, and nothing ran. */
  readonly status: EffectTerminalStatus | "repeated";
  readonly error: { readonly code: ErrorCode; readonly message?: Payload | undefined } | undefined;
};

/** The calls of a trace, in the order in which they were begun. */
export function diffedCalls({ calls, content }: Pick<Trace, "calls" | "content">): DiffedCall[] {
  const payloadOf = (digest: ContentDigest | undefined): Payload | undefined => {
    if (digest === undefined) return undefined;
    const text = textOf(content.get(digest.ref));
    return { digest: digest.digest, ...(text !== undefined && { text }) };
  };
  return [...calls.values()].map((state, index) => {
    const { callId, opening, at } = state;
    // The answer of a call that was only repeated is with the first one.
    const answer = opening.kind === "call.repeated" ? (calls.get(opening.of.callId) ?? state) : state;
    const error = errorOf(state);
    return {
      at: { place: index + 1, callId, seq: at.seq, tool: opening.tool },
      state,
      input: payloadOf(opening.input),
      output: error === undefined || isFoundOut(answer) ? payloadOf(givenOutput(answer)) : undefined,
      status: statusOf(state),
      error: error && { code: error.code, message: payloadOf(error.message) },
    };
  });
}

/** Whether two payloads are the same. An erased one is, where it was kept under the same salt; of others nobody can tell. */
export function isSamePayload(a: Payload | undefined, b: Payload | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.digest === b.digest || (a.text !== undefined && a.text === b.text);
}

export function isSameCall(a: DiffedCall, b: DiffedCall): boolean {
  return (
    a.at.tool === b.at.tool &&
    a.status === b.status &&
    a.error?.code === b.error?.code &&
    isSamePayload(a.input, b.input) &&
    isSamePayload(a.output, b.output)
  );
}

/** Calls of the same tool with the same input. */
export function toolAndInput({ at: { tool }, input }: DiffedCall): string {
  const hash = input?.text === undefined ? input?.digest : hashText(input.text);
  return `${hash ?? "none"} ${tool}`;
}

type Failure = { readonly code: ErrorCode; readonly message?: ContentDigest };

/** What its caller was told. Where the trace ends before the call does, a replay tells that it does. */
function errorOf(state: CallState): Failure | undefined {
  const { status, output, withheld, ending, opening } = state;
  if (withheld !== undefined) return withheld.error;
  if (status === "waiting") return { code: "approval_required" };
  if (status === "intended" || output === "held") return { code: "recovery_needed" };
  return ending?.error ?? ("error" in opening ? opening.error : undefined);
}

/** Whether an answer was found out after nobody knew. */
function isFoundOut({ resolved }: CallState): boolean {
  return resolved?.output !== undefined;
}

function givenOutput(state: CallState): ContentDigest | undefined {
  return state.output === "free" || state.output === "released" ? outputOf(state) : undefined;
}

function statusOf({ status }: CallState): DiffedCall["status"] {
  if (status === "refused" || status === "waiting") return "denied_before_execution";
  return status === "intended" ? "unknown" : status;
}
