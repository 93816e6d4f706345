// G2: each level is judged on its own, and every level must pass. Nothing here merges permissions: only the
// numbers that bound a run are combined, always to the stricter one.
import { z } from "zod";
import { costEffectRank } from "../effect/cost-effect.ts";
import {
  type SideEffect,
  sideEffectRank,
  sideEffectsAllowedByName,
  sideEffectsUnder,
} from "../effect/side-effect.ts";
import { hashInput } from "../hash/hash-input.ts";
import type { Digest } from "../identity/ids.ts";
import type { ApprovalPolicy, BudgetPolicy, ParsedPolicy, SessionPolicy } from "./agent-policy.ts";
import type { HostRuleName } from "./host-rule.ts";

export const policyLevelNames = ["key", "server", "agent", "session", "run", "parent"] as const;
export const policyLevelNameSchema = z.enum(policyLevelNames);
export type PolicyLevelName = z.infer<typeof policyLevelNameSchema>;

/** One policy and whose it is. */
export type PolicyLevel = { readonly level: PolicyLevelName; readonly policy: ParsedPolicy };

/**
 * The identity of what a call is judged under: the whole list of levels, in order, and the host's own rules. Without rules it is the
 * digest of the levels alone.
 */
export function policyDigest(
  levels: readonly PolicyLevel[],
  rules: readonly HostRuleName[] | undefined = [],
): Digest {
  return hashInput(rules.length === 0 ? levels : { levels, rules });
}

/** Whether one level's ceiling admits a tool's side effect. `secret` and `runtime` need the tool's full name in `allowTools`. */
export function permitsSideEffect(
  policy: Pick<ParsedPolicy, "maxSideEffect" | "allowTools">,
  tool: { readonly name: string; readonly sideEffect: SideEffect },
): boolean {
  if (sideEffectsUnder(policy.maxSideEffect).has(tool.sideEffect)) return true;
  return (
    sideEffectsAllowedByName.has(tool.sideEffect) &&
    sideEffectRank(tool.sideEffect) <= sideEffectRank(policy.maxSideEffect) &&
    policy.allowTools?.includes(tool.name) === true
  );
}

export function combinedBudget(levels: readonly PolicyLevel[]): BudgetPolicy {
  const combined: { -readonly [Limit in keyof BudgetPolicy]: BudgetPolicy[Limit] } = {};
  for (const { policy } of levels) {
    for (const limit of Object.keys(policy.budget ?? {}) as (keyof BudgetPolicy)[]) {
      const value = policy.budget?.[limit] ?? Number.POSITIVE_INFINITY;
      combined[limit] = Math.min(combined[limit] ?? Number.POSITIVE_INFINITY, value);
    }
  }
  return combined;
}

/**
 * Approval is asked from the lowest class any level names. Besides `admin` keys, only those may answer whom every
 * level that asks has named: a level that asks for nothing lets nobody in.
 */
export function combinedApprovals(levels: readonly PolicyLevel[]): ApprovalPolicy {
  const rules = levels.flatMap(({ policy }) => policy.approvals ?? []);
  const side = lowest(rules, (rule) => rule.requireForSideEffectAtOrAbove, sideEffectRank);
  const cost = lowest(rules, (rule) => rule.requireForCostEffectAtOrAbove, costEffectRank);
  const ttlMs = lowest(rules, (rule) => rule.ttlMs, Number);
  const approvers = common(rules.filter(isAsking).map((rule) => rule.approvers ?? []));
  const onDenied = rules.some((rule) => rule.onDenied === "fail")
    ? "fail"
    : rules.find((rule) => rule.onDenied)?.onDenied;
  return {
    ...(side === undefined ? {} : { requireForSideEffectAtOrAbove: side }),
    ...(cost === undefined ? {} : { requireForCostEffectAtOrAbove: cost }),
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(approvers === undefined || approvers.length === 0 ? {} : { approvers }),
    ...(onDenied === undefined ? {} : { onDenied }),
  };
}

export function combinedSession(levels: readonly PolicyLevel[]): SessionPolicy | undefined {
  const rules = levels.flatMap(({ policy }) => policy.session ?? []);
  if (rules.length === 0) return undefined;
  return {
    persist: rules.every((rule) => rule.persist),
    ttlMs: Math.min(...rules.map((rule) => rule.ttlMs)),
    maxHistoryTokens: Math.min(...rules.map((rule) => rule.maxHistoryTokens)),
  };
}

function isAsking(rule: ApprovalPolicy): boolean {
  return rule.requireForSideEffectAtOrAbove !== undefined || rule.requireForCostEffectAtOrAbove !== undefined;
}

function lowest<Rule, Value>(
  rules: readonly Rule[],
  read: (rule: Rule) => Value | undefined,
  rank: (value: Value) => number,
): Value | undefined {
  return rules
    .map(read)
    .filter((value) => value !== undefined)
    .toSorted((a, b) => rank(a) - rank(b))[0];
}

function common<Item>(lists: readonly (readonly Item[])[]): Item[] | undefined {
  const [first, ...rest] = lists;
  return first?.filter((item) => rest.every((list) => list.includes(item)));
}
