import { type AgentPolicy, parsePolicy, type PolicyLevel } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryPolicy } from "../../../contracts/test-data/arbitrary-policies.ts";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { compileJudge, type JudgedCall, type JudgeView } from "../../../kernel/src/judge/judge.ts";
import { registerPacks } from "../../../kernel/src/tool/registry.ts";
import { arbitraryCall, arbitraryView, tools } from "../../../kernel/test-data/judge-arbitraries.ts";
import { openPolicy } from "../../../kernel/test-data/judge-samples.ts";
import { diffPolicies, type PolicyEffect } from "./diff-policies.ts";

const contracts = tools.map(({ contract }) => contract);
const rails = { allowedVenues: ["kalshi"], maxOrderCostCents: 100, maxQuantity: 5 };

test("what changed is told field by field, in canonical form, with what it means", () => {
  const a: AgentPolicy = {
    allowTools: ["world.read", "notes.read", "world.read"],
    denyTools: ["notes.*"],
    trade: { ...rails, confirmToken: "the first word" },
    budget: { maxSteps: 5 },
  };
  const b: AgentPolicy = {
    allowTools: ["notes.read", "orders.place"],
    maxSideEffect: "user_write",
    trade: { ...rails, maxQuantity: 4, confirmToken: "the second word" },
    budget: { maxSteps: 5, maxToolCalls: 9 },
  };
  const diff = diffPolicies(a, b);
  expect(diff).toStrictEqual({
    changes: [
      {
        path: "/allowTools",
        before: ["notes.read", "world.read"],
        after: ["notes.read", "orders.place"],
        effect: "changes",
        sentence:
          "allowTools gains orders.place and loses world.read: some is allowed that was not, or the other way round.",
      },
      {
        path: "/denyTools",
        before: ["notes.*"],
        effect: "widens",
        sentence: "denyTools goes away, and was notes.*: more is allowed.",
      },
      {
        path: "/maxSideEffect",
        before: "none",
        after: "user_write",
        effect: "widens",
        sentence: "maxSideEffect goes from none to user_write: more is allowed.",
      },
      {
        path: "/trade/maxQuantity",
        before: 5,
        after: 4,
        effect: "narrows",
        sentence: "trade.maxQuantity goes from 5 to 4: less is allowed.",
      },
      {
        path: "/trade/confirmToken",
        before: "[redacted:confirm]",
        after: "[redacted:confirm]",
        effect: "changes",
        sentence: "trade.confirmToken is another: some is allowed that was not, or the other way round.",
      },
      {
        path: "/budget/maxToolCalls",
        after: 9,
        effect: "narrows",
        sentence: "budget.maxToolCalls appears with 9: less is allowed.",
      },
    ],
    tools: [],
  });
  expect(JSON.stringify(diff)).not.toMatch(/first word|second word/);
});

test.each<[string, AgentPolicy, AgentPolicy]>([
  ["defaults", {}, { maxSideEffect: "none", maxCostEffect: "venue_request_cost" }],
  ["order and repetition", { allow: ["a:b", "c:d"] }, { allow: ["c:d", "a:b", "a:b"] }],
  ["lists of nothing", { deny: [], denyTools: [], approvals: { approvers: [] }, budget: {} }, {}],
  ["entries that another covers", { denyTools: ["world.*", "world.read"] }, { denyTools: ["world.*"] }],
  [
    "guardrails' defaults",
    { trade: rails },
    { trade: { ...rails, dryRunOnly: true, requireJurisdiction: false } },
  ],
])("policies that are equal have no difference: %s", (_, a, b) => {
  expect(diffPolicies(a, b, { tools: contracts })).toStrictEqual({ changes: [], tools: [] });
});

const trade = (changes: object): AgentPolicy => ({ trade: { ...rails, ...changes } });

describe("by its meaning:", () => {
  test.each<[string, AgentPolicy, AgentPolicy, PolicyEffect]>([
    ["a list of tools appears", {}, { allowTools: ["world.read"] }, "narrows"],
    ["a list of permissions appears", {}, { allow: ["a:b"] }, "narrows"],
    ["a permission is denied", { deny: ["a:b"] }, { deny: ["a:b", "c:d"] }, "narrows"],
    ["a namespace instead of a tool", { allowTools: ["world.read"] }, { allowTools: ["world.*"] }, "widens"],
    [
      "a namespace is denied instead of a tool",
      { denyTools: ["world.read"] },
      { denyTools: ["world.*"] },
      "narrows",
    ],
    ["a higher ceiling", { maxSideEffect: "user_write" }, { maxSideEffect: "live_trade" }, "widens"],
    [
      "a higher ceiling that loses a class",
      { maxSideEffect: "secret" },
      { maxSideEffect: "runtime" },
      "changes",
    ],
    ["a lower cost", {}, { maxCostEffect: "api_cost" }, "narrows"],
    ["guardrails", {}, trade({}), "widens"],
    ["another venue more", trade({}), trade({ allowedVenues: ["paper", "kalshi"] }), "widens"],
    ["real orders", trade({}), trade({ dryRunOnly: false }), "widens"],
    ["a confirm word", trade({}), trade({ confirmToken: "a word of ours" }), "narrows"],
    ["a jurisdiction", trade({}), trade({ jurisdiction: "US" }), "narrows"],
    [
      "a region blocked",
      trade({ blockedJurisdictions: ["US-NY"] }),
      trade({ blockedJurisdictions: ["us"] }),
      "narrows",
    ],
    ["a smaller budget", { budget: { budgetUsd: 2 } }, { budget: { budgetUsd: 1.5 } }, "narrows"],
    [
      "asking earlier",
      { approvals: { requireForSideEffectAtOrAbove: "runtime" } },
      { approvals: { requireForSideEffectAtOrAbove: "user_write" } },
      "narrows",
    ],
    ["an approver more", { approvals: {} }, { approvals: { approvers: ["key_1"] } }, "widens"],
    ["a time that nobody had set", {}, { approvals: { ttlMs: 1 } }, "changes"],
    [
      "failing when denied",
      { approvals: { onDenied: "continue" } },
      { approvals: { onDenied: "fail" } },
      "narrows",
    ],
    ["sessions", {}, { session: { persist: true, ttlMs: 1, maxHistoryTokens: 1 } }, "changes"],
    [
      "a session that is not kept",
      { session: { persist: true, ttlMs: 1, maxHistoryTokens: 1 } },
      { session: { persist: false, ttlMs: 1, maxHistoryTokens: 1 } },
      "narrows",
    ],
  ])("%s", (_, a, b, effect) => {
    const opposite = { widens: "narrows", narrows: "widens", changes: "changes", same: "same" } as const;
    expect(diffPolicies(a, b).changes.map((change) => change.effect)).toStrictEqual([effect]);
    expect(diffPolicies(b, a).changes.map((change) => change.effect)).toStrictEqual([opposite[effect]]);
  });

  test("a name in full also lets a secret under the ceiling, so that a list of names does not only narrow", () => {
    const above: AgentPolicy = { maxSideEffect: "paper_trade" };
    const named: AgentPolicy = { ...above, allowTools: ["keys.create"] };
    expect(diffPolicies(above, named).changes).toMatchObject([{ path: "/allowTools", effect: "changes" }]);
    const ofNamespace: AgentPolicy = { ...above, allowTools: ["keys.*"] };
    expect(diffPolicies(ofNamespace, named).changes).toMatchObject([{ effect: "changes" }]);
    expect(diffPolicies(above, ofNamespace).changes).toMatchObject([{ effect: "narrows" }]);
  });
});

test("of the tools given, those are named that the judge answers otherwise, and the gate", () => {
  const { tools: changed } = diffPolicies(
    {},
    { denyTools: ["world.read"], maxSideEffect: "user_write" },
    {
      tools: contracts.filter(({ name }) => ["world.read", "notes.tool11", "orders.place"].includes(name)),
    },
  );
  expect(changed).toStrictEqual([
    {
      tool: "world.read",
      toolDigest: contracts.find(({ name }) => name === "world.read")?.digest,
      before: { outcome: "allow", code: "allowed", reason: "no gate stopped it" },
      after: {
        outcome: "deny",
        gate: "deny",
        code: "policy_denied",
        reason: "the agent's policy denies world.read",
        remedy: 'take "world.read" out of denyTools',
      },
      sentence:
        "world.read was allowed and is refused at gate deny (policy_denied): the agent's policy denies world.read.",
    },
    {
      tool: "notes.tool11",
      toolDigest: contracts.find(({ name }) => name === "notes.tool11")?.digest,
      before: {
        outcome: "deny",
        gate: "max.sideEffect",
        code: "policy_denied",
        reason: "its side effect is user_write, and the agent's policy allows none",
        remedy: 'set maxSideEffect to "user_write"',
      },
      after: { outcome: "allow", code: "allowed", reason: "no gate stopped it" },
      sentence: "notes.tool11 was refused at gate max.sideEffect (policy_denied) and is allowed.",
    },
  ]);
});

test("a malformed policy is refused on either side, by its key", () => {
  const bad = { allowTool: [] } as AgentPolicy;
  for (const diff of [() => diffPolicies(bad, {}), () => diffPolicies({}, bad)]) {
    const { code, message } = refusalOf(diff);
    expect([code, message]).toStrictEqual([
      "invalid_policy",
      'invalid policy: unknown key "allowTool"; did you mean "allowTools"?',
    ]);
  }
});

const matchesConfirm = (given: string, kept: string) => kept === `hash of ${given}`;

describe("for any policies, tools and calls", () => {
  const registry = registerPacks([tools]);
  type Looking = Omit<JudgeView, "registry" | "levels" | "matchesConfirm">;

  /** Another policy that has some fields of a third. */
  const anyPair = fc
    .tuple(
      fc.oneof(arbitraryPolicy, fc.constant<AgentPolicy>(openPolicy)),
      arbitraryPolicy,
      fc.subarray(["allow", "deny", "allowTools", "denyTools", "maxSideEffect", "maxCostEffect"] as const, {
        maxLength: 2,
      }),
      fc.subarray(["trade", "budget", "approvals"] as const, { maxLength: 1 }),
    )
    .map(([a, c, fields, parts]): [AgentPolicy, AgentPolicy] => {
      const b: Record<string, unknown> = { ...a };
      for (const field of fields) b[field] = c[field];
      // One member of a part, so that the rest of it is the same.
      for (const part of parts) {
        const [member] = Object.entries(c[part] ?? {});
        if (a[part] === undefined || member === undefined) b[part] = c[part];
        else b[part] = { ...a[part], [member[0]]: member[1] };
      }
      return [a, b];
    });

  function judgeUnder(policy: AgentPolicy, view: Looking): (call: JudgedCall) => boolean {
    const levels: PolicyLevel[] = [{ level: "agent", policy: parsePolicy(policy) }];
    const judge = compileJudge({ registry, levels, matchesConfirm, ...view });
    return (call) => judge.judge(call).verdict.outcome === "allow";
  }

  test.each(["narrows", "widens"] as const)("if everything %s, no call is the exception", (effect) => {
    const seen = { pairs: 0, differences: 0 };
    fc.assert(
      fc.property(
        anyPair,
        arbitraryView,
        fc.array(arbitraryCall, { minLength: 20, maxLength: 30 }),
        ([one, other], view, calls) => {
          const [a, b] = effect === "narrows" ? [one, other] : [other, one];
          const { changes } = diffPolicies(a, b);
          if (!changes.every((change) => change.effect === effect)) return;
          if (changes.length > 0) seen.pairs += 1;
          // The same in both directions: whoever is the wider of the two allows what the other does.
          const [wider, narrower] = [judgeUnder(one, view), judgeUnder(other, view)];
          expect(calls.filter((call) => narrower(call) && !wider(call))).toStrictEqual([]);
          seen.differences += calls.filter((call) => wider(call) && !narrower(call)).length;
        },
      ),
      { numRuns: 1000 },
    );
    // Chance has met policies that differ, and calls to which it matters.
    expect(seen.pairs).toBeGreaterThan(100);
    expect(seen.differences).toBeGreaterThan(20);
  });
});
