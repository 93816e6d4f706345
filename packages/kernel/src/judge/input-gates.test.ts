import {
  type AgentPolicy,
  type Gate,
  heldSecrets,
  type JsonValue,
  type Verdict,
} from "@spfunctions/contracts";
import { afterEach, describe, expect, test } from "vitest";
import {
  checked,
  decisionOf,
  judgeWith,
  openPolicy,
  order,
  reportOf,
  verdictOn,
} from "../../test-data/judge-samples.ts";
import { orderSpec, tinySchema, toolWith } from "../../test-data/tool-samples.ts";
import { defineTool } from "../tool/define-tool.ts";

const named = {
  type: "object",
  properties: { name: { type: "string" } },
  additionalProperties: false,
} as const;
const read = toolWith({ input: named });
const anyWrite = toolWith({ name: "notes.write", sideEffect: "user_write", input: {} });
const anyRead = toolWith({ name: "notes.find", input: {} });
const trade = defineTool(orderSpec());
const fetcher = toolWith({ name: "web.fetch", capability: { kind: "net", url: "/url" } });

const result = (verdict: Verdict, gate: Gate) => reportOf(verdict, gate)?.result;
const results = (verdict: Verdict) =>
  Object.fromEntries(verdict.gates.slice(11).map((report) => [report.gate, report.result]));

describe("without an input nothing that depends on it is checked", () => {
  test("and that is said", () => {
    const verdict = verdictOn(trade);
    expect(verdict.outcome).toBe("allow");
    expect(results(verdict)).toStrictEqual({
      input: "not_checked",
      trade: "not_checked",
      capability: "not_checked",
      pre_tool: "not_checked",
      approval: "not_checked",
    });
  });
});

describe("12 input", () => {
  test("passes what fits", () => {
    const verdict = verdictOn(read, { input: { name: "a" } });
    expect(results(verdict)).toStrictEqual({
      input: "passed",
      trade: "not_applicable",
      capability: "not_applicable",
      pre_tool: "not_applicable",
      approval: "not_applicable",
    });
  });

  test.each<[unknown, string, object]>([
    [5, "the input must be object", { path: "", reason: "type" }],
    [{ name: 5 }, "/name must be string", { path: "/name", reason: "type" }],
    [{ other: 1 }, "/other is not declared", { path: "/other", reason: "additionalProperties" }],
  ])("%j is invalid_input, with its place", (value, reason, problem) => {
    const judge = judgeWith([read]);
    const judgement = judge.judge({
      tool: "notes.read",
      origin: "direct",
      input: { type: "live", value: value as JsonValue, text: JSON.stringify(value) },
    });
    expect(decisionOf(checked(judgement.verdict))).toStrictEqual({
      outcome: "deny",
      gate: "input",
      code: "invalid_input",
      reason,
      remedy: "see the input schema of notes.read",
    });
    expect(judgement.problem).toMatchObject(problem);
    expect(results(judgement.verdict)).toStrictEqual({
      input: "stopped",
      trade: "not_checked",
      capability: "not_checked",
      pre_tool: "not_checked",
      approval: "not_checked",
    });
  });

  test("what could not be read at all is invalid_input for any tool", () => {
    const problem = { path: "/a", reason: "not_json", message: "is not JSON: a cycle" };
    const { verdict, problem: said } = judgeWith([anyRead]).judge({
      tool: "notes.find",
      origin: "direct",
      input: { type: "unreadable", problem },
    });
    expect(decisionOf(checked(verdict))).toStrictEqual({
      outcome: "deny",
      gate: "input",
      code: "invalid_input",
      reason: "/a is not JSON: a cycle",
      remedy: "see the input schema of notes.find",
    });
    expect(said).toStrictEqual(problem);
  });
});

describe("12 input: a placeholder is refused above none (G4)", () => {
  const placeholder = "[redacted:held:0123456789ab]";

  test.each<[string, unknown, string]>([
    ["the whole input", placeholder, ""],
    ["a member", { a: placeholder }, "/a"],
    ["inside a text", { a: `Bearer ${placeholder}!` }, "/a"],
    ["a short one", { a: "[redacted]" }, "/a"],
    ["one without its hash", { a: "[redacted:api_key]" }, "/a"],
    ["an item", [1, [placeholder]], "/1/0"],
    ["a key", { [placeholder]: 1 }, `/${placeholder}`],
    ["a key inside", { a: [{ [`x ${placeholder}`]: 1 }] }, `/a/0/x ${placeholder}`],
    ["under keys with slashes", { "a/b": { "~": placeholder } }, "/a~1b/~0"],
    ["under __proto__", JSON.parse(`{"__proto__":{"a":"${placeholder}"}}`), "/__proto__/a"],
    ["the first of two", { a: placeholder, b: placeholder }, "/a"],
  ])("%s", (_, input, path) => {
    const verdict = verdictOn(anyWrite, { input });
    expect(decisionOf(verdict)).toStrictEqual({
      outcome: "deny",
      gate: "input",
      code: "invalid_input",
      reason: `${path === "" ? "the input" : path} holds a redacted value`,
      remedy: "pass the real value; a record has only its placeholder",
    });
    expect(verdictOn(anyRead, { input }).outcome).toBe("allow");
  });

  test("whoever sends it", () => {
    for (const origin of ["direct", "model", "subagent", "mcp", "spectator"] as const) {
      expect(verdictOn(anyWrite, { origin, input: { a: placeholder } }).code).toBe("invalid_input");
    }
  });

  test.each(["[Redacted]", "[redacted:UPPER]", "redacted", "[redacted", "[redacted:held:xyz]"])(
    "%s is none",
    (text) => {
      expect(verdictOn(anyWrite, { input: { text } }).outcome).toBe("allow");
    },
  );

  test("for every class above none", () => {
    const classes = ["auth_telemetry_write", "user_write", "secret", "runtime", "paper_trade"] as const;
    for (const sideEffect of classes) {
      const tool = toolWith({ sideEffect });
      const policies = [{ ...openPolicy, allowTools: ["notes.read"] }];
      const verdict = verdictOn(tool, { surface: "plain", policies, input: { a: "[redacted]" } });
      expect(verdict.code).toBe("invalid_input");
    }
    const verdict = verdictOn(trade, { input: { ...order, note: "[redacted]" } });
    expect(verdict.code).toBe("invalid_input");
  });
});

describe("no verdict shows what a process keeps secret (S1)", () => {
  const secret = "correct-horse-battery";
  afterEach(() => heldSecrets.remove(secret));

  test("not as a key that is not declared, nor in what a library says of it, nor as a host", () => {
    heldSecrets.add(secret, "word");
    const loud = toolWith({
      input: tinySchema({}, (given: unknown) => ({ issues: [{ message: JSON.stringify(given) }] })),
    });
    for (const verdict of [
      verdictOn(read, { input: { [secret]: 1 } }),
      verdictOn(loud, { input: { a: secret } }),
      verdictOn(fetcher, { input: { url: `https://${secret}.example.com/` } }),
      verdictOn(fetcher, { input: { url: `https://${secret}.example.com./` } }),
      verdictOn(anyWrite, { input: { [secret]: "[redacted]" } }),
    ]) {
      expect(verdict.outcome).toBe("deny");
      expect(JSON.stringify(verdict)).not.toContain(secret);
    }
  });

  test("a library's message lies in no verdict: a verdict cannot be erased", () => {
    const loud = toolWith({
      input: tinySchema({}, (given: unknown) => ({ issues: [{ message: JSON.stringify(given) }] })),
    });
    expect(JSON.stringify(verdictOn(loud, { input: { diary: "dear diary" } }))).not.toContain("dear diary");
  });
});

describe("13 trade", () => {
  const rails = openPolicy.trade;
  const under = (...trades: Partial<NonNullable<AgentPolicy["trade"]>>[]) => ({
    policies: trades.map((changes) => ({ ...openPolicy, trade: { ...rails, ...changes } })),
  });

  test("passes an order within the guardrails of every level, and applies to live trades alone", () => {
    expect(result(verdictOn(trade, { ...under({}, {}), input: order }), "trade")).toBe("passed");
    expect(result(verdictOn(anyWrite, { input: order }), "trade")).toBe("not_applicable");
    const pointing = toolWith({
      name: "paper.place",
      sideEffect: "paper_trade",
      trade: trade.contract.trade,
    });
    expect(result(verdictOn(pointing, { input: { venue: "nowhere" } }), "trade")).toBe("not_applicable");
  });

  test.each<[string, Partial<NonNullable<AgentPolicy["trade"]>>, object, string]>([
    ["allowedVenues", { allowedVenues: ["paper"] }, {}, "the venue is not one of paper"],
    ["maxQuantity", { maxQuantity: 2 }, {}, "the quantity is not a whole number from 1 to 2"],
    [
      "requireLimitPrice",
      { requireLimitPrice: true },
      { limitPriceCents: undefined },
      "the order has no limit price from 1 to 99 cents",
    ],
    [
      "maxOrderCostCents",
      { maxOrderCostCents: 119 },
      {},
      "the order could cost more than 119 cents before fees",
    ],
    ["dryRunOnly", { dryRunOnly: true }, { dryRun: false }, "the order does not say dryRun: true"],
    [
      "allowAutoExecute",
      { allowAutoExecute: false },
      { autoExecute: true },
      "the order would execute by itself",
    ],
    [
      "allowRuntimeStart",
      { allowRuntimeStart: false },
      { startsRuntime: true },
      "the order would start a runtime",
    ],
    ["requireJurisdiction", { requireJurisdiction: true }, {}, "the order names no jurisdiction"],
    ["jurisdiction", { jurisdiction: "US" }, { jurisdiction: "FR" }, "the order's jurisdiction is not US"],
    [
      "blockedJurisdictions",
      { blockedJurisdictions: ["US"] },
      { jurisdiction: "us-ny" },
      "the jurisdiction is blocked",
    ],
    [
      "confirmToken",
      { confirmToken: "kept a good word" },
      { confirm: "another word" },
      "the order does not carry the confirm token",
    ],
  ])("%s stops at the level whose it is", (field, changes, facts, reason) => {
    const input = { ...order, ...facts };
    expect(verdictOn(trade, { ...under({}, {}), input }).outcome).toBe("allow");
    for (const [level, policies] of [
      ["agent", under(changes, {})],
      ["session", under({}, changes)],
    ] as const) {
      expect(decisionOf(verdictOn(trade, { ...policies, input }))).toStrictEqual({
        outcome: "deny",
        gate: "trade",
        code: "trade_guardrail",
        reason: `${reason} (trade.${field} in the ${level}'s policy)`,
        remedy: `change the order, or trade.${field} in the ${level}'s policy`,
      });
    }
  });

  test("the word that confirms passes, given at every level that asks for it", () => {
    const both = under({ confirmToken: "kept a good word" }, { confirmToken: "kept another one" });
    expect(
      verdictOn(trade, {
        ...under({ confirmToken: "kept a good word" }),
        input: { ...order, confirm: "a good word" },
      }).outcome,
    ).toBe("allow");
    expect(verdictOn(trade, { ...both, input: { ...order, confirm: "a good word" } }).reason).toBe(
      "the order does not carry the confirm token (trade.confirmToken in the session's policy)",
    );
  });

  test("the facts are read by own names: what every object has is not given", () => {
    const tool = defineTool(
      orderSpec({
        trade: { venue: "/constructor/name", side: "/side", quantity: "/quantity", dryRun: "/dryRun" },
      }),
    );
    const policies = [{ ...openPolicy, trade: { ...rails, allowedVenues: ["Object"] } }];
    expect(verdictOn(tool, { policies, input: order }).code).toBe("trade_guardrail");
  });
});

describe("14 capability", () => {
  test.each<[unknown, RegExp]>([
    [{ url: "https://example.com:8443/path?x=1" }, /port 8443/],
    [{ url: "https://user:secret@example.com" }, /a name or a password/],
    [{ url: "https://@example.com" }, /a name or a password/],
    [{ url: "https://127.0.0.1/" }, /exact name/],
    [{ url: "https://0x7f.1/" }, /exact name/],
    [{ url: "https://[::1]/" }, /exact name/],
    [{ url: "https://example.com./" }, /exact name/],
    [{ url: "https:\\\\example.com" }, /backslash/],
    [{ url: "https://exam\tple.com" }, /control character/],
    [{ url: " https://example.com" }, /space/],
    [{ url: "file:///etc/passwd" }, /http:/],
    [{ url: "https:example.com" }, /http:/],
    [{ url: "no url" }, /space/],
    [{ url: 5 }, /a text/],
    [{}, /a text/],
  ])("there is no going there, whatever is granted: %j", (input, reason) => {
    const { outcome, gate, code, reason: said } = decisionOf(verdictOn(fetcher, { input }));
    expect([outcome, gate, code]).toStrictEqual(["deny", "capability", "capability_denied"]);
    expect(said).toMatch(reason);
  });

  test("what was granted is said by whoever has looked; where nobody has, nothing is (G1)", () => {
    const input = { url: "https://example.com/" };
    const explained = verdictOn(fetcher, { input, capability: "not_checked" });
    expect(result(explained, "capability")).toBe("not_checked");
    expect(decisionOf(verdictOn(fetcher, { input }))).toStrictEqual({
      outcome: "deny",
      gate: "capability",
      code: "capability_denied",
      reason: "web.fetch needs net:example.com, which nobody has granted",
      remedy: "an operator must grant it",
    });
    expect(result(verdictOn(fetcher, { input, capability: "passed" }), "capability")).toBe("passed");
    const stop = { code: "capability_denied", reason: "no", remedy: "none" } as const;
    expect(verdictOn(fetcher, { input, capability: stop })).toMatchObject({ outcome: "deny", reason: "no" });
  });
});

const asked = { hasPreTool: true, input: {} } as const;
const denied = (preTool: { outcome: "deny"; reason?: string }) =>
  decisionOf(verdictOn(anyRead, { ...asked, preTool }));

// proves PORT-20.2
describe("pre_tool", () => {
  test("does not apply without one, and is not checked before it has answered", () => {
    expect(result(verdictOn(anyRead, { input: {} }), "pre_tool")).toBe("not_applicable");
    expect(result(verdictOn(anyRead, asked), "pre_tool")).toBe("not_checked");
  });

  test("allow passes, and lets nothing pass that another gate stops", () => {
    const preTool = { outcome: "allow" } as const;
    expect(result(verdictOn(anyRead, { ...asked, preTool }), "pre_tool")).toBe("passed");
    expect(verdictOn(anyWrite, { ...asked, preTool, policies: [{}] }).gate).toBe("max.sideEffect");
    expect(verdictOn(fetcher, { ...asked, preTool }).gate).toBe("capability");
    const approvals = { requireForSideEffectAtOrAbove: "none" } as const;
    expect(verdictOn(anyRead, { ...asked, preTool, policies: [{ approvals }] }).outcome).toBe("ask");
  });

  test("deny denies; what the policy said is beside the verdict, which cannot be erased", () => {
    const expected = {
      outcome: "deny",
      gate: "pre_tool",
      code: "policy_denied",
      remedy: "ask whoever set the host's policy",
    };
    const reason = "the host's policy objects";
    expect(denied({ outcome: "deny", reason: "not today" })).toStrictEqual({ ...expected, reason });
    expect(denied({ outcome: "deny" })).toStrictEqual({ ...expected, reason });
  });

  test("ask asks", () => {
    expect(
      decisionOf(verdictOn(anyRead, { ...asked, preTool: { outcome: "ask", reason: "who is it?" } })),
    ).toStrictEqual({
      outcome: "ask",
      gate: "pre_tool",
      code: "approval_required",
      reason: "the host's policy asks for a person",
      remedy: "a person with an operator credential must approve exactly this call",
    });
  });

  test("G1: what is no answer allows nothing", () => {
    for (const outcome of ["yes", "", null, undefined, true, "ALLOW"]) {
      expect(verdictOn(anyRead, { ...asked, preTool: { outcome } as never }).outcome).not.toBe("allow");
    }
  });
});

const asking = (...approvals: NonNullable<AgentPolicy["approvals"]>[]) => ({
  policies: approvals.map((one) => ({ ...openPolicy, approvals: one })),
  input: {},
});

describe("15 approval", () => {
  const remedy = "a person with an operator credential must approve exactly this call";

  test("applies where a level asks for it", () => {
    expect(result(verdictOn(anyWrite, { input: {} }), "approval")).toBe("not_applicable");
    expect(result(verdictOn(anyWrite, asking({ ttlMs: 5, onDenied: "fail" })), "approval")).toBe(
      "not_applicable",
    );
    expect(
      result(verdictOn(anyWrite, asking({ requireForSideEffectAtOrAbove: "runtime" })), "approval"),
    ).toBe("passed");
    expect(
      result(verdictOn(anyWrite, asking({ requireForCostEffectAtOrAbove: "api_cost" })), "approval"),
    ).toBe("passed");
  });

  // proves RUN-12.8
  test("from a side effect on", () => {
    for (const side of ["none", "auth_telemetry_write", "user_write"] as const) {
      expect(decisionOf(verdictOn(anyWrite, asking({ requireForSideEffectAtOrAbove: side })))).toStrictEqual({
        outcome: "ask",
        gate: "approval",
        code: "approval_required",
        reason: `a person must approve side effects from ${side} up`,
        remedy,
      });
    }
  });

  // proves RUN-12.9
  test("from a cost on", () => {
    const paid = toolWith({ costEffect: "search_cost" });
    expect(decisionOf(verdictOn(paid, asking({ requireForCostEffectAtOrAbove: "api_cost" })))).toStrictEqual({
      outcome: "ask",
      gate: "approval",
      code: "approval_required",
      reason: "a person must approve costs from api_cost up",
      remedy,
    });
  });

  test("from the lowest that any level names", () => {
    const levels = asking(
      { requireForSideEffectAtOrAbove: "live_trade" },
      { requireForSideEffectAtOrAbove: "user_write" },
    );
    expect(verdictOn(anyWrite, levels).outcome).toBe("ask");
  });

  test("asks for nothing that is refused anyway", () => {
    const verdict = verdictOn(fetcher, asking({ requireForSideEffectAtOrAbove: "none" }));
    expect(verdict).toMatchObject({ outcome: "deny", gate: "capability" });
    expect(result(verdict, "approval")).toBe("not_checked");
  });
});
