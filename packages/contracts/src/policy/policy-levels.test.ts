import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryLevel } from "../../test-data/arbitrary-policies.ts";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { digestOf, plainDigest } from "../../test-data/samples.ts";
import { costEffectRank } from "../effect/cost-effect.ts";
import { type SideEffect, sideEffectRank, sideEffects } from "../effect/side-effect.ts";
import { ContractViolationError } from "../error/error-classes.ts";
import type { KeyId } from "../identity/ids.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import {
  type AgentPolicy,
  type ApprovalPolicy,
  type BudgetPolicy,
  budgetPolicySchema,
  parsePolicy,
} from "./agent-policy.ts";
import {
  combinedApprovals,
  combinedBudget,
  combinedSession,
  permitsSideEffect,
  policyDigest,
  type PolicyLevel,
  type PolicyLevelName,
  policyLevelNames,
} from "./policy-levels.ts";

const level = (name: PolicyLevelName, policy: AgentPolicy): PolicyLevel => ({
  level: name,
  policy: parsePolicy(policy),
});
/** Per ceiling, the classes that a tool called `keys.create` may have. */
function permitted(allowTools?: string[]): Record<string, SideEffect[]> {
  return Object.fromEntries(
    sideEffects.map((maxSideEffect) => {
      const policy = parsePolicy({ maxSideEffect, ...(allowTools === undefined ? {} : { allowTools }) });
      const isPermitted = (sideEffect: SideEffect) =>
        permitsSideEffect(policy, { name: "keys.create", sideEffect });
      return [maxSideEffect, sideEffects.filter(isPermitted)];
    }),
  );
}

const unbounded = Number.POSITIVE_INFINITY;
const arbitraryLevels = fc.array(arbitraryLevel, { maxLength: 6 });

test("the levels are these six", () => {
  expect(policyLevelNames).toStrictEqual(["key", "server", "agent", "session", "run", "parent"]);
});

describe("permitsSideEffect", () => {
  const byCeiling = {
    none: ["none"],
    auth_telemetry_write: ["none", "auth_telemetry_write"],
    user_write: ["none", "auth_telemetry_write", "user_write"],
    secret: ["none", "auth_telemetry_write", "user_write", "secret"],
    runtime: ["none", "auth_telemetry_write", "user_write", "runtime"],
    paper_trade: ["none", "auth_telemetry_write", "user_write", "paper_trade"],
    live_trade: ["none", "auth_telemetry_write", "user_write", "paper_trade", "live_trade"],
  };

  test("for a tool not named: each ceiling permits exactly these classes", () => {
    expect(permitted()).toStrictEqual(byCeiling);
    expect(permitted([])).toStrictEqual(byCeiling);
    expect(permitted(["keys.other"])).toStrictEqual(byCeiling);
  });

  test("for a tool named in full: secret and runtime too, at or below the ceiling", () => {
    expect(permitted(["world.read", "keys.create"])).toStrictEqual({
      ...byCeiling,
      runtime: ["none", "auth_telemetry_write", "user_write", "secret", "runtime"],
      paper_trade: ["none", "auth_telemetry_write", "user_write", "secret", "runtime", "paper_trade"],
      live_trade: [...sideEffects],
    });
  });

  test("for a tool named by a pattern: as if it were not named", () => {
    expect(permitted(["keys.*"])).toStrictEqual(byCeiling);
  });

  test("G1: an unknown ceiling permits nothing: judging under it is a fault", () => {
    for (const sideEffect of sideEffects) {
      const policy = { ...parsePolicy({}), maxSideEffect: "unheard_of" as SideEffect };
      const error = refusalOf(() => permitsSideEffect(policy, { name: "keys.create", sideEffect }));
      expect(error).toBeInstanceOf(ContractViolationError);
    }
  });

  test("G1: an unknown class is permitted under no ceiling", () => {
    for (const maxSideEffect of sideEffects) {
      const policy = parsePolicy({ maxSideEffect, allowTools: ["keys.create"] });
      const tool = { name: "keys.create", sideEffect: "unheard_of" as SideEffect };
      expect(permitsSideEffect(policy, tool)).toBe(false);
    }
  });
});

describe("levels combined", () => {
  const levels = [
    level("key", {
      budget: { maxSteps: 5, budgetUsd: 2 },
      approvals: { requireForSideEffectAtOrAbove: "paper_trade", ttlMs: 9000, approvers: ["key_1", "key_2"] },
      session: { persist: true, ttlMs: 500, maxHistoryTokens: 10 },
    }),
    level("server", {}),
    level("run", {
      budget: { maxSteps: 7, maxDepth: 0, budgetUsd: 0.5 },
      approvals: {
        requireForSideEffectAtOrAbove: "user_write",
        requireForCostEffectAtOrAbove: "llm_cost",
        ttlMs: 1000,
        approvers: ["key_2", "key_3"],
        onDenied: "continue",
      },
      session: { persist: false, ttlMs: 900, maxHistoryTokens: 5 },
    }),
    level("parent", { approvals: { onDenied: "fail" } }),
  ];

  test("take the smallest budget, the strictest approval and the shortest session", () => {
    expect(combinedBudget(levels)).toStrictEqual({ maxSteps: 5, budgetUsd: 0.5, maxDepth: 0 });
    expect(combinedApprovals(levels)).toStrictEqual({
      requireForSideEffectAtOrAbove: "user_write",
      requireForCostEffectAtOrAbove: "llm_cost",
      ttlMs: 1000,
      approvers: ["key_2"],
      onDenied: "fail",
    });
    expect(combinedSession(levels)).toStrictEqual({ persist: false, ttlMs: 500, maxHistoryTokens: 5 });
  });

  test("of which none says anything say nothing", () => {
    for (const silent of [[], [level("agent", {})], [level("agent", { budget: {}, approvals: {} })]]) {
      expect([combinedBudget(silent), combinedApprovals(silent), combinedSession(silent)]).toStrictEqual([
        {},
        {},
        undefined,
      ]);
    }
  });

  test("do not depend on their order", () => {
    fc.assert(
      fc.property(arbitraryLevels, (any) => {
        const backwards = any.toReversed();
        expect(combinedBudget(backwards)).toStrictEqual(combinedBudget(any));
        expect(combinedSession(backwards)).toStrictEqual(combinedSession(any));
        const { approvers, ...rest } = combinedApprovals(any);
        const { approvers: again, ...same } = combinedApprovals(backwards);
        expect([same, again?.toSorted()]).toStrictEqual([rest, approvers?.toSorted()]);
      }),
    );
  });
});

describe("besides admin keys, a question may be answered", () => {
  const cases: [whom: string, policies: AgentPolicy[], approvers: string[] | undefined][] = [
    ["by those whom the one level that asks has named", [asking(["key_1", "key_2"])], ["key_1", "key_2"]],
    ["by nobody where that level has named nobody", [asking()], undefined],
    ["by nobody where it has named none", [asking([])], undefined],
    [
      "by those whom every level that asks has named",
      [asking(["key_1", "key_2"]), asking(["key_3", "key_2"])],
      ["key_2"],
    ],
    [
      "by those whom both name, one that asks of effects and one that asks of costs",
      [asking(["key_1", "key_2"]), askingForMoney(["key_2"])],
      ["key_2"],
    ],
    ["by nobody where they have named nobody in common", [asking(["key_1"]), asking(["key_2"])], undefined],
    ["by nobody where one of them has named nobody", [asking(["key_1"]), asking()], undefined],
    [
      "by nobody whom only a level that asks for nothing has named",
      [asking(), askingNothing(["key_1"])],
      undefined,
    ],
    [
      "also by those whom a level that asks for nothing has not named",
      [asking(["key_1", "key_2"]), askingNothing(["key_2"]), askingNothing([]), {}],
      ["key_1", "key_2"],
    ],
    ["by nobody where there is no question", [askingNothing(["key_1"]), askingNothing(["key_1"])], undefined],
  ];

  test.each(cases)("%s", (_, policies, approvers) => {
    for (const given of [policies, policies.toReversed()]) {
      const combined = combinedApprovals(given.map((policy) => level("run", policy)));
      expect(combined.approvers?.toSorted()).toStrictEqual(approvers);
      expect(Object.hasOwn(combined, "approvers")).toBe(approvers !== undefined);
    }
  });

  test("for any levels: by exactly those whom all that ask have named", () => {
    fc.assert(
      fc.property(arbitraryLevels, (levels) => {
        const askers = levels.filter(({ policy }) => isAsking(policy.approvals ?? {}));
        const named = ["key_1", "key_2", "key_3"].filter(
          (key) =>
            askers.length > 0 &&
            askers.every(({ policy }) => policy.approvals?.approvers?.includes(key as KeyId)),
        );
        expect(combinedApprovals(levels).approvers ?? []).toStrictEqual(named);
      }),
      { numRuns: 400 },
    );
  });
});

describe("G2: adding a level, anywhere in the list,", () => {
  const growing = fc
    .tuple(arbitraryLevels, arbitraryLevel, fc.nat())
    .map(([before, added, at]) => [before, before.toSpliced(at % (before.length + 1), 0, added)] as const);
  /** How much a list of levels allows of something, as a number: more is more. */
  const neverGrows = (allowed: (levels: readonly PolicyLevel[]) => number) =>
    fc.assert(
      fc.property(growing, ([before, after]) => {
        expect(allowed(after)).toBeLessThanOrEqual(allowed(before));
      }),
      { numRuns: 200 },
    );

  test.each(Object.keys(budgetPolicySchema.shape) as (keyof BudgetPolicy)[])("never raises %s", (limit) => {
    expect(neverGrows((levels) => combinedBudget(levels)[limit] ?? unbounded)).toBeUndefined();
  });

  test("never lengthens the time to answer", () => {
    expect(neverGrows((levels) => combinedApprovals(levels).ttlMs ?? unbounded)).toBeUndefined();
  });

  test("never asks less often about a side effect", () => {
    expect(neverGrows((levels) => sideEffectsUnasked(combinedApprovals(levels)))).toBeUndefined();
  });

  test("never asks less often about a cost", () => {
    expect(neverGrows((levels) => costsUnasked(combinedApprovals(levels)))).toBeUndefined();
  });

  test("never adds an approver to a question that was asked already", () => {
    let narrowed = 0;
    fc.assert(
      fc.property(growing, ([before, after]) => {
        const asked = combinedApprovals(before);
        fc.pre(isAsking(asked));
        const { approvers = [] } = combinedApprovals(after);
        expect(approvers.filter((key) => !asked.approvers?.includes(key))).toStrictEqual([]);
        if (approvers.length < (asked.approvers ?? []).length) narrowed += 1;
      }),
      { numRuns: 1000 },
    );
    expect(narrowed).toBeGreaterThan(20);
  });

  test("never lets a run go on after a denial that would have ended it", () => {
    expect(neverGrows((levels) => Number(combinedApprovals(levels).onDenied !== "fail"))).toBeUndefined();
  });

  test("never keeps a session longer, larger, or at all where it was not kept", () => {
    expect(neverGrows((levels) => combinedSession(levels)?.ttlMs ?? unbounded)).toBeUndefined();
    expect(neverGrows((levels) => combinedSession(levels)?.maxHistoryTokens ?? unbounded)).toBeUndefined();
    expect(neverGrows((levels) => Number(combinedSession(levels)?.persist ?? true))).toBeUndefined();
  });
});

describe("policyDigest", () => {
  const levels = [level("key", { maxSideEffect: "user_write" }), level("run", { deny: ["user_data"] })];

  test("is the digest of the whole list, pinned", () => {
    expect(policyDigest([])).toBe(plainDigest([]));
    expect(policyDigest(levels)).toBe(plainDigest(levels));
    expect(policyDigest(levels)).toBe(
      "sha256:27d79a9307e738483bf90737af6372bca1f35748dfd5b1612c4d0cca8a0ca461",
    );
  });

  test("does not depend on the order of keys, nor on writing a default out", () => {
    const rewritten = levels.map(({ level: name, policy }) => ({
      policy: Object.fromEntries(Object.entries(policy).toReversed()) as typeof policy,
      level: name,
    }));
    expect(policyDigest(rewritten)).toBe(policyDigest(levels));
    expect(policyDigest([level("key", {})])).toBe(policyDigest([level("key", { maxSideEffect: "none" })]));
  });

  test("changes with the order of levels, and with whose a level is", () => {
    const digests = [levels, levels.toReversed(), levels.slice(0, 1), [...levels, ...levels.slice(1)], []];
    const renamed = levels.map((one) => ({ ...one, level: "server" as const }));
    expect(new Set([...digests, renamed].map((one) => policyDigest(one))).size).toBe(6);
    expect(policyDigest(levels)).not.toBe(digestOf("0"));
  });

  test("for any two lists is the same exactly when they say the same", () => {
    fc.assert(
      fc.property(arbitraryLevels, arbitraryLevels, (one, other) => {
        expect(policyDigest(one) === policyDigest(other)).toBe(canonicalJson(one) === canonicalJson(other));
      }),
    );
  });

  test("changes with any change to any leaf of any level", () => {
    fc.assert(
      fc.property(fc.array(arbitraryLevel, { minLength: 1, maxLength: 3 }), (any) => {
        const digests = eachLeafChanged(any).map((changed) => policyDigest(changed as PolicyLevel[]));
        expect(digests.length).toBeGreaterThan(2);
        expect(digests).not.toContain(policyDigest(any));
      }),
    );
  });
});

function asking(approvers?: string[]): AgentPolicy {
  return { approvals: { requireForSideEffectAtOrAbove: "user_write", ...(approvers && { approvers }) } };
}

function askingForMoney(approvers: string[]): AgentPolicy {
  return { approvals: { requireForCostEffectAtOrAbove: "llm_cost", approvers } };
}

function askingNothing(approvers: string[]): AgentPolicy {
  return { approvals: { ttlMs: 1000, approvers } };
}

function isAsking(rule: ApprovalPolicy): boolean {
  return (rule.requireForSideEffectAtOrAbove ?? rule.requireForCostEffectAtOrAbove) !== undefined;
}

/** How many classes happen without asking. */
function sideEffectsUnasked({ requireForSideEffectAtOrAbove: from }: ApprovalPolicy): number {
  return from === undefined ? unbounded : sideEffectRank(from);
}

function costsUnasked({ requireForCostEffectAtOrAbove: from }: ApprovalPolicy): number {
  return from === undefined ? unbounded : costEffectRank(from);
}

/** Every copy of a value in which exactly one leaf is another. */
function eachLeafChanged(value: unknown): unknown[] {
  if (typeof value === "string") return [`${value}x`];
  if (typeof value === "number") return [value + 1];
  if (typeof value === "boolean") return [!value];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => eachLeafChanged(item).map((changed) => value.with(index, changed)));
  }
  return Object.entries(value as object).flatMap(([key, member]) =>
    eachLeafChanged(member).map((changed) => ({ ...(value as object), [key]: changed })),
  );
}
