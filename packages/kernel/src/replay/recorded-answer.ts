// The answer that a journal or a trace has for a call: the recorded form, byte for byte (R2). What was held and not released has none.
import {
  ApprovalRequiredError,
  type ContentDigest,
  type ContentRow,
  type Digest,
  errorFor,
  hashText,
  NotFoundError,
  PolicyDeniedError,
  type Receipt,
  RecoveryNeededError,
  type SimpleFunctionsError,
  type ToolCallResult,
} from "@spfunctions/contracts";
import { retryAdvice } from "../call/retry-advice.ts";
import type { CallState } from "../journal/fold-calls.ts";
import { readPayload } from "../journal/read-payload.ts";
import { makeReceipt } from "../receipt/make-receipt.ts";

/** Finds a payload beside its record. */
export type ContentOf = (digest: ContentDigest | undefined) => ContentRow | undefined;

export type RecordedAnswer =
  | { readonly type: "completed"; readonly result: ToolCallResult }
  | { readonly type: "failed"; readonly error: SimpleFunctionsError; readonly receipt: Receipt };

/** The text of the output, or why there is none. */
export function recordedOutput(
  call: CallState,
  contentOf: ContentOf,
): { readonly text: string } | { readonly error: SimpleFunctionsError } {
  const error = recordedFailure(call, contentOf);
  if (error !== undefined) return { error };
  const text = textOf(contentOf(outputOf(call)));
  return text === undefined ? { error: erased(call) } : { text };
}

export function recordedAnswer(call: CallState, contentOf: ContentOf): RecordedAnswer {
  const receipt = recordedReceipt(call, contentOf);
  const said = recordedOutput(call, contentOf);
  if ("error" in said) return { type: "failed", error: said.error, receipt };
  const { text } = said;
  const { runId, callId, tool } = call.opening;
  const durationMs = call.ending?.durationMs ?? 0;
  const output = readPayload(text);
  return {
    type: "completed",
    result: { tool, runId, callId, output, redacted: [], durationMs, receipt, replayed: true },
  };
}

/** A receipt as the records give it; erased payloads have no hash any more. */
export function recordedReceipt(call: CallState, contentOf: ContentOf): Receipt {
  const { opening, ending, at } = call;
  return makeReceipt({
    opening,
    inputHash: hashOf(contentOf(opening.input)),
    outputHash: isGiven(call) ? hashOf(contentOf(outputOf(call))) : undefined,
    spent: ending?.spent ?? {},
    at,
  });
}

/** Whether the caller got an output. */
export function isGiven({ output, ending }: CallState): boolean {
  return (output === "free" || output === "released") && ending?.error === undefined;
}

export function outputOf({ resolved, ending }: CallState): ContentDigest | undefined {
  return resolved?.output ?? ending?.output;
}

function recordedFailure(call: CallState, contentOf: ContentOf): SimpleFunctionsError | undefined {
  const { opening, ending, status } = call;
  const { tool } = opening;
  if (opening.kind === "call.refused")
    return rethrown(opening.error, contentOf, { tool, ...askedIn(opening), verdict: opening.verdict });
  if (status === "waiting")
    return new ApprovalRequiredError(`${tool}: nobody had answered yet whether it may run`, {
      details: { tool, ...askedIn(opening) },
    });
  if (status === "intended" || status === "unknown" || call.output === "held") {
    return new RecoveryNeededError(`${tool}: nobody has seen how this call ended`, {
      details: { tool, callId: call.callId, reason: call.output === "held" ? "held" : status },
    });
  }
  if (call.withheld !== undefined) {
    return new PolicyDeniedError(
      textOf(contentOf(call.withheld.error.message)) ?? `${tool}: its output is withheld`,
      {
        details: { tool, stage: "post_tool", effectExecuted: true },
      },
    );
  }
  if (call.resolved !== undefined) {
    if (call.resolved.status === "completed" && call.resolved.output !== undefined) return undefined;
    return new RecoveryNeededError(
      `${tool}: it was found out later that this call ${call.resolved.status}; there is no answer`,
      {
        details: { tool, callId: call.callId, reason: call.resolved.status },
      },
    );
  }
  return ending?.error === undefined
    ? undefined
    : rethrown(
        ending.error,
        contentOf,
        { tool },
        opening.kind === "call.intended" ? retryAdvice(ending.error.code, opening) : {},
      );
}

/** Which approval it was about, as whoever called was told then. */
function askedIn(opening: CallState["opening"]): object {
  if (!("approval" in opening) || opening.approval === undefined) return {};
  const { approvalId, expiresAt } = opening.approval;
  return { approvalId, expiresAt };
}

type Failure = NonNullable<NonNullable<CallState["ending"]>["error"]>;

export function rethrown(
  { code, message, reason }: Failure,
  contentOf: ContentOf,
  details: object,
  more: { readonly retry?: "never" } = {},
): SimpleFunctionsError {
  const words = textOf(contentOf(message)) ?? "the message was erased";
  return errorFor(code, words, { details: { ...details, ...(reason !== undefined && { reason }) }, ...more });
}

function erased(call: CallState): SimpleFunctionsError {
  const { tool } = call.opening;
  return new NotFoundError(`${tool}: the recorded output was erased`, {
    details: { tool, reason: "erased" },
  });
}

export function textOf(row: ContentRow | undefined): string | undefined {
  return row !== undefined && "text" in row ? row.text : undefined;
}

function hashOf(row: ContentRow | undefined): Digest | undefined {
  const text = textOf(row);
  return text === undefined ? undefined : hashText(text);
}
