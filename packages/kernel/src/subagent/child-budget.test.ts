import type { BudgetPolicy, Spent } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { plus } from "../run/state/run-spent.ts";
import { childBudget } from "./child-budget.ts";

const budget = {
  maxSteps: 11,
  maxToolCalls: 8,
  maxTokens: 1000,
  budgetUsd: 2,
  maxWallMs: 5000,
  maxChildren: 2,
};
const depth = { currentDepth: 0, maxDepth: 1, maxChildren: 2 };
const fresh = { budget, depth, used: {}, activeMs: 0 };

describe("a child is given", () => {
  test("an equal part for each that may still start, and its parent has one, with a step and a call", () => {
    expect(childBudget({ ...fresh, budget: { ...budget, maxTokens: 900, budgetUsd: 3 } })).toStrictEqual({
      budget: { maxSteps: 3, maxToolCalls: 2, maxTokens: 300, budgetUsd: 1, maxChildren: 0, maxWallMs: 5000 },
      depth: { currentDepth: 1, maxDepth: 1, maxChildren: 0 },
      reserved: { steps: 3, toolCalls: 2, inputTokens: 300, usd: 1, children: 1 },
    });
  });

  test("half, where it is the only one, and 1 at least", () => {
    const one = { ...depth, maxChildren: 1 };
    expect(childBudget({ ...fresh, depth: one }).reserved).toMatchObject({ steps: 5, toolCalls: 3 });
    const used = { steps: 9, toolCalls: 6 };
    expect(childBudget({ ...fresh, depth: one, used }).reserved).toMatchObject({ steps: 1, toolCalls: 1 });
  });

  test("no more than a policy of its own lets it have, which gives it nothing", () => {
    const deep = { currentDepth: 0, maxDepth: 4, maxChildren: 5 };
    const most = { maxSteps: 1, maxToolCalls: 50, maxWallMs: 10, maxChildren: 1, maxDepth: 2 };
    expect(childBudget({ ...fresh, depth: deep }, { maxChildren: 3, maxDepth: 3 }, most)).toMatchObject({
      budget: { maxSteps: 1, maxToolCalls: 1, maxWallMs: 10, maxChildren: 1 },
      depth: { currentDepth: 1, maxDepth: 2, maxChildren: 1 },
      reserved: { children: 2 },
    });
    expect(childBudget({ ...fresh, depth: deep }, {}, most).depth.maxChildren).toBe(0);
    expect(childBudget({ ...fresh, depth: deep }, { maxDepth: 3 }).depth.maxDepth).toBe(3);
  });

  test("what is asked for it, and no more than is left", () => {
    const used = { steps: 6, toolCalls: 6, inputTokens: 300, outputTokens: 600, children: 1 };
    const asked = { maxSteps: 2, maxToolCalls: 5, maxTokens: 5000, maxWallMs: 9000, maxChildren: 4 };
    expect(childBudget({ ...fresh, used, activeMs: 4500.5 }, asked).budget).toStrictEqual({
      maxSteps: 2,
      maxToolCalls: 1,
      maxTokens: 100,
      budgetUsd: 1,
      maxChildren: 0,
      maxWallMs: 499,
    });
  });

  test("children of its own only where they are asked for, out of its parent's", () => {
    const { budget: own, reserved } = childBudget(
      { ...fresh, budget: {}, depth: { ...depth, maxChildren: 5 } },
      { maxChildren: 2 },
    );
    expect([own, reserved]).toStrictEqual([{ maxChildren: 2 }, { children: 3 }]);
  });

  test("no limit where its parent has none", () => {
    expect(childBudget({ ...fresh, budget: {} })).toMatchObject({
      budget: { maxChildren: 0 },
      reserved: { children: 1 },
    });
  });
});

test.each([
  ["maxSteps", { steps: 10 }],
  ["maxToolCalls", { toolCalls: 7 }],
  ["maxTokens", { inputTokens: 600, outputTokens: 400 }],
  ["budgetUsd", { usd: 2 }],
  ["maxChildren", { children: 2 }],
])("none is started where nothing is left of %s", (limit, used) => {
  const { code, details } = refusalOf(() => childBudget({ ...fresh, used }));
  expect([code, details?.limit]).toStrictEqual(["budget_exceeded", limit]);
});

const limits = fc.record(
  {
    maxSteps: fc.nat(50),
    maxToolCalls: fc.nat(50),
    maxTokens: fc.nat(5000),
    budgetUsd: fc.double({ min: 0, max: 5, noNaN: true }),
    maxChildren: fc.nat(6),
  },
  { requiredKeys: [] },
);

test("S2: whatever is asked for, and however often, all that is set aside stays within what there was", () => {
  fc.assert(
    fc.property(limits, fc.array(limits, { maxLength: 8 }), (most: BudgetPolicy, all: BudgetPolicy[]) => {
      let used: Spent = {};
      for (const asked of all) {
        try {
          const child = childBudget(
            { budget: most, depth: { ...depth, maxChildren: most.maxChildren ?? 1 }, used, activeMs: 0 },
            asked,
          );
          used = plus(used, child.reserved);
          const beyond = Object.entries(child.budget).filter(
            ([limit, amount = 0]) => amount > (most[limit as keyof BudgetPolicy] ?? Number.POSITIVE_INFINITY),
          );
          expect(beyond).toStrictEqual([]);
        } catch (error) {
          if ((error as { code?: string }).code !== "budget_exceeded") throw error;
        }
      }
      const { steps = 0, toolCalls = 0, inputTokens = 0, usd = 0, children = 0 } = used;
      const { maxSteps = steps, maxToolCalls = toolCalls, maxTokens = inputTokens, budgetUsd = usd } = most;
      const within = [
        steps <= maxSteps,
        toolCalls <= maxToolCalls,
        inputTokens <= maxTokens,
        usd <= budgetUsd + 1e-9,
        children <= (most.maxChildren ?? 1),
      ];
      expect(within).toStrictEqual(within.map(() => true));
    }),
  );
});
