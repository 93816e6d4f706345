import { type AgentPolicy, parsePolicy, type SideEffect } from "@spfunctions/contracts";
import {
  createMemoryStore,
  defineTool,
  exportTrace,
  openReplay,
  type Replay,
  Seat,
  segmentsOf,
} from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { collected } from "../../../kernel/test-data/call-desk.ts";
import { countingIds } from "../../../kernel/test-data/call-ids.ts";
import { suggestPolicy } from "./suggest-policy.ts";

const shared = { description: "For a test.", input: {}, output: {}, permissions: [] } as const;
const toolOf = (name: string, sideEffect: SideEffect) =>
  defineTool({ ...shared, name, sideEffect, costEffect: "none", run: () => null });
const trade = {
  venue: "/venue",
  side: "/side",
  quantity: "/quantity",
  limitPriceCents: "/limitPriceCents",
  dryRun: "/dryRun",
  autoExecute: "/autoExecute",
} as const;
const packs = [
  toolOf("notes.read", "none"),
  toolOf("notes.write", "user_write"),
  toolOf("keys.create", "secret"),
  toolOf("runtime.start", "runtime"),
  toolOf("paper.place", "paper_trade"),
  defineTool({
    ...shared,
    name: "notes.ask",
    sideEffect: "none",
    costEffect: "llm_cost",
    run: () => {
      throw new Error("closed");
    },
  }),
  defineTool({
    ...shared,
    name: "orders.place",
    sideEffect: "live_trade",
    costEffect: "none",
    trade,
    run: () => null,
  }),
];

const everything: AgentPolicy = {
  allowTools: ["notes.*", "orders.*", "paper.*", "keys.create", "runtime.start"],
  denyTools: ["notes.delete"],
  maxSideEffect: "live_trade",
  maxCostEffect: "llm_cost",
  trade: {
    allowedVenues: ["kalshi", "paper", "elsewhere"],
    maxOrderCostCents: 100_000,
    maxQuantity: 1000,
    requireLimitPrice: false,
    dryRunOnly: false,
    allowAutoExecute: true,
    allowRuntimeStart: true,
  },
};
const bid = { venue: "kalshi", side: "buy", quantity: 3, limitPriceCents: 40, dryRun: true };

type Made = readonly [tool: string, input?: unknown];
type Conditions = { readonly policy?: AgentPolicy; readonly replay?: Replay; readonly erase?: true };

/** Makes calls, a second apart, and gives the trace. */
async function recorded(calls: readonly Made[], conditions: Conditions = {}): Promise<string> {
  const { policy = everything, replay, erase } = conditions;
  const [store, clock] = [createMemoryStore(), new ManualClock()];
  const seat = new Seat({
    packs,
    levels: [{ level: "agent", policy }],
    principal: {
      accountId: "acct_1",
      keyId: "key_1",
      scopes: ["read", "write", "trade", "admin"],
      kind: "local",
    },
    origin: "direct",
    surface: "plain",
    store,
    clock,
    ids: countingIds(),
    replay,
  });
  for (const [tool, input] of calls) {
    const outcome = await seat.call({ tool, input });
    if (erase === true && outcome.type === "completed") await seat.erase(outcome.result.callId);
    clock.advance(1000);
  }
  await seat.close();
  const [stream = ""] = await collected(segmentsOf(store, "acct_1"));
  return `${(await collected(exportTrace(store, "acct_1", stream))).join("\n")}\n`;
}

const at = (seconds: number) => `the first made at 2026-01-02T03:04:0${5 + seconds}.000Z`;
const call = (n: number) => `call_00000001-0000-4000-8000-${String(n).padStart(12, "0")}`;

test("of nothing, the policy that allows nothing", async () => {
  expect(await suggestPolicy([])).toStrictEqual({ policy: { allowTools: [] }, lines: [] });
  const refused = await recorded([["notes.write"], ["notes.nothing"]], { policy: {} });
  expect(await suggestPolicy([refused])).toStrictEqual({ policy: { allowTools: [] }, lines: [] });
});

test("each tool by its full name, each ceiling and number as low as it goes, each line with its calls and why", async () => {
  const trace = await recorded([
    ["notes.write"],
    ["notes.ask"],
    ["orders.place", bid],
    ["orders.place", { ...bid, venue: "paper", quantity: 5, limitPriceCents: 10, dryRun: false }],
    ["orders.place", { ...bid, venue: "nowhere" }],
  ]);
  const policy = {
    allowTools: ["notes.ask", "notes.write", "orders.place"],
    maxSideEffect: "live_trade",
    maxCostEffect: "llm_cost",
    trade: { allowedVenues: ["kalshi", "paper"], maxOrderCostCents: 120, maxQuantity: 5, dryRunOnly: false },
  };
  const [write, ask, first, second] = [1, 3, 4, 5].map(call);
  const oneOrder = (since: number, than = "without it") =>
    `${than}, 1 call of orders.place would be refused, ${at(since)}`;
  const bothOrders = (than: string) => `${than}, 2 calls of orders.place would be refused, ${at(2)}`;
  expect(await suggestPolicy([trace])).toStrictEqual({
    policy,
    lines: [
      {
        path: "/allowTools/0",
        value: "notes.ask",
        because: `without it, 1 call of notes.ask would be refused, ${at(1)}`,
        calls: [ask],
      },
      {
        path: "/allowTools/1",
        value: "notes.write",
        because: `without it, 1 call of notes.write would be refused, ${at(0)}`,
        calls: [write],
      },
      {
        path: "/allowTools/2",
        value: "orders.place",
        because: bothOrders("without it"),
        calls: [first, second],
      },
      {
        path: "/maxSideEffect",
        value: "live_trade",
        because: bothOrders("with a lower one"),
        calls: [first, second],
      },
      {
        path: "/maxCostEffect",
        value: "llm_cost",
        because: `with a lower one, 1 call of notes.ask would be refused, ${at(1)}`,
        calls: [ask],
      },
      { path: "/trade/allowedVenues/0", value: "kalshi", because: oneOrder(2), calls: [first] },
      { path: "/trade/allowedVenues/1", value: "paper", because: oneOrder(3), calls: [second] },
      {
        path: "/trade/maxOrderCostCents",
        value: 120,
        because: oneOrder(2, "with a lower one"),
        calls: [first],
      },
      { path: "/trade/maxQuantity", value: 5, because: oneOrder(3, "with a lower one"), calls: [second] },
      { path: "/trade/dryRunOnly", value: false, because: oneOrder(3), calls: [second] },
    ],
  });
});

describe("the ceiling is the lowest under which every named tool passes:", () => {
  test.each<[string[], AgentPolicy]>([
    [["notes.read"], { allowTools: ["notes.read"] }],
    [["keys.create", "notes.write"], { allowTools: ["keys.create", "notes.write"], maxSideEffect: "secret" }],
    [
      ["runtime.start", "keys.create"],
      { allowTools: ["keys.create", "runtime.start"], maxSideEffect: "runtime" },
    ],
    [
      ["paper.place", "keys.create"],
      { allowTools: ["keys.create", "paper.place"], maxSideEffect: "paper_trade" },
    ],
  ])("%j", async (tools, expected) => {
    const { policy } = await suggestPolicy([await recorded(tools.map((tool) => [tool] as const))]);
    expect(policy).toStrictEqual(expected);
  });
});

describe("a switch is only thrown for an order that needs it:", () => {
  const { limitPriceCents: _, ...unlimited } = bid;
  test.each<[string, object, object]>([
    ["none", bid, { maxOrderCostCents: 120 }],
    ["no limit price", unlimited, { maxOrderCostCents: 297, requireLimitPrice: false }],
    [
      "an order that executes by itself",
      { ...bid, autoExecute: true },
      { maxOrderCostCents: 120, allowAutoExecute: true },
    ],
  ])("%s", async (_name, order, needed) => {
    const { policy } = await suggestPolicy([await recorded([["orders.place", order]])]);
    expect(policy.trade).toStrictEqual({ allowedVenues: ["kalshi"], maxQuantity: 3, ...needed });
  });
});

test("an order whose input was erased gets the least guardrails there are, and the line says what to put there", async () => {
  const trace = await recorded([["orders.place", bid]], { erase: true });
  const { policy, lines } = await suggestPolicy([trace]);
  expect(policy.trade).toStrictEqual({
    allowedVenues: ["not-recorded"],
    maxOrderCostCents: 1,
    maxQuantity: 1,
  });
  expect(lines.find(({ path }) => path === "/trade/allowedVenues/0")?.because).toMatch(
    /; the venue of these orders is not recorded: put it here$/,
  );
});

test("a replayed order needs guardrails and nothing in them", async () => {
  const live = await recorded([
    ["orders.place", bid],
    ["orders.place", { ...bid, venue: "paper" }],
  ]);
  const calls: Made[] = [["orders.place", bid]];
  const trace = await recorded(calls, { replay: await openReplay([live]) });
  const { policy, lines } = await suggestPolicy([trace]);
  expect(parsePolicy(policy).trade).toMatchObject({
    allowedVenues: ["kalshi"],
    maxOrderCostCents: 0,
    maxQuantity: 0,
  });
  expect(lines.map(({ calls: needed }) => needed.length)).toStrictEqual([1, 1, 1, 1, 1]);
});

test("a call that was not in the trace it was to be replayed from was not made", async () => {
  const trace = await recorded([["notes.read"]], { replay: await openReplay([]) });
  expect(await suggestPolicy([trace])).toStrictEqual({ policy: { allowTools: [] }, lines: [] });
});

test("a broken trace is refused by its number (B22)", async () => {
  const error = await rejectionOf(suggestPolicy([await recorded([["notes.read"]]), "nothing"]));
  expect([error.code, error.message]).toStrictEqual([
    "journal_corrupt",
    "trace 2 cannot be trusted: record 0 (the first line) is not a trace's header",
  ]);
});
