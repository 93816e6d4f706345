import { expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { childDepthBudget, depthBudget, requireChildStart } from "./depth-budget.ts";

const limitOf = (act: () => unknown) => {
  const { code, details } = refusalOf(act);
  return [code, details?.limit];
};

// proves CHILD-10.4, CHILD-10.5, CHILD-10.6, CHILD-10.16
test("a run may start one child, unless said", () => {
  expect(depthBudget(2)).toStrictEqual({ currentDepth: 0, maxDepth: 2, maxChildren: 1 });
  expect(() => requireChildStart(depthBudget(1), 0)).not.toThrow();
  expect(limitOf(() => requireChildStart(depthBudget(1), 1))).toStrictEqual([
    "budget_exceeded",
    "maxChildren",
  ]);
});

// proves CHILD-1.18, CHILD-10.7, CHILD-10.8, CHILD-10.11
test("none is started at a depth of 0, or where the depth is used up", () => {
  for (const budget of [depthBudget(0), { currentDepth: 3, maxDepth: 3, maxChildren: 9 }])
    expect(limitOf(() => requireChildStart(budget, 0))).toStrictEqual(["budget_exceeded", "maxDepth"]);
});

// proves CHILD-10.9, CHILD-10.10, CHILD-10.11
test("none is started where there are to be no children; where both are used up, the depth is said", () => {
  const none = { currentDepth: 0, maxDepth: 1, maxChildren: 0 };
  expect(limitOf(() => requireChildStart(none, 0))).toStrictEqual(["budget_exceeded", "maxChildren"]);
  const both = { ...none, currentDepth: 1 };
  expect(limitOf(() => requireChildStart(both, 0))).toStrictEqual(["budget_exceeded", "maxDepth"]);
});

// proves CHILD-10.13, CHILD-10.14, CHILD-10.15
test("a child stands one deeper, and has no children unless it was given some", () => {
  const child = childDepthBudget(depthBudget(2));
  expect(child).toStrictEqual({ currentDepth: 1, maxDepth: 2, maxChildren: 0 });
  expect(limitOf(() => requireChildStart(child, 0))).toStrictEqual(["budget_exceeded", "maxChildren"]);
  const grandparent = childDepthBudget(depthBudget(2), 3);
  expect(() => requireChildStart(grandparent, 2)).not.toThrow();
  expect(limitOf(() => requireChildStart(childDepthBudget(grandparent, 3), 0))).toStrictEqual([
    "budget_exceeded",
    "maxDepth",
  ]);
});
