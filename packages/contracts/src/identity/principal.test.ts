import { describe, expect, test } from "vitest";
import { keyHolder, principal } from "../../test-data/samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import {
  isApiKey,
  originSchema,
  principalKindSchema,
  principalSchema,
  type Scope,
  scopes,
  sideEffectsOfScopes,
} from "./principal.ts";

describe("scopes", () => {
  test("stand for these side effects, one by one", () => {
    const table = Object.fromEntries(scopes.map((scope) => [scope, [...sideEffectsOfScopes([scope])]]));
    expect(table).toStrictEqual({
      read: ["none"],
      write: ["none", "auth_telemetry_write", "user_write", "paper_trade"],
      trade: ["none", "live_trade"],
      admin: ["none", "secret", "runtime"],
    });
  });

  test("held together stand for the union of their sets, and for no more", () => {
    for (const held of subsetsOf(scopes)) {
      const union = new Set(held.flatMap((scope) => [...sideEffectsOfScopes([scope])]));
      expect(sideEffectsOfScopes(held)).toStrictEqual(union);
    }
  });

  test("do not depend on their order, and none means nothing", () => {
    expect(sideEffectsOfScopes(["trade", "read"])).toStrictEqual(new Set(["none", "live_trade"]));
    expect(sideEffectsOfScopes(["read", "trade"])).toStrictEqual(new Set(["none", "live_trade"]));
    expect(sideEffectsOfScopes([])).toStrictEqual(new Set());
  });

  test("short of admin never reach secret or runtime", () => {
    const reached = [...sideEffectsOfScopes(["read", "write", "trade"])];
    expect(reached).toStrictEqual([
      "none",
      "auth_telemetry_write",
      "user_write",
      "paper_trade",
      "live_trade",
    ]);
  });
});

// proves KEY-2.14
describe("a principal", () => {
  keepsItsShape("principal", principalSchema, keyHolder, { optional: ["runId"] });
  keepsItsShape("principal of a run", principalSchema, principal);

  test("of kind run names its run, and of no other kind has to", () => {
    const { runId: _, ...unnamed } = principal;
    const kinds = principalKindSchema.options;
    const withoutRun = kinds.filter((kind) => principalSchema.safeParse({ ...unnamed, kind }).success);
    expect(withoutRun).toStrictEqual(kinds.filter((kind) => kind !== "run"));
    expect(principalSchema.safeParse(unnamed).error?.issues).toMatchObject([
      { path: ["runId"], message: "a principal of kind run names its run" },
    ]);
  });

  // proves KEY-16.17
  test("S1: has no place for a key", () => {
    const withKey = { ...principal, apiKey: `sf_live_${"a".repeat(32)}` };
    expect(principalSchema.safeParse(withKey).error?.issues[0]?.message).toContain('unknown key "apiKey"');
  });

  test("is one of six kinds, with known scopes", () => {
    const kinds = ["key", "run", "operator", "token", "anonymous", "local"];
    const { kind, scopes: held } = principalSchema.shape;
    expect(acceptedBy(kind, [...kinds, "admin", "", "constructor", null])).toStrictEqual(kinds);
    expect(acceptedBy(held, [[], ["read"], ["root"], ["__proto__"], "read", [null]])).toStrictEqual([
      [],
      ["read"],
    ]);
  });
});

test("a call comes in through one of five doors", () => {
  expect(originSchema.options).toStrictEqual(["direct", "model", "subagent", "mcp", "spectator"]);
});

// proves KEY-2.13
test("a long-lived key is sf_live_ and 32 url-safe characters, and nothing else", () => {
  const keys = [`sf_live_${"a".repeat(32)}`, "sf_live_AZaz09-_AZaz09-_AZaz09-_AZaz09-_"];
  const others = [
    "",
    "sf_live_",
    `sf_live_${"a".repeat(31)}`,
    `sf_live_${"a".repeat(33)}`,
    `sf_live_${"a".repeat(200)}`,
    `sf_test_${"a".repeat(32)}`,
    `SF_LIVE_${"a".repeat(32)}`,
    ` sf_live_${"a".repeat(32)}`,
    `sf_live_${"a".repeat(32)}\n`,
    `sf_live_${"é".repeat(32)}`,
    `sf_live_${"+".repeat(32)}`,
    `Bearer sf_live_${"a".repeat(32)}`,
    "constructor",
    "__proto__",
  ];
  expect(keys.filter(isApiKey)).toStrictEqual(keys);
  expect(others.filter(isApiKey)).toStrictEqual([]);
});

function subsetsOf(all: readonly Scope[]): Scope[][] {
  return all.reduce<Scope[][]>((subsets, scope) => subsets.flatMap((held) => [held, [...held, scope]]), [[]]);
}
