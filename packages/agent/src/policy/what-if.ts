import {
  type CallId,
  combinedBudget,
  type Digest,
  type EffectTerminalStatus,
  type ErrorCode,
  keyForMessage,
  policyDigest,
  type PolicyLevel,
  type Verdict,
} from "@spfunctions/contracts";
import { type Installation, keptLevels } from "@spfunctions/kernel";
import {
  type Decision,
  decisionOf,
  type ExplainedDecision,
  explainedDecision,
  inWords,
  isSameDecision,
} from "./decision.ts";
import type { TraceSource } from "../trace/trace-source.ts";
import { type GivenPolicy, parseGivenPolicy } from "./given-levels.ts";
import { judgePastCalls } from "./judge-past-call.ts";
import { isReplayed, type PastCall, readPastCalls } from "./past-calls.ts";

/** What was decided then, and how the call ended. */
export type PastDecision = Decision & {
  readonly status: EffectTerminalStatus;
  /** What its caller was told where it was refused or failed. */
  readonly error?: ErrorCode;
};

/** A recorded call: what it was, and what it would be. */
export type WhatIfCall = {
  /** Which of the given traces has it, from 1. */
  readonly trace: number;
  readonly callId: CallId;
  readonly tool: string;
  readonly toolDigest?: Digest;
  /** When it was made. */
  readonly at: string;
  readonly was: PastDecision;
  readonly now: ExplainedDecision;
  /** Whether outcome, gate or code is another, or it would be cut off. */
  readonly differs: boolean;
  /** It took longer than it would be given now. */
  readonly cutOff?: { readonly tookMs: number; readonly afterMs: number };
  /** What a record does not show could decide: then the answer is `now`, or this. */
  readonly uncertain?: { readonly because: string; readonly otherwise: ExplainedDecision };
};

export type WhatIfDifference = WhatIfCall & { readonly sentence: string };

type OutcomeCounts = { readonly [Outcome in Verdict["outcome"]]: number };

/** What a policy would have made of recorded calls; plain JSON. */
export type WhatIf = {
  readonly calls: readonly WhatIfCall[];
  readonly counts: {
    readonly calls: number;
    readonly different: number;
    readonly uncertain: number;
    readonly was: OutcomeCounts;
    readonly now: OutcomeCounts;
  };
  readonly differences: readonly WhatIfDifference[];
};

export type WhatIfOptions = {
  /** The one that the traces come from: a policy with a `confirmToken` is then known again as the one that was in force. */
  readonly installation?: Pick<Installation, "keyHash">;
};

/**
 * Judges every recorded call anew, as it was made, under another policy. Nothing runs. A trace that is not what was written is
 * refused, as `openReplay` refuses it.
 */
export async function whatIf(
  policy: GivenPolicy,
  traces: readonly TraceSource[],
  { installation }: WhatIfOptions = {},
): Promise<WhatIf> {
  const given = parseGivenPolicy(policy);
  const levels = installation === undefined ? given : keptLevels(given, installation.keyHash);
  const calls = compareCalls(levels, await readPastCalls(traces));
  const differences = calls.flatMap((call) =>
    call.differs ? [{ ...call, sentence: sentenceOf(call) }] : [],
  );
  return { calls, counts: countsOf(calls), differences };
}

function compareCalls(levels: readonly PolicyLevel[], calls: readonly PastCall[]): WhatIfCall[] {
  const judge = judgePastCalls(levels);
  const { maxWallMs = Infinity } = combinedBudget(levels);
  return calls.map((call) => {
    const { verdict, otherwise } = judge(call);
    const isLate =
      verdict.outcome === "allow" &&
      ranFor(call) > maxWallMs &&
      call.verdict.policyDigest !== policyDigest(levels, call.verdict.rules);
    const { callId, tool, toolDigest, startedAt } = call.entry;
    return {
      trace: call.trace,
      callId,
      tool,
      ...(toolDigest === undefined ? {} : { toolDigest }),
      at: startedAt,
      was: pastDecision(call),
      now: explainedDecision(verdict),
      differs: isLate || !isSameDecision(call.verdict, verdict),
      ...(isLate && { cutOff: { tookMs: ranFor(call), afterMs: maxWallMs } }),
      ...(otherwise && {
        uncertain: { because: otherwise.because, otherwise: explainedDecision(otherwise.verdict) },
      }),
    };
  });
}

/** Milliseconds that it took to come to its own end; what was replayed took none. */
function ranFor(call: PastCall): number {
  const { status, durationMs } = call.entry;
  return (status === "completed" || status === "failed") && !isReplayed(call) ? durationMs : 0;
}

function pastDecision({ verdict, entry: { status, error } }: PastCall): PastDecision {
  return { ...decisionOf(verdict), status, ...(error && { error: error.code }) };
}

function sentenceOf({ tool, callId, at, was, now, uncertain, cutOff }: WhatIfCall): string {
  const remedy = now.remedy === undefined ? "" : `; ${now.remedy}`;
  const why = now.outcome === "allow" ? "" : `: ${now.reason}${remedy}`;
  const doubt =
    uncertain === undefined
      ? ""
      : ` Not certain: ${uncertain.because}. It could also be ${inWords(uncertain.otherwise)}.`;
  const late =
    cutOff === undefined ? "" : `, and cut off after ${cutOff.afterMs} ms: it took ${cutOff.tookMs} ms`;
  return `${keyForMessage(tool)} (${callId}, ${at}) was ${inWords(was)} and would be ${inWords(now)}${why}${late}.${doubt}`;
}

function countsOf(calls: readonly WhatIfCall[]): WhatIf["counts"] {
  const counted = (when: "was" | "now"): OutcomeCounts => {
    const counts = { allow: 0, deny: 0, ask: 0 };
    for (const call of calls) counts[call[when].outcome] += 1;
    return counts;
  };
  return {
    calls: calls.length,
    different: calls.filter(({ differs }) => differs).length,
    uncertain: calls.filter(({ uncertain }) => uncertain !== undefined).length,
    was: counted("was"),
    now: counted("now"),
  };
}
