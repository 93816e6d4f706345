// What a run may: every level is judged on its own and must pass (G2), so that what a run is given can only take away.
import {
  HostConfigurationNeededError,
  parsePolicy,
  type AgentPolicy,
  type ParsedPolicy,
  type PolicyLevel,
  type SideEffect,
  sideEffectRank,
} from "@spfunctions/contracts";
import type { RunTerms } from "./runtime-options.ts";

/** From here on a person is always asked: a policy may lift that for what stands below, and for nothing else. */
const alwaysAsked: SideEffect = "secret";
const askedByDefault: SideEffect = "user_write";

/** A runtime's own policy. B26: without bounds on what a model may do nothing begins. */
export function agentPolicy(given: AgentPolicy): ParsedPolicy {
  const policy = parsePolicy(given);
  const { budget, session, approvals } = policy;
  const missing = [
    budget?.maxSteps === undefined && "budget.maxSteps",
    budget?.maxToolCalls === undefined && "budget.maxToolCalls",
    session === undefined && "session",
  ].filter((one) => one !== false);
  if (missing.length > 0)
    throw new HostConfigurationNeededError(
      `a run that a model drives has bounds: its policy needs ${missing.join(", ")}, like { budget: { maxSteps: 20, maxToolCalls: 40 }, session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 } }`,
      { details: { reason: "no_bounds" } },
    );
  const wanted = approvals?.requireForSideEffectAtOrAbove ?? askedByDefault;
  const asked = sideEffectRank(wanted) < sideEffectRank(alwaysAsked) ? wanted : alwaysAsked;
  return { ...policy, approvals: { ...approvals, requireForSideEffectAtOrAbove: asked } };
}

/** The levels of one run: its runtime's, and what it is given besides. `besides`: tools that come with whichever are named. */
export function runLevels(
  policy: ParsedPolicy,
  { tools, maxSteps, policy: less }: RunTerms,
  besides: readonly string[],
): PolicyLevel[] {
  const levels: PolicyLevel[] = [{ level: "agent", policy }];
  if (less !== undefined) levels.push({ level: "session", policy: parsePolicy(less) });
  if (tools === undefined && maxSteps === undefined) return levels;
  const { maxSideEffect, maxCostEffect, trade, allowTools } = policy;
  const named = tools && [...tools, ...besides];
  const run = parsePolicy({
    maxSideEffect,
    maxCostEffect,
    ...(trade && { trade }),
    ...((named ?? allowTools) && { allowTools: named ?? allowTools }),
    ...(maxSteps !== undefined && { budget: { maxSteps } }),
  });
  return [...levels, { level: "run", policy: run }];
}
