// For any tool, policy, caller and input: what is explained is what happens, and what is refused runs nothing.
import {
  type AgentPolicy,
  canonicalJson,
  costEffects,
  hasPlaceholder,
  type JsonValue,
  sideEffects,
  verdictSchema,
} from "@spfunctions/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type AnySpec, Deck } from "../../test-data/call-deck.ts";
import { type DeskOptions, openDesk, principalOf } from "../../test-data/call-desk.ts";
import { brokenPromises } from "../../test-data/call-events.ts";
import { tradePointers } from "../../test-data/tool-samples.ts";

/** One tool for each thing a gate can stop. */
const more: readonly (Partial<AnySpec> & { readonly name: string })[] = [
  { name: "keys.make", sideEffect: "secret", permissions: ["keys"] },
  { name: "keys.show", sideEffect: "runtime", agent: { callable: false } },
  { name: "orders.paper", sideEffect: "paper_trade", costEffect: "venue_request_cost" },
  { name: "orders.live", sideEffect: "live_trade", trade: tradePointers, permissions: ["orders"] },
  { name: "page.get", capability: { kind: "net", url: "/url" } },
  { name: "mail.read", risk: ["user_data"], costEffect: "llm_cost" },
  { name: "mail.old", status: "deferred" },
];
const deck = new Deck(undefined, more);
const names = deck.tools.map(({ contract }) => contract.name);

const anyOf = <Item>(items: readonly Item[]) => fc.constantFrom(...items);
const patterns = fc.subarray(["notes.*", "notes.write", "orders.*", "keys.make", "mail.read"]);
const anyPolicy: fc.Arbitrary<AgentPolicy> = fc.record(
  {
    allow: fc.subarray(["notes", "orders", "keys"]),
    deny: fc.subarray(["orders", "keys"]),
    allowTools: patterns,
    denyTools: patterns,
    maxSideEffect: anyOf(sideEffects),
    maxCostEffect: anyOf(costEffects),
    trade: fc.constant({ allowedVenues: ["kalshi"], maxOrderCostCents: 100, maxQuantity: 5 }),
    budget: fc.record({ maxToolCalls: fc.nat(2) }, { requiredKeys: [] }),
    approvals: fc.record({ requireForSideEffectAtOrAbove: anyOf(sideEffects) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const anyPrincipal = fc
  .record({
    scopes: fc.subarray(["read", "write", "trade", "admin"] as const),
    kind: anyOf(["local", "key", "anonymous"] as const),
  })
  .map((changes) => principalOf("acct_1", changes));
const order = { venue: "kalshi", side: "buy", quantity: 1, limitPriceCents: 50, dryRun: true };
const anyInput: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>({}, { text: "a" }, { text: 1 }, null, order, { ...order, quantity: 9 }),
  fc.constantFrom<unknown>({ url: "https://example.com/" }, Number.NaN, () => {}, [new Date(Number.NaN)]),
  fc.jsonValue(),
);
const anyLaw = fc.record({
  levels: fc.array(fc.record({ level: anyOf(["agent", "key", "session"] as const), policy: anyPolicy }), {
    minLength: 1,
    maxLength: 3,
  }),
  principal: anyPrincipal,
  origin: anyOf(["direct", "model", "mcp", "subagent", "spectator"] as const),
  surface: anyOf(["agent", "plain"] as const),
});
const anyName = fc.oneof({ weight: 9, arbitrary: anyOf(names) }, { weight: 1, arbitrary: fc.string() });

function deskUnder(law: DeskOptions) {
  deck.runs.length = 0;
  deck.deed = (_input, _context, tool) => (tool === "notes.strict" ? { id: "1" } : null);
  return openDesk({ ...law, deck });
}

// proves PORT-9.9, PORT-20.11
test("explain and call never disagree", async () => {
  await fc.assert(
    fc.asyncProperty(anyLaw, anyName, anyInput, async (law, tool, input) => {
      const desk = deskUnder(law);
      const before = structuredClone(desk.seat.explain(tool, input));
      const outcome = await desk.call({ tool, input });
      const [opening] = (await desk.records()).slice(1);
      // What is granted at the moment of a call, nobody can explain before: it is refused for want of that alone.
      const capability = before.gates.find(({ gate }) => gate === "capability")?.result;
      const isLacking = before.outcome === "unchecked" && capability === "not_checked";
      const refusedAt = outcome.type === "refused" ? outcome.receipt?.verdict.gate : "nowhere";
      expect(isLacking ? refusedAt : "capability").toBe("capability");
      if (isLacking) return;
      expect(verdictSchema.parse(before)).toStrictEqual(opening && "verdict" in opening && opening.verdict);
      expect(outcome.type).toBe(before.outcome === "allow" ? "completed" : "refused");
      const told = outcome.type === "refused" && [
        outcome.error.code,
        outcome.error.details?.verdict,
        outcome.receipt?.verdict,
      ];
      expect(told).toStrictEqual(before.outcome !== "allow" && [before.code, before, before]);
      expect(desk.deck.runs).toHaveLength(before.outcome === "allow" ? 1 : 0);
      expect(desk.seat.explain(tool, input)).toStrictEqual(before);
    }),
    { numRuns: 250 },
  );
});

const anyAnswer = fc.constantFrom<unknown>(
  { outcome: "allow" },
  { outcome: "deny", reason: "no" },
  { outcome: "ask" },
  { outcome: "yes" },
  { outcome: "allow", reason: 7 },
  Object.create({ outcome: "allow" }),
  undefined,
  true,
  "throw",
);

// proves PORT-9.9, PORT-13.2, PORT-13.10, PORT-18.3, PORT-18.9
test("no executor runs on a refused call", async () => {
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(anyLaw, anyName, anyInput, anyAnswer, async (law, tool, input, answer) => {
      const desk = deskUnder({
        ...law,
        evaluatePreTool: () => {
          if (answer === "throw") throw new Error("the policy is out of order");
          return answer as never;
        },
      });
      const outcome = await desk.call({ tool, input });
      const isRefused = outcome.type === "refused";
      refusals += isRefused ? 1 : 0;
      expect(desk.deck.runs).toHaveLength(isRefused ? 0 : 1);
      expect(isRefused).toBe(
        !["allowed", "unchecked"].includes(desk.seat.explain(tool, input).code) ||
          (answer as { outcome?: string; reason?: unknown } | undefined)?.outcome !== "allow" ||
          !Object.hasOwn(answer as object, "outcome") ||
          typeof (answer as { reason?: unknown }).reason === "number",
      );
      expect(desk.events.some(({ type }) => type === "tool.started")).toBe(!isRefused);
      expect(brokenPromises(desk.events)).toStrictEqual([]);
      const kinds = (await desk.records()).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === "call.refused")).toHaveLength(isRefused ? 1 : 0);
    }),
    { numRuns: 250 },
  );
  expect(refusals).toBeGreaterThan(50);
});

const placeholder = fc.constantFrom(
  "[redacted]",
  "[redacted:api_key]",
  "[redacted:password:0123456789ab]",
  "Bearer [redacted:jwt:ffffffffffff]!",
);

/** A value with a placeholder somewhere in it: as a value, in a text, or as a key. */
const withPlaceholder: fc.Arbitrary<JsonValue> = fc
  .tuple(placeholder, fc.array(fc.oneof(fc.string(), fc.nat(3)), { maxLength: 6 }), fc.boolean(), fc.string())
  .map(([text, path, asKey, around]) => {
    const core: JsonValue = asKey ? { [text]: 1 } : `${around}${text}`;
    return path.reduceRight<JsonValue>(
      (inner, step) =>
        typeof step === "string"
          ? { z: 1, [step]: inner }
          : [...Array.from({ length: step }, () => null), inner],
      core,
    );
  });

test("no placeholder reaches an executor", async () => {
  const changing = ["notes.write", "notes.put", "notes.send"];
  await fc.assert(
    fc.asyncProperty(withPlaceholder, anyOf(changing), async (value, tool) => {
      const desk = deskUnder({});
      const outcome = await desk.call({ tool, input: { value } });
      expect(desk.deck.runs).toStrictEqual([]);
      expect(outcome).toMatchObject({
        type: "refused",
        error: { code: "invalid_input", details: { reason: "redacted_value_in_input" } },
      });
    }),
    { numRuns: 200 },
  );
});

test("no placeholder reaches an executor as a default either", async () => {
  const input = { type: "object", properties: { key: { type: "string", default: "[redacted:api_key]" } } };
  const own = new Deck();
  const tool = own.tool({ name: "pay.out", sideEffect: "user_write", input });
  const desk = openDesk({ deck: own, packs: [tool] });
  expect(await desk.call({ tool: "pay.out" })).toMatchObject({
    type: "refused",
    error: { code: "invalid_input" },
  });
  expect(own.runs).toStrictEqual([]);
});

test("a read may be asked about what is redacted, and what it then gets is what was asked", async () => {
  const desk = deskUnder({});
  const input = { value: "[redacted:api_key]" };
  expect(await desk.call({ tool: "notes.read", input })).toMatchObject({ type: "completed" });
  expect(hasPlaceholder(desk.deck.runs[0]?.text ?? "")).toBe(true);
  expect(desk.deck.runs[0]?.text).toBe(canonicalJson(input));
});

// proves PORT-7.6
test("a name that is no text, or no whole one, is refused like any unknown tool", async () => {
  for (const tool of ["\ud800", `a${"\u{1f600}".repeat(150)}`, "__proto__", "", "x".repeat(10_000)]) {
    const desk = deskUnder({});
    const outcome = await desk.call({ tool });
    expect(outcome).toMatchObject({ type: "refused", error: { code: "unknown_tool" } });
    expect(await desk.records()).toMatchObject([{ kind: "segment.opened" }, { kind: "call.refused" }]);
  }
});
