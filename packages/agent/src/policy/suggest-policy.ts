import {
  type AgentPolicy,
  type CallId,
  type CostEffect,
  costEffectRank,
  costEffects,
  parsePolicy,
  permitsSideEffect,
  sideEffects,
} from "@spfunctions/contracts";
import type { TraceSource } from "../trace/trace-source.ts";
import { judgePastCalls } from "./judge-past-call.ts";
import { leastGuardrails, unrecordedVenue } from "./least-guardrails.ts";
import { type PastCall, readPastCalls } from "./past-calls.ts";
import { type Line, linesOf, withLess } from "./policy-lines.ts";

/** One thing that a suggested policy grants, and why. */
export type PolicyLine = Line & {
  readonly because: string;
  /** The calls that would be refused without it; for a ceiling or a number, with the next smaller one. */
  readonly calls: readonly CallId[];
};

export type SuggestedPolicy = { readonly policy: AgentPolicy; readonly lines: readonly PolicyLine[] };

/**
 * The least policy that allows every call that was allowed and made in the traces: nothing in it could be taken away or lowered
 * without refusing one of them. It knows of no other calls; what was refused stays so unless it is the same to a policy.
 */
export async function suggestPolicy(traces: readonly TraceSource[]): Promise<SuggestedPolicy> {
  const calls = (await readPastCalls(traces)).filter(wasMade);
  const policy = leastPolicy(calls);
  return { policy, lines: linesOf(policy).map((line) => explain(line, policy, calls)) };
}

/** Not so a call that was allowed and then not begun: cancelled before, or not in the trace that it was to be replayed from. */
function wasMade({ entry }: PastCall): boolean {
  return entry.status !== "denied_before_execution";
}

function leastPolicy(calls: readonly PastCall[]): AgentPolicy {
  const tools = [...new Set(calls.flatMap(({ contract }) => contract ?? []))];
  const allowTools = [...new Set(tools.map(({ name }) => name))].toSorted();
  const maxSideEffect = sideEffects.find((ceiling) =>
    tools.every((tool) => permitsSideEffect({ maxSideEffect: ceiling, allowTools }, tool)),
  );
  const maxCostEffect = costCeiling(tools.map(({ costEffect }) => costEffect));
  const trade = leastGuardrails(calls);
  return {
    allowTools,
    ...(maxSideEffect === undefined || maxSideEffect === "none" ? {} : { maxSideEffect }),
    ...(maxCostEffect === undefined ? {} : { maxCostEffect }),
    ...(trade && { trade }),
  };
}

/** The least ceiling over all of these, where that is above the one that a policy has unless it says another. */
function costCeiling(costs: readonly CostEffect[]): CostEffect | undefined {
  const usual = costEffectRank(parsePolicy({}).maxCostEffect);
  const highest = Math.max(usual, ...new Set(costs.map(costEffectRank)));
  return highest === usual ? undefined : costEffects[highest];
}

function explain(line: Line, policy: AgentPolicy, calls: readonly PastCall[]): PolicyLine {
  const judge = judgePastCalls([{ level: "agent", policy: parsePolicy(withLess(policy, line)) }]);
  // Taking a name away touches no other tool.
  const touched = line.path.startsWith("/allowTools/")
    ? calls.filter(({ entry }) => entry.tool === line.value)
    : calls;
  const refused = touched.filter((call) => judge(call).verdict.outcome !== "allow");
  return { ...line, because: reasonFor(line, refused), calls: refused.map(({ entry }) => entry.callId) };
}

function reasonFor({ path, value }: Line, refused: readonly PastCall[]): string {
  const without = path.startsWith("/max") || typeof value === "number" ? "with a lower one" : "without it";
  const [first] = refused.map(({ entry }) => entry.startedAt).toSorted();
  const count = refused.length === 1 ? "1 call" : `${refused.length} calls`;
  const advice = value === unrecordedVenue ? "; the venue of these orders is not recorded: put it here" : "";
  return `${without}, ${count} of ${toolsOf(refused)} would be refused, the first made at ${first}${advice}`;
}

const mostNames = 3;

function toolsOf(calls: readonly PastCall[]): string {
  const names = [...new Set(calls.map(({ entry }) => entry.tool))];
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more tools` : "";
  return `${names.slice(0, mostNames).join(", ")}${more}`;
}
