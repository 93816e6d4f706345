// G2: a default belongs to the level of whoever opened the caller, and is filled in there before levels are combined. Filled in
// afterwards, a level that says more than the default would raise what whoever opened the caller has left out.
import { agentPolicySchema, type BudgetPolicy, type ParsedPolicy } from "./agent-policy.ts";
import type { PolicyLevel, PolicyLevelName } from "./policy-levels.ts";

/**
 * Children that a run may start where whoever opened it does not say.
 * @limit child.children | `budget_exceeded` | `budget.maxChildren` of a policy
 */
const defaultMaxChildren = 1;
/**
 * How deep they may stand where whoever opened it does not say.
 * @limit child.depth | `budget_exceeded` | `budget.maxDepth` of a policy
 */
const defaultMaxDepth = 1;
/** The other limits of a budget have no default: left out, they do not bound. */
export const defaultBudget = {
  maxChildren: defaultMaxChildren,
  maxDepth: defaultMaxDepth,
} as const satisfies BudgetPolicy;

/** Whose levels are those of whoever opened the caller: a host's is `agent`, a platform's `server`. */
const openers: ReadonlySet<PolicyLevelName> = new Set(["agent", "server"]);
const silentOpener: PolicyLevel = { level: "server", policy: agentPolicySchema.parse({}) };

/**
 * Levels as they are combined, not as they are hashed: with the defaults of whoever opened the caller, `approvalMs` among them, for what
 * any level says. Where the opener has no level, as a platform without a policy, it counts as one that says nothing. Runs know
 * nothing of each other where the opener does not say what: no other level's `session` counts then.
 */
export function fillDefaults(levels: readonly PolicyLevel[], approvalMs?: number): readonly PolicyLevel[] {
  const isOpened = levels.some(({ level }) => openers.has(level));
  const all = isOpened ? levels : [silentOpener, ...levels];
  const isSession = all.every(({ level, policy }) => !openers.has(level) || policy.session !== undefined);
  const defaults = defaultsFor(levels, approvalMs);
  return all.map(({ level, policy: { session, ...rest } }) => ({
    level,
    policy: {
      ...(openers.has(level) ? filled(rest, defaults) : rest),
      ...(isSession && session && { session }),
    },
  }));
}

type Defaults = Pick<ParsedPolicy, "budget" | "approvals">;

/** Of what no level says nothing is filled in. */
function defaultsFor(levels: readonly PolicyLevel[], approvalMs: number | undefined): Defaults {
  const isSaid = (read: (policy: ParsedPolicy) => unknown) =>
    levels.some(({ policy }) => read(policy) !== undefined);
  const { maxChildren, maxDepth } = defaultBudget;
  const budget = {
    ...(isSaid((policy) => policy.budget?.maxChildren) && { maxChildren }),
    ...(isSaid((policy) => policy.budget?.maxDepth) && { maxDepth }),
  };
  const isTimed = approvalMs !== undefined && isSaid(({ approvals }) => approvals?.ttlMs);
  return {
    ...(Object.keys(budget).length > 0 && { budget }),
    ...(isTimed && { approvals: { ttlMs: approvalMs } }),
  };
}

function filled(policy: ParsedPolicy, { budget, approvals }: Defaults): ParsedPolicy {
  return {
    ...policy,
    ...(budget && { budget: { ...budget, ...policy.budget } }),
    ...(approvals && { approvals: { ...approvals, ...policy.approvals } }),
  };
}
