// S2: a child's budget comes out of its parent's. What it may use up at most is set aside when it starts, so that whatever runs at once,
// all of them together stay within what the first of them was given.
import { BudgetExceededError, type BudgetPolicy, type DepthBudget, type Spent } from "@spfunctions/contracts";
import { childDepthBudget, requireChildStart } from "./depth-budget.ts";

export type ChildBudget = {
  /** What the child is judged under. */
  readonly budget: BudgetPolicy;
  /** Where it stands, and what it may start itself. */
  readonly depth: DepthBudget;
  /** What is set aside for it, and for whatever it may start itself. */
  readonly reserved: Spent;
};

export type BudgetLeft = {
  /** What its parent may use up in all. */
  readonly budget: BudgetPolicy;
  /** Where its parent stands. */
  readonly depth: DepthBudget;
  /** What its parent has used up, with what is set aside for other children. */
  readonly used: Spent;
  /** How many others are about to start: what is left is theirs, too. */
  readonly others?: number | undefined;
  /** How long its parent has done something by now. */
  readonly activeMs: number;
};

/** How each limit is counted; a parent keeps a step to say its own last word with, and a call to answer its child with. */
const counted = [
  { limit: "maxSteps", amount: ({ steps = 0 }: Spent) => steps, kept: 1 },
  { limit: "maxToolCalls", amount: ({ toolCalls = 0 }: Spent) => toolCalls, kept: 1 },
  {
    limit: "maxTokens",
    amount: ({ inputTokens = 0, outputTokens = 0 }: Spent) => inputTokens + outputTokens,
    kept: 0,
  },
  { limit: "budgetUsd", amount: ({ usd = 0 }: Spent) => usd, kept: 0 },
] as const;

/**
 * What is asked for, as far as it is there; where nothing is asked for, an equal part for each child that may still start, and one for
 * their parent. `most`: what a policy of the child's own says besides, which only lowers.
 */
export function childBudget(
  parent: BudgetLeft,
  asked: BudgetPolicy = {},
  most: BudgetPolicy = {},
): ChildBudget {
  const { budget, depth, used, others = 0 } = parent;
  const { children: started = 0 } = used;
  requireChildStart(depth, started + others);
  const children = depth.maxChildren - started;
  const given: Record<string, number> = {};
  for (const { limit, amount, kept } of counted) {
    const whole = budget[limit];
    const left = whole === undefined ? undefined : leftOf(limit, whole - kept, amount(used));
    const part = left === undefined ? undefined : shareOf(limit, left, children + 1);
    const got = lowest(asked[limit] ?? part, left, most[limit]);
    if (got !== undefined) given[limit] = got;
  }
  const maxChildren = lowest(asked.maxChildren ?? 0, most.maxChildren, children - 1 - others) ?? 0;
  const wall = wallOf(parent, asked, most);
  const { maxSteps, maxToolCalls, maxTokens, budgetUsd } = given;
  return {
    budget: { ...given, maxChildren, ...(wall !== undefined && { maxWallMs: wall }) },
    depth: childDepthBudget(
      { ...depth, maxDepth: lowest(depth.maxDepth, asked.maxDepth, most.maxDepth) ?? 0 },
      maxChildren,
    ),
    reserved: {
      ...(maxSteps !== undefined && { steps: maxSteps }),
      ...(maxToolCalls !== undefined && { toolCalls: maxToolCalls }),
      ...(maxTokens !== undefined && { inputTokens: maxTokens }),
      ...(budgetUsd !== undefined && { usd: budgetUsd }),
      children: 1 + maxChildren,
    },
  };
}

/** Time is not divided: who runs at once has the same. */
function wallOf(
  { budget, activeMs }: BudgetLeft,
  asked: BudgetPolicy,
  most: BudgetPolicy,
): number | undefined {
  const left =
    budget.maxWallMs === undefined ? undefined : leftOf("maxWallMs", budget.maxWallMs, Math.ceil(activeMs));
  return lowest(left, asked.maxWallMs, most.maxWallMs);
}

/** Of those that are there. */
function lowest(...all: readonly (number | undefined)[]): number | undefined {
  const there = all.filter((one) => one !== undefined);
  return there.length === 0 ? undefined : Math.min(...there);
}

function leftOf(limit: string, most: number, used: number): number {
  const left = most - used;
  if (left > 0) return left;
  throw new BudgetExceededError(
    `nothing of ${limit} is left that a child could be given: no child is started; raise ${limit}`,
    { details: { limit, most, used } },
  );
}

/** Money is divided to the fraction, what is counted is not. */
function shareOf(limit: string, left: number, parts: number): number {
  const part = left / parts;
  return limit === "budgetUsd" ? part : Math.max(1, Math.floor(part));
}
