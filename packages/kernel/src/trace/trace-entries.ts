import { type ContentDigest, cutText, type TraceEntry } from "@spfunctions/contracts";
import type { CallState } from "../journal/fold-calls.ts";
import { readPayload } from "../journal/read-payload.ts";
import { outputOf, recordedReceipt, textOf } from "../replay/recorded-answer.ts";
import type { Trace } from "./read-trace.ts";

export const maxSummaryChars = 200;

/** A trace as a person reads it: one entry a call, intent and result paired, in the order in which they were begun. */
export function traceEntries({ calls, content }: Pick<Trace, "calls" | "content">): TraceEntry[] {
  const rowOf = (digest: ContentDigest | undefined) =>
    digest === undefined ? undefined : content.get(digest.ref);
  return [...calls.values()].map((call) => entryOf(call, rowOf));
}

type RowOf = Parameters<typeof recordedReceipt>[1];

function entryOf(call: CallState, rowOf: RowOf): TraceEntry {
  const { opening, ending, at } = call;
  const { inputHash } = recordedReceipt(call, rowOf);
  const isGood = ending?.error === undefined || call.resolved?.output !== undefined;
  const isShown = isGood && (call.output === "free" || call.output === "released");
  const output = isShown ? textOf(rowOf(outputOf(call))) : undefined;
  const input = textOf(rowOf(opening.input));
  const error = call.withheld?.error ?? ending?.error ?? ("error" in opening ? opening.error : undefined);
  const erased = erasedIn(call, rowOf);
  const { traceId, runId, callId, tool, toolDigest, sideEffect, costEffect, principal, verdict } = opening;
  return {
    v: 1,
    traceId,
    runId,
    callId,
    type: "tool",
    tool,
    ...(toolDigest === undefined ? {} : { toolDigest }),
    ...(inputHash === undefined ? {} : { inputHash }),
    input: input === undefined ? null : readPayload(input),
    status: statusOf(call),
    output: output === undefined ? null : readPayload(output),
    outputSummary: cutText(output ?? "", maxSummaryChars),
    ...(error === undefined
      ? {}
      : { error: { code: error.code, message: textOf(rowOf(error.message)) ?? "(erased)" } }),
    ...(sideEffect === undefined ? {} : { sideEffect }),
    ...(costEffect === undefined ? {} : { costEffect }),
    principal,
    ...("approval" in opening && opening.approval && { approvalId: opening.approval.approvalId }),
    policyDigest: verdict.policyDigest,
    packageFingerprint: opening.packageFingerprint,
    startedAt: opening.ts,
    durationMs: ending?.durationMs ?? 0,
    seq: at.seq,
    hash: at.hash,
    ...(erased.length === 0 ? {} : { erased }),
  };
}

function statusOf({ status, opening }: CallState): TraceEntry["status"] {
  // What waits for a person has not run either.
  if (status === "refused" || status === "waiting") return "denied_before_execution";
  if (status === "intended") return "unknown";
  if (status !== "repeated") return status;
  return "error" in opening && opening.error !== undefined ? "failed" : "completed";
}

function erasedIn(call: CallState, rowOf: RowOf): ("input" | "output")[] {
  const parts = { input: call.opening.input, output: outputOf(call) };
  return (["input", "output"] as const).filter((part) => {
    const row = rowOf(parts[part]);
    return row !== undefined && "erased" in row;
  });
}
