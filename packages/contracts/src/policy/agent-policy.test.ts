// B15: enforcement never fails open on a malformed settings file. What is not a whole policy is no policy.
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryPolicy } from "../../test-data/arbitrary-policies.ts";
import { hostileValues } from "../../test-data/hostile-values.ts";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { InvalidPolicyError } from "../error/error-classes.ts";
import { parsePolicy } from "./agent-policy.ts";

/** A policy with everything in it, and what each field may be. */
const whole = {
  allow: ["world:read"],
  deny: ["user_data"],
  allowTools: ["world.*", "keys.create"],
  denyTools: ["orders.place"],
  maxSideEffect: "live_trade",
  maxCostEffect: "llm_cost",
  trade: {
    allowedVenues: ["kalshi"],
    maxOrderCostCents: 500,
    maxQuantity: 5,
    requireLimitPrice: false,
    dryRunOnly: false,
    allowAutoExecute: true,
    allowRuntimeStart: true,
    requireJurisdiction: true,
    jurisdiction: "US",
    blockedJurisdictions: ["FR"],
    confirmToken: "kept-hash",
  },
  budget: {
    maxSteps: 1,
    maxToolCalls: 2,
    maxTokens: 3,
    maxWallMs: 4,
    budgetUsd: 0.5,
    maxChildren: 6,
    maxDepth: 7,
  },
  approvals: {
    requireForSideEffectAtOrAbove: "user_write",
    requireForCostEffectAtOrAbove: "llm_cost",
    ttlMs: 1000,
    approvers: ["key_2"],
    onDenied: "fail",
  },
  session: { persist: true, ttlMs: 1000, maxHistoryTokens: 100 },
};

describe("defaults", () => {
  // proves KEY-14.13
  test("of an empty policy: no side effect, venue requests at most, and no trade", () => {
    expect(parsePolicy({})).toStrictEqual({ maxSideEffect: "none", maxCostEffect: "venue_request_cost" });
  });

  test("of trade guardrails: a limit price, dry runs only, nothing by itself", () => {
    const trade = { allowedVenues: ["kalshi"], maxOrderCostCents: 500, maxQuantity: 5 };
    expect(parsePolicy({ trade }).trade).toStrictEqual({
      ...trade,
      requireLimitPrice: true,
      dryRunOnly: true,
      allowAutoExecute: false,
      allowRuntimeStart: false,
    });
  });

  test("of the other parts: none, an empty one stays empty", () => {
    const parsed = parsePolicy({ budget: {}, approvals: {}, allow: [], allowTools: [] });
    expect(parsed).toStrictEqual({
      maxSideEffect: "none",
      maxCostEffect: "venue_request_cost",
      budget: {},
      approvals: {},
      allow: [],
      allowTools: [],
    });
  });
});

describe("a whole policy", () => {
  test("is taken whole, frozen, and independent of what was given", () => {
    const given = structuredClone(whole);
    const parsed = parsePolicy(given);
    given.allow.push("user_data");
    given.trade.allowedVenues.push("anywhere");
    expect(parsed).toStrictEqual(whole);
    const parts = [parsed, parsed.allow, parsed.trade, parsed.trade?.allowedVenues, parsed.budget];
    expect([...parts, parsed.approvals?.approvers, parsed.session].every(Object.isFrozen)).toBe(true);
  });

  test("parsed twice is the same: for any policy, reading what was read changes nothing", () => {
    fc.assert(
      fc.property(arbitraryPolicy, (policy) => {
        const once = parsePolicy(policy);
        expect(parsePolicy(once)).toStrictEqual(once);
        expect(once).toMatchObject(policy);
      }),
    );
  });

  test.each(["allowedVenues", "maxOrderCostCents", "maxQuantity"])("has no trade without %s", (field) => {
    const trade = Object.fromEntries(Object.entries(whole.trade).filter(([key]) => key !== field));
    expect(refusalOf(() => parsePolicy({ ...whole, trade })).details?.path).toBe(`/trade/${field}`);
  });

  test.each(["persist", "ttlMs", "maxHistoryTokens"])("has no session without %s", (field) => {
    const session = Object.fromEntries(Object.entries(whole.session).filter(([key]) => key !== field));
    expect(refusalOf(() => parsePolicy({ ...whole, session })).details?.path).toBe(`/session/${field}`);
  });
});

describe("an unknown key (G1, B15)", () => {
  const levels = [
    ["", whole],
    ["/trade", whole.trade],
    ["/budget", whole.budget],
    ["/approvals", whole.approvals],
    ["/session", whole.session],
  ] as const;
  const cases = levels.flatMap(([path, part]) =>
    Object.keys(part).map((key) => [`${path}/${key}`, path, key]),
  );

  test.each(cases)("beside %s is named, with the one probably meant", (_, path = "", key = "") => {
    for (const typo of [`${key}x`, key.toUpperCase(), key.replace(/.$/, "")].filter(
      (word) => word.length > 3,
    )) {
      const error = refusalOf(() => parsePolicy(withMember(whole, path, typo, true)));
      expect(error).toBeInstanceOf(InvalidPolicyError);
      const where = path === "" ? "" : `${path}: `;
      expect(error.message).toBe(`invalid policy: ${where}unknown key "${typo}"; did you mean "${key}"?`);
      expect(error.details?.path).toBe(path);
    }
  });

  // proves RUN-12.5, RUN-12.6
  test.each(["maxSideEffect", "maxCostEffect"])("in a budget is %s: a ceiling is the policy's", (ceiling) => {
    const error = refusalOf(() => parsePolicy({ budget: { maxSteps: 1, [ceiling]: "none" } }));
    expect(error).toBeInstanceOf(InvalidPolicyError);
    expect(error.details?.path).toBe("/budget");
    expect(parsePolicy({ [ceiling]: "none" })).toMatchObject({ [ceiling]: "none" });
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "%s is as unknown as any other",
    (key) => {
      for (const [path] of levels) {
        const error = refusalOf(() =>
          parsePolicy(withMember(whole, path, key, { maxSideEffect: "live_trade" })),
        );
        expect(error).toBeInstanceOf(InvalidPolicyError);
        expect(error.message).toContain(`unknown key "${key}"`);
      }
    },
  );

  test("that resembles nothing is named without a guess, and a long one is cut", () => {
    expect(refusalOf(() => parsePolicy({ permissions: [] })).message).toBe(
      'invalid policy: unknown key "permissions"',
    );
    const long = refusalOf(() => parsePolicy({ ["k ".repeat(5000)]: 1 }));
    expect(long.message).toBe(`invalid policy: unknown key "${"k ".repeat(32)}…"`);
  });
});

describe("what JSON would leave out (G1, B15)", () => {
  const names = ["orders.refund"];
  const beside = Object.assign(["orders.find"], { more: "orders.refund" });
  const hidden = (part: object, key: PropertyKey) =>
    Object.defineProperty({ ...part }, key, { value: names });
  test.each<[string, object, string]>([
    ["a member that is not enumerable", hidden({}, "denyTools"), "/denyTools: it is not enumerable"],
    ["one that is named by a symbol", { [Symbol("denyTools")]: names }, "/Symbol(denyTools): it is not enum"],
    ["one further in", { budget: hidden({}, "maxSteps") }, "/budget/maxSteps: it is not enumerable"],
    ["a name on a list", { denyTools: beside }, "/denyTools/more: a list has items, and nothing beside them"],
  ])("is refused, and not lost: %s", (_, policy, message) => {
    const error = refusalOf(() => parsePolicy(policy));
    expect(error).toBeInstanceOf(InvalidPolicyError);
    expect(error.message).toContain(`invalid policy: not JSON at ${message}`);
  });
});

describe("a value of the wrong type (G1, B15)", () => {
  const wrong = [null, "No Such Word!", -1, 1.5, true, [], {}, [1], ["Not Valid!"], [null], "__proto__"];
  const fine: Record<string, unknown[]> = {
    "/allow": [[]],
    "/deny": [[]],
    "/allowTools": [[]],
    "/denyTools": [[]],
    "/budget": [{}],
    "/approvals": [{}],
    "/approvals/approvers": [[]],
    "/budget/budgetUsd": [1.5],
    "/session/persist": [true],
    "/trade/allowedVenues": [["Not Valid!"]],
    "/trade/requireLimitPrice": [true],
    "/trade/dryRunOnly": [true],
    "/trade/allowAutoExecute": [true],
    "/trade/allowRuntimeStart": [true],
    "/trade/requireJurisdiction": [true],
    "/trade/jurisdiction": ["No Such Word!", "__proto__"],
    "/trade/blockedJurisdictions": [[], ["Not Valid!"]],
    "/trade/confirmToken": ["No Such Word!", "__proto__"],
  };
  const fields = Object.entries(whole).flatMap(([key, value]) =>
    Array.isArray(value) || typeof value === "string"
      ? [`/${key}`]
      : [`/${key}`, ...Object.keys(value).map((inner) => `/${key}/${inner}`)],
  );

  test.each(fields)("at %s is refused there, and nothing is taken in part", (path) => {
    const cut = path.lastIndexOf("/");
    const given = (value: unknown) => withMember(whole, path.slice(0, cut), path.slice(cut + 1), value);
    const refused = wrong.filter((value) => !(fine[path] ?? []).some((one) => isDeepStrictEqual(one, value)));
    for (const value of fine[path] ?? []) expect(parsePolicy(given(value))).toStrictEqual(given(value));
    const refusals = refused.map((value) => refusalOf(() => parsePolicy(given(value))));
    expect(refusals.filter((error) => !(error instanceof InvalidPolicyError))).toStrictEqual([]);
    expect(refusals.map((error) => `${error.details?.path}/`.startsWith(`${path}/`))).toStrictEqual(
      refused.map(() => true),
    );
  });

  test("the error names no value", () => {
    const value = "a value that nobody should read in a log";
    expect(
      JSON.stringify(refusalOf(() => parsePolicy({ maxSideEffect: value, allow: [value] }))),
    ).not.toContain(value);
  });
});

describe.each(hostileValues)("%s (B15)", (_, make) => {
  test.each([
    ["as a policy", parsePolicy, ""],
    ["as the allowed venues", withVenues, "/trade/allowedVenues"],
    ["as a number of tokens", withTokens, "/session/maxHistoryTokens"],
  ])("%s is refused with its path and nothing else happens", (_place, act, path) => {
    const error = refusalOf(() => act(make()));
    expect(error).toBeInstanceOf(InvalidPolicyError);
    expect(error.details?.path).toMatch(new RegExp(`^${path}(?:/|$)`));
    expect(Object.keys(Object.prototype)).toStrictEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

test("the text of a policy is not a policy (B15)", () => {
  expect(refusalOf(() => parsePolicy("{}"))).toBeInstanceOf(InvalidPolicyError);
});

function withVenues(allowedVenues: unknown): unknown {
  return parsePolicy({ ...whole, trade: { ...whole.trade, allowedVenues } });
}

function withTokens(maxHistoryTokens: unknown): unknown {
  return parsePolicy({ ...whole, session: { ...whole.session, maxHistoryTokens } });
}

/** A copy with one member set, also one called `__proto__`. */
function withMember(policy: object, path: string, key: string, value: unknown): object {
  const copy = structuredClone(policy) as Record<string, unknown>;
  const part = path === "" ? copy : (copy[path.slice(1)] as object);
  Object.defineProperty(part, key, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}
