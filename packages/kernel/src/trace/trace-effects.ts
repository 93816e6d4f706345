import {
  type ContentDigest,
  canonicalJson,
  cutText,
  type EffectIntent,
  type EffectResult,
  type JournalRecord,
  type RuntimePackage,
  type ToolCallRequest,
  type ToolExecutionRequest,
  type TraceEntry,
} from "@spfunctions/contracts";
import type { CallState } from "../journal/fold-calls.ts";
import { snapshotOf, ToolRouter } from "../package/tool-router.ts";
import { outputOf } from "../replay/recorded-answer.ts";
import type { Trace } from "./read-trace.ts";
import { maxSummaryChars, traceEntries } from "./trace-entries.ts";

/** One effect, as somebody needs it who holds a journal against the books of another side. */
export type TracedEffect = {
  readonly request: ToolCallRequest;
  readonly intent: EffectIntent;
  /** Absent where nobody has seen its end. */
  readonly result?: EffectResult;
  /** What its executor was asked to do, by which route and how: where the package is given that it ran under. */
  readonly execution?: ToolExecutionRequest;
};

/** The effects of a trace in the order in which they were begun. Reads that nothing had to be written before are none. */
export function traceEffects(
  trace: Pick<Trace, "calls" | "content">,
  runtimePackage?: RuntimePackage,
): TracedEffect[] {
  const entries = new Map(traceEntries(trace).map((entry) => [entry.callId, entry]));
  const executionOf = runtimePackage === undefined ? () => undefined : executionsUnder(runtimePackage);
  return [...trace.calls.values()].flatMap((call) => {
    const entry = entries.get(call.callId);
    if (call.opening.kind !== "call.intended" || entry === undefined) return [];
    const effect = effectOf(call, call.opening, entry);
    const execution = executionOf(effect);
    return [execution === undefined ? effect : { ...effect, execution }];
  });
}

function executionsUnder(runtimePackage: RuntimePackage) {
  const { fingerprint, strategy } = runtimePackage;
  const router = new ToolRouter(snapshotOf(runtimePackage));
  return ({ request, intent }: TracedEffect): ToolExecutionRequest | undefined => {
    if (intent.packageFingerprint !== fingerprint) return undefined;
    const resolution = router.resolve(request);
    if (resolution.type === "refused") return undefined;
    return { resolvedCall: resolution.call, effectIntent: intent, strategy };
  };
}

type Intended = Extract<JournalRecord, { kind: "call.intended" }>;

function effectOf(call: CallState, opening: Intended, entry: TraceEntry): TracedEffect {
  const { ending } = call;
  const summary = entry.erased?.includes("input") === true ? "(erased)" : shortOf(entry.input);
  return {
    request: requestOf(opening, summary),
    intent: intentOf(opening, entry, summary),
    ...(ending !== undefined && {
      result: {
        effectId: opening.effectId,
        terminalStatus: entry.status,
        contentRefs: refsOf(outputOf(call), call.withheld?.error.message, ending.error?.message),
        redactedSummary: entry.error?.message ?? entry.outputSummary,
        ...(ending.externalOperationId !== undefined && { externalOperationId: ending.externalOperationId }),
        ...(ending.reconciliationRef !== undefined && { reconciliationRef: ending.reconciliationRef }),
        ...(entry.error !== undefined && { errorRef: entry.error.code }),
      },
    }),
  };
}

function requestOf(
  { callId, tool, origin, input, idempotencyKey, effectId }: Intended,
  redactedArgsSummary: string,
): ToolCallRequest {
  const asked = {
    callId,
    canonicalToolName: tool,
    origin,
    requestedArgsRefs: [input.ref],
    redactedArgsSummary,
  };
  // Whoever gives no key has the effect's own.
  return idempotencyKey === effectId ? asked : { ...asked, idempotencyKey };
}

function intentOf(opening: Intended, { inputHash }: TraceEntry, redactedSummary: string): EffectIntent {
  const { effectId, runId, callId, tool, toolDigest, sideEffect, costEffect, idempotency } = opening;
  const { idempotencyKey, verdict, packageFingerprint, approval, input, ts } = opening;
  return {
    effectId,
    runId,
    callId,
    tool,
    toolDigest,
    ...(inputHash !== undefined && { inputHash }),
    sideEffect,
    costEffect,
    idempotency,
    idempotencyKey,
    policyDigest: verdict.policyDigest,
    packageFingerprint,
    ...(approval !== undefined && { approvalId: approval.approvalId }),
    contentRefs: [input.ref],
    redactedSummary,
    intendedAt: ts,
  };
}

function shortOf(value: unknown): string {
  return cutText(canonicalJson(value), maxSummaryChars);
}

function refsOf(...digests: readonly (ContentDigest | undefined)[]): EffectResult["contentRefs"] {
  return digests.flatMap((digest) => (digest === undefined ? [] : [digest.ref]));
}
