// G2: whatever level is added to those that a call is judged under, nothing more is allowed. Every field of a policy is tried: the
// fields are read from the schema, so that a new field without a measure here, or without values in `arbitraryPolicy`, fails.
import {
  agentPolicySchema,
  combinedSession,
  defaultBudget,
  fillDefaults,
  parsePolicy,
  type PolicyLevel,
  policyLevelNames,
  type PolicyLevelName,
  sideEffectRank,
  costEffectRank,
  type AgentPolicy,
} from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { arbitraryPolicy } from "../../../contracts/test-data/arbitrary-policies.ts";
import { tools } from "../../test-data/judge-arbitraries.ts";
import { liveInput, openPolicy, order, principalWith } from "../../test-data/judge-samples.ts";
import { depthBudgetOf } from "../subagent/depth-budget.ts";
import { registerPacks } from "../tool/registry.ts";
import { compileJudge, type Judge } from "./judge.ts";

const registry = registerPacks([tools]);
const approvalMs = 3_600_000;
const openness = { deny: 0, ask: 1, allow: 2 };

function judgeUnder(levels: readonly PolicyLevel[]): Judge {
  return compileJudge({
    registry,
    levels,
    principal: principalWith(),
    surface: "agent",
    approvalMs,
    matchesConfirm: (given, kept) => kept === `hash of ${given}`,
  });
}

/** How open each of some calls is. */
const callsUnder =
  (calls: readonly { readonly tool: string; readonly input?: unknown }[]) =>
  (levels: readonly PolicyLevel[]): number[] => {
    const { judge } = judgeUnder(levels);
    return calls.map(({ tool, input }) => {
      const asked = {
        tool,
        origin: "direct",
        ...(input !== undefined && { input: liveInput(input) }),
      } as const;
      return openness[judge(asked).verdict.outcome];
    });
  };

const names = tools.map(({ contract }) => contract.name);
const ofEveryTool = callsUnder(names.map((tool) => ({ tool })));
const answeredByEveryTool = callsUnder(names.map((tool) => ({ tool, input: order })));

const trades = tools.filter(({ contract }) => contract.sideEffect === "live_trade").slice(0, 2);
const orders = [
  order,
  { ...order, venue: "paper" },
  { ...order, quantity: 15, limitPriceCents: 1 },
  { ...order, quantity: 5, limitPriceCents: 99 },
  { ...order, limitPriceCents: undefined },
  { ...order, dryRun: false },
  { ...order, autoExecute: true },
  { ...order, startsRuntime: true },
  { ...order, jurisdiction: "US-NY" },
  { ...order, jurisdiction: "DE" },
  { ...order, confirm: "kept" },
  { ...order, jurisdiction: "FR", confirm: "kept" },
].map((input) => JSON.parse(JSON.stringify(input)) as unknown);
const ofEveryOrder = callsUnder(
  trades.flatMap(({ contract }) => orders.map((input) => ({ tool: contract.name, input }))),
);

const unbounded = Number.POSITIVE_INFINITY;
const budgetOf = (limit: keyof Judge["budget"]) => (levels: readonly PolicyLevel[]) => [
  judgeUnder(levels).budget[limit] ?? unbounded,
];
const approvals = (levels: readonly PolicyLevel[]) => judgeUnder(levels).approvals;
const whole = (levels: readonly PolicyLevel[]) => combinedSession(fillDefaults(levels));

/** How much a list of levels allows by each field, as numbers: a higher one is more. */
const measures: Readonly<Record<string, (levels: readonly PolicyLevel[]) => readonly number[]>> = {
  "/allow": ofEveryTool,
  "/deny": ofEveryTool,
  "/allowTools": ofEveryTool,
  "/denyTools": ofEveryTool,
  "/maxSideEffect": ofEveryTool,
  "/maxCostEffect": ofEveryTool,
  "/trade/allowedVenues": ofEveryOrder,
  "/trade/maxOrderCostCents": ofEveryOrder,
  "/trade/maxQuantity": ofEveryOrder,
  "/trade/requireLimitPrice": ofEveryOrder,
  "/trade/dryRunOnly": ofEveryOrder,
  "/trade/allowAutoExecute": ofEveryOrder,
  "/trade/allowRuntimeStart": ofEveryOrder,
  "/trade/requireJurisdiction": ofEveryOrder,
  "/trade/jurisdiction": ofEveryOrder,
  "/trade/blockedJurisdictions": ofEveryOrder,
  "/trade/confirmToken": ofEveryOrder,
  "/budget/maxSteps": budgetOf("maxSteps"),
  "/budget/maxToolCalls": budgetOf("maxToolCalls"),
  "/budget/maxTokens": budgetOf("maxTokens"),
  "/budget/maxWallMs": budgetOf("maxWallMs"),
  "/budget/budgetUsd": budgetOf("budgetUsd"),
  "/budget/maxChildren": (levels) => [depthBudgetOf(judgeUnder(levels).budget).maxChildren],
  "/budget/maxDepth": (levels) => [depthBudgetOf(judgeUnder(levels).budget).maxDepth],
  "/approvals/requireForSideEffectAtOrAbove": (levels) => {
    const { requireForSideEffectAtOrAbove: from } = approvals(levels);
    return [from === undefined ? unbounded : sideEffectRank(from), ...answeredByEveryTool(levels)];
  },
  "/approvals/requireForCostEffectAtOrAbove": (levels) => {
    const { requireForCostEffectAtOrAbove: from } = approvals(levels);
    return [from === undefined ? unbounded : costEffectRank(from), ...answeredByEveryTool(levels)];
  },
  "/approvals/ttlMs": (levels) => [approvals(levels).ttlMs ?? approvalMs],
  "/approvals/approvers": (levels) => {
    const { approvers = [], ...asked } = approvals(levels);
    const isAsked =
      (asked.requireForSideEffectAtOrAbove ?? asked.requireForCostEffectAtOrAbove) !== undefined;
    // Without a question nobody has anything to answer, which is more than any answer.
    return ["key_1", "key_2", "key_3"].map((key) =>
      isAsked ? Number(approvers.some((one) => one === key)) : 2,
    );
  },
  "/approvals/onDenied": (levels) => [Number(approvals(levels).onDenied !== "fail")],
  // Runs of a session know nothing of each other where no session is kept: that is the least.
  "/session/persist": (levels) => [Number(whole(levels)?.persist ?? false)],
  "/session/ttlMs": (levels) => [whole(levels)?.ttlMs ?? 0],
  "/session/maxHistoryTokens": (levels) => [
    whole(levels)?.maxHistoryTokens ?? 0,
    combinedSession(levels)?.maxHistoryTokens ?? unbounded,
  ],
};

type JsonSchema = { readonly properties?: Readonly<Record<string, JsonSchema>> };
const jsonSchema = z.toJSONSchema(agentPolicySchema, { io: "input" }) as JsonSchema;
const fields = pathsOf(jsonSchema);

function pathsOf({ properties }: JsonSchema, path = ""): string[] {
  if (properties === undefined) return [path];
  return Object.entries(properties).flatMap(([name, member]) => pathsOf(member, `${path}/${name}`));
}

function pathsIn(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([name, member]) => pathsIn(member, `${path}/${name}`));
}

const named = (level: PolicyLevelName, policy: AgentPolicy): PolicyLevel => ({
  level,
  policy: parsePolicy(policy),
});
/** Policies by chance, and open ones that say a little by chance: of the first hardly any lets something pass. */
const anyPolicy = fc.oneof(
  arbitraryPolicy,
  fc.tuple(arbitraryPolicy, fc.subarray(Object.keys(agentPolicySchema.shape))).map(
    ([policy, kept]): AgentPolicy => ({
      ...openPolicy,
      ...Object.fromEntries(Object.entries(policy).filter(([field]) => kept.includes(field))),
    }),
  ),
);
const anyLevel = fc
  .tuple(fc.constantFrom(...policyLevelNames), anyPolicy)
  .map(([name, policy]) => named(name, policy));
const opener = fc
  .tuple(fc.constantFrom("agent" as const, "server" as const), fc.oneof(fc.constant({}), anyPolicy))
  .map(([name, policy]) => named(name, policy));
const inserted = (list: readonly PolicyLevel[], at: number, level: PolicyLevel) =>
  list.toSpliced(at % (list.length + 1), 0, level);

test("every field of the policy's schema has a measure here, and nothing else has", () => {
  expect(Object.keys(measures).toSorted()).toStrictEqual(fields.toSorted());
});

test("every field of the policy's schema has values in arbitraryPolicy", () => {
  const made = new Set(
    fc.sample(arbitraryPolicy, { numRuns: 2000, seed: 1 }).flatMap((policy) => pathsIn(policy)),
  );
  expect(fields.filter((field) => !made.has(field))).toStrictEqual([]);
});

describe("adding a level, whichever and wherever, never allows more by", () => {
  test.each(fields)("%s", (field) => {
    const measure = measures[field] ?? (() => []);
    fc.assert(
      fc.property(
        opener,
        fc.array(anyLevel, { maxLength: 3 }),
        anyLevel,
        fc.nat(),
        fc.nat(),
        (own, others, added, place, at) => {
          const before = inserted(others, place, own);
          const after = measure(inserted(before, at, added));
          for (const [index, most] of measure(before).entries())
            expect(after[index]).toBeLessThanOrEqual(most);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("a default is that of whoever opened the caller:", () => {
  const others = ["key", "session", "run", "parent"] as const;
  const says = (ttlMs: number, children: number) => ({
    approvals: { ttlMs },
    budget: { maxChildren: children, maxDepth: children },
  });
  const held = (levels: readonly PolicyLevel[]) => {
    const { budget, approvals: asked } = judgeUnder(levels);
    const { maxChildren, maxDepth } = depthBudgetOf(budget);
    return [maxChildren, maxDepth, asked.ttlMs ?? approvalMs];
  };
  const byDefault = [defaultBudget.maxChildren, defaultBudget.maxDepth, approvalMs];

  test.each(others)("a %s that says more than a silent host or server has no more", (other) => {
    const more = named(other, says(366 * 86_400_000, 5));
    for (const own of [[named("agent", {})], [named("server", {})], []])
      for (const levels of [
        [...own, more],
        [more, ...own],
      ])
        expect(held(levels)).toStrictEqual(byDefault);
  });

  test.each(others)("what a host or server says it keeps under a %s that says nothing", (other) => {
    for (const name of ["agent", "server"] as const) {
      const own = named(name, says(2 * approvalMs, 5));
      expect(held([own, named(other, {})])).toStrictEqual([5, 5, 2 * approvalMs]);
      expect(held([named(other, {}), own])).toStrictEqual([5, 5, 2 * approvalMs]);
    }
  });

  test.each(others)("a %s that says less has less, whatever the host or server says", (other) => {
    const less = named(other, says(1000, 0));
    for (const own of [named("agent", {}), named("server", says(2 * approvalMs, 5))])
      expect(held([own, less])).toStrictEqual([0, 0, 1000]);
  });

  test.each(others)("a %s gives runs no session where the host says nothing of any", (other) => {
    const session = { persist: true, ttlMs: 1000, maxHistoryTokens: 10 };
    expect(whole([named("agent", {}), named(other, { session })])).toBeUndefined();
    expect(whole([named("agent", { session }), named(other, {})])).toStrictEqual(session);
  });
});
