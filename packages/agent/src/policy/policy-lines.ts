// A policy that only grants, line by line, and what it is with one line less.
import {
  type AgentPolicy,
  type CostEffect,
  costEffectRank,
  costEffects,
  type SideEffect,
  sideEffectRank,
  sideEffects,
  splitJsonPointer,
  tradeGuardrailsSchema,
} from "@spfunctions/contracts";
import type { GivenGuardrails } from "./least-guardrails.ts";

/** One thing that a policy grants: an entry of a list, a ceiling, a number, or a switch. */
export type Line = { readonly path: string; readonly value: string | number | boolean };

export function linesOf(value: unknown, path = ""): Line[] {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return [{ path, value }];
  return Object.entries(value as object).flatMap(([key, member]) => linesOf(member, `${path}/${key}`));
}

/** The policy without the line, or with the next smaller number or class in it. */
export function withLess(policy: AgentPolicy, { path, value }: Line): AgentPolicy {
  const [field, guardrail] = splitJsonPointer(path);
  const { trade, ...others } = policy;
  switch (field) {
    case "allowTools":
      return { ...policy, allowTools: policy.allowTools?.filter((name) => name !== value) };
    case "maxSideEffect":
      return { ...policy, maxSideEffect: sideEffects[sideEffectRank(value as SideEffect) - 1] };
    case "maxCostEffect":
      return { ...policy, maxCostEffect: costEffects[costEffectRank(value as CostEffect) - 1] };
    default: {
      const less = trade && guardrailsWithLess(trade, guardrail as keyof GivenGuardrails, value);
      return less === undefined ? others : { ...others, trade: less };
    }
  }
}

/** No guardrails at all, where with less they would be none: a list of no venue, a number below 0. */
function guardrailsWithLess(
  trade: GivenGuardrails,
  guardrail: keyof GivenGuardrails,
  value: Line["value"],
): GivenGuardrails | undefined {
  const { [guardrail]: _, ...others } = trade;
  const less =
    guardrail === "allowedVenues"
      ? { ...trade, allowedVenues: trade.allowedVenues.filter((venue) => venue !== value) }
      : typeof value === "number"
        ? { ...trade, [guardrail]: value - 1 }
        : others;
  return tradeGuardrailsSchema.safeParse(less).success ? (less as GivenGuardrails) : undefined;
}
