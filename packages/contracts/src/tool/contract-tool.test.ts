import { describe, expect, test } from "vitest";
import { digestOf, fullDefinition, toolDefinition } from "../../test-data/samples.ts";
import { keepsItsShape } from "../../test-data/strict-record.ts";
import { costEffects } from "../effect/cost-effect.ts";
import { sideEffects } from "../effect/side-effect.ts";
import {
  contractToolSchema,
  defaultIdempotency,
  idempotencySchema,
  isActive,
  isFreeRead,
  readsUserData,
  requiresIdentity,
  risks,
  toolDefinitionSchema,
  toolStabilitySchema,
  toolStatusSchema,
} from "./contract-tool.ts";

const optional = ["capability", "trade", "http", "sdk"];

// proves KEY-7.6, KEY-7.7, KEY-7.10, KEY-23.2
describe("the shape of a contract", () => {
  keepsItsShape("definition", toolDefinitionSchema, fullDefinition, { optional });
  keepsItsShape("tool", contractToolSchema, { ...fullDefinition, digest: digestOf("a") }, { optional });

  test.each([
    ["access", { anonymousAllowd: true }, "anonymousAllowd", "anonymousAllowed"],
    ["agent", { ...fullDefinition.agent, defaultEnable: true }, "defaultEnable", "defaultEnabled"],
    ["replay", { ...fullDefinition.replay, replayble: true }, "replayble", "replayable"],
    ["trade", { ...fullDefinition.trade, limitPriceCent: "/x" }, "limitPriceCent", "limitPriceCents"],
    ["http", { ...fullDefinition.http, metod: "GET" }, "metod", "method"],
    ["sdk", { ...fullDefinition.sdk, pakage: "x" }, "pakage", "package"],
    ["capability", { ...fullDefinition.capability, uri: "/x" }, "uri", "url"],
    ["idempotency", { type: "none", keyRetention: 1 }, "keyRetention", undefined],
  ])("G1: an unknown key in %s is refused by name", (part, value, unknown, near) => {
    const issues = toolDefinitionSchema.safeParse({ ...fullDefinition, [part]: value }).error?.issues ?? [];
    const suggestion = near === undefined ? "" : `; did you mean "${near}"?`;
    expect(issues).toContainEqual(
      expect.objectContaining({ path: [part], message: `unknown key "${unknown}"${suggestion}` }),
    );
  });

  // proves KEY-7.11
  test.each([
    ["risk", ["user_data", "unheard_of"]],
    ["risk", ["constructor"]],
    ["status", "active"],
    ["stability", "alpha"],
    ["sideEffect", "llm_cost"],
    ["costEffect", "user_write"],
    ["permissions", ["Markets:Read"]],
    ["permissions", [""]],
    ["permissions", ["x".repeat(65)]],
    ["idempotency", { type: "sometimes" }],
    ["idempotency", { type: "key" }],
    ["idempotency", { type: "key", keyRetentionMs: 0 }],
    ["input", true],
    ["input", []],
    ["output", null],
    ["capability", { kind: "disk", url: "/x" }],
    ["capability", { kind: "net", url: "x" }],
    ["capability", { kind: "net", url: "/a~2" }],
    ["trade", { venue: "venue" }],
    ["http", { method: "get", path: "/api/x" }],
    ["http", { method: "GET", path: "/x" }],
    ["http", { method: "GET", path: "/api/../x" }],
    ["http", { method: "GET", path: "/api/x?y=1" }],
    ["replay", { replayable: true, match: "tool" }],
    ["title", ""],
    ["description", ""],
    ["traceEvents", [""]],
    ["authRequired", "false"],
    ["access", { anonymousAllowed: "true" }],
  ])("G1: %s cannot be %j", (field, value) => {
    const issues = toolDefinitionSchema.safeParse({ ...fullDefinition, [field]: value }).error?.issues ?? [];
    expect(issues.map((issue) => issue.path[0])).toContain(field);
  });

  // proves KEY-7.8, KEY-7.9
  test("the closed lists are these", () => {
    expect(risks).toStrictEqual([
      "account_context",
      "user_data",
      "paid_upstream",
      "search",
      "llm",
      "venue",
      "state_mutation",
      "secret",
      "runtime_control",
      "paper_trade",
      "live_trade",
    ]);
    expect(toolStatusSchema.options).toStrictEqual(["implemented", "deferred", "deprecated", "forbidden"]);
    expect(toolStabilitySchema.options).toStrictEqual(["experimental", "beta", "stable"]);
  });

  test("only an implemented tool is active", () => {
    expect(toolStatusSchema.options.filter((status) => isActive({ status }))).toStrictEqual(["implemented"]);
  });
});

test("a tool that does not say is taken to be repeatable only if it does nothing", () => {
  const table = sideEffects.map((sideEffect) => [sideEffect, defaultIdempotency(sideEffect)]);
  expect(table).toStrictEqual(
    sideEffects.map((sideEffect) => [sideEffect, { type: sideEffect === "none" ? "natural" : "none" }]),
  );
  for (const [, idempotency] of table)
    expect(idempotencySchema.parse(idempotency)).toStrictEqual(idempotency);
});

test("user_data is declared as a risk or as a permission", () => {
  expect(readsUserData({ risk: ["user_data"], permissions: [] })).toBe(true);
  expect(readsUserData({ risk: [], permissions: ["user_data"] })).toBe(true);
  expect(
    readsUserData({ risk: ["account_context", "secret"], permissions: ["user_data:x", "world:read"] }),
  ).toBe(false);
});

test("J1: a free read changes nothing and costs an API request at most", () => {
  const free = sideEffects.flatMap((sideEffect) =>
    costEffects.flatMap((costEffect) =>
      isFreeRead({ sideEffect, costEffect }) ? [[sideEffect, costEffect]] : [],
    ),
  );
  expect(free).toStrictEqual([
    ["none", "none"],
    ["none", "api_cost"],
  ]);
});

describe("requiresIdentity", () => {
  const bits = [false, true];
  const rows = bits.flatMap((anonymousAllowed) =>
    bits.flatMap((authRequired) =>
      bits.flatMap((hasSideEffect) =>
        bits.flatMap((hasCost) =>
          bits.map((userData) => ({ anonymousAllowed, authRequired, hasSideEffect, hasCost, userData })),
        ),
      ),
    ),
  );

  // proves KEY-3.5, KEY-6.7, KEY-7.12
  test("is false for exactly one of the 32 combinations of its five conditions", () => {
    const free = rows.filter(
      (row) =>
        !requiresIdentity({
          access: { anonymousAllowed: row.anonymousAllowed },
          authRequired: row.authRequired,
          sideEffect: row.hasSideEffect ? "auth_telemetry_write" : "none",
          costEffect: row.hasCost ? "api_cost" : "none",
          risk: row.userData ? ["user_data"] : [],
          permissions: [],
        }),
    );
    expect(rows).toHaveLength(32);
    expect(free).toStrictEqual([
      { anonymousAllowed: true, authRequired: false, hasSideEffect: false, hasCost: false, userData: false },
    ]);
  });

  // proves KEY-6.11
  test("is true for every side effect and every cost but none", () => {
    const freeEffects = sideEffects.filter((sideEffect) => !requiresIdentity(toolDefinition({ sideEffect })));
    const freeCosts = costEffects.filter((costEffect) => !requiresIdentity(toolDefinition({ costEffect })));
    expect([freeEffects, freeCosts]).toStrictEqual([["none"], ["none"]]);
  });

  // proves KEY-6.12
  test("is true for user_data also where only a permission says it", () => {
    expect(requiresIdentity(toolDefinition({ permissions: ["user_data"] }))).toBe(true);
  });
});
