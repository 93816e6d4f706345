import {
  BudgetExceededError,
  type BudgetPolicy,
  defaultBudget,
  type DepthBudget,
} from "@spfunctions/contracts";

/** Of a run that nobody has started but a host: one child, no deeper than said. */
export function depthBudget(maxDepth: number): DepthBudget {
  return { currentDepth: 0, maxDepth, maxChildren: defaultBudget.maxChildren };
}

/** Of such a run by its policies. */
export function depthBudgetOf({
  maxDepth = defaultBudget.maxDepth,
  maxChildren = defaultBudget.maxChildren,
}: BudgetPolicy): DepthBudget {
  return { ...depthBudget(maxDepth), maxChildren };
}

/** Whether one more child may be started, after so many. */
export function requireChildStart(
  { currentDepth, maxDepth, maxChildren }: DepthBudget,
  started: number,
): void {
  if (currentDepth >= maxDepth)
    throw new BudgetExceededError(
      `maxDepth is ${maxDepth}, and this run stands at depth ${currentDepth}: no child is started; raise maxDepth to allow one`,
      { details: { limit: "maxDepth", most: maxDepth, wouldBe: currentDepth + 1 } },
    );
  if (started >= maxChildren)
    throw new BudgetExceededError(
      `maxChildren is ${maxChildren}, and so many were started: no other child is; raise maxChildren to allow more`,
      { details: { limit: "maxChildren", most: maxChildren, wouldBe: started + 1 } },
    );
}

/** What a child may do in its turn; it has no children unless it was given some of its parent's. */
export function childDepthBudget({ currentDepth, maxDepth }: DepthBudget, maxChildren = 0): DepthBudget {
  return { currentDepth: currentDepth + 1, maxDepth, maxChildren };
}
