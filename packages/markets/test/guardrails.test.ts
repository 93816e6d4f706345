// Every guardrail of a live order alone, between an order that passes and one that does not: only that one field differs.
import { type AgentPolicy, tradeGuardrailsSchema } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { failureOf, governedDesk } from "../test-data/governed-desk.ts";
import { tradingDesk } from "../test-data/trading-desk.ts";

type Guardrails = NonNullable<AgentPolicy["trade"]>;

/** Nothing in it stops the order below. */
const open: Guardrails = {
  allowedVenues: ["embedded"],
  maxOrderCostCents: 600,
  maxQuantity: 10,
  requireLimitPrice: false,
  dryRunOnly: false,
  allowAutoExecute: true,
  allowRuntimeStart: true,
};

const facts = { venue: "embedded", ticker: "RAIN", action: "buy", side: "yes", quantity: 10 };
const order = { ...facts, limitPriceCents: 60, dryRun: false };

type Case = {
  readonly field: keyof Guardrails;
  readonly strict: Partial<Guardrails>;
  readonly said: string;
  readonly input?: Record<string, unknown>;
};

const unlimited = { ...facts, dryRun: false };
const trigger = { when: "ask_at_or_below", priceCents: 10 };

const cases: readonly Case[] = [
  {
    field: "allowedVenues",
    strict: { allowedVenues: ["kalshi"] },
    said: "the venue is not one of kalshi",
  },
  {
    field: "maxOrderCostCents",
    strict: { maxOrderCostCents: 599 },
    said: "the order could cost more than 599 cents before fees",
  },
  {
    field: "maxQuantity",
    strict: { maxQuantity: 9 },
    said: "the quantity is not a whole number from 1 to 9",
  },
  {
    field: "requireLimitPrice",
    strict: { requireLimitPrice: true },
    said: "the order has no limit price from 1 to 99 cents",
    input: { ...unlimited, quantity: 6 },
  },
  {
    field: "dryRunOnly",
    strict: { dryRunOnly: true },
    said: "the order does not say dryRun: true",
  },
  {
    field: "allowAutoExecute",
    strict: { allowAutoExecute: false },
    said: "the order would execute by itself",
    input: { ...order, trigger, autoExecute: true },
  },
  {
    field: "allowRuntimeStart",
    strict: { allowRuntimeStart: false },
    said: "the order would start a runtime",
    input: { ...order, startsRuntime: true },
  },
  {
    field: "requireJurisdiction",
    strict: { requireJurisdiction: true },
    said: "the order names no jurisdiction",
  },
  {
    field: "jurisdiction",
    strict: { jurisdiction: "DE" },
    said: "the order's jurisdiction is not DE",
    input: { ...order, jurisdiction: "FR" },
  },
  {
    field: "blockedJurisdictions",
    strict: { blockedJurisdictions: ["FR"] },
    said: "the jurisdiction is blocked",
    input: { ...order, jurisdiction: "FR" },
  },
  {
    field: "confirmToken",
    strict: { confirmToken: "yes-I-mean-it" },
    said: "the order does not carry the confirm token",
  },
];

function callUnder(trade: Guardrails | undefined, input: Record<string, unknown>) {
  const desk = tradingDesk();
  const policy: AgentPolicy = { maxSideEffect: "live_trade", ...(trade !== undefined && { trade }) };
  return { desk, call: governedDesk(desk, policy).call("execution.place", input) };
}

/** Every order is an intent's, whether it was sent or waits. */
async function traces({ store, live }: ReturnType<typeof tradingDesk>): Promise<number> {
  const intents = await store.documents({ kind: "intent", accountId: "ann", limit: 9 });
  return Math.max(intents.length, (await live.orders("ann", { limit: 9 })).length);
}

describe.each(cases)("$field", ({ field, strict, said, input = order }) => {
  // proves KEY-14.18
  test("alone stops the order, by name, and nothing is sent or kept", async () => {
    const { desk, call } = callUnder({ ...open, ...strict }, input);
    const { code, message } = await failureOf(call);
    expect(code).toBe("trade_guardrail");
    expect(message).toContain(`${said} (trade.${field} in the agent's policy)`);
    expect(await traces(desk)).toBe(0);
  });

  test("as it was lets the same order pass", async () => {
    const { desk, call } = callUnder(open, input);
    await call;
    expect(await traces(desk)).toBe(1);
  });
});

test("every guardrail there is has its case", () => {
  const all = Object.keys(tradeGuardrailsSchema.shape);
  expect(cases.map(({ field }) => field).toSorted()).toStrictEqual(all.toSorted());
});

describe("guardrails that an order satisfies", () => {
  test.each([
    [
      "requireJurisdiction and jurisdiction",
      { requireJurisdiction: true, jurisdiction: "FR" },
      { jurisdiction: "FR" },
    ],
    ["blockedJurisdictions of others", { blockedJurisdictions: ["US"] }, { jurisdiction: "FR" }],
    ["a confirmToken that is given", { confirmToken: "yes-I-mean-it" }, { confirm: "yes-I-mean-it" }],
    ["requireLimitPrice with a limit", { requireLimitPrice: true }, {}],
  ])("let it pass: %s", async (_, strict, change) => {
    const { desk, call } = callUnder({ ...open, ...strict }, { ...order, ...change });
    await call;
    expect(await traces(desk)).toBe(1);
  });

  test("dryRunOnly lets a dry run pass, which sends nothing", async () => {
    const { desk, call } = callUnder({ ...open, dryRunOnly: true }, { ...order, dryRun: true });
    await call;
    expect(await traces(desk)).toBe(0);
  });

  test("without a limit price an order counts as 99 cents a contract", async () => {
    const six = { ...unlimited, quantity: 6 };
    await callUnder({ ...open, maxOrderCostCents: 594 }, six).call;
    const { message } = await failureOf(callUnder({ ...open, maxOrderCostCents: 593 }, six).call);
    expect(message).toContain("maxOrderCostCents");
  });
});

// proves KEY-24.13
test("without trade no ceiling allows an order, and the message says what to give", async () => {
  const { desk, call } = callUnder(undefined, order);
  const { code, message } = await failureOf(call);
  expect(code).toBe("policy_denied");
  expect(message).toMatch(/\btrade\b/);
  expect(await traces(desk)).toBe(0);
});

test.each([
  ["that the policy asks for", "correct-horse-battery", { confirmToken: "correct-horse-battery" }],
  ["that nobody asked for", "some-other-words", {}],
])("S1: a confirm token %s is in no record, no document and no answer", async (_, token, strict) => {
  const desk = tradingDesk();
  const policy: AgentPolicy = { maxSideEffect: "live_trade", trade: { ...open, ...strict } };
  const seen: string[] = [];
  const governed = governedDesk(desk, policy, "ann", (line) => void seen.push(line));
  const waiting = { ...order, trigger, autoExecute: true, confirm: token };
  for await (const event of governed.stream("execution.place", waiting)) seen.push(JSON.stringify(event));
  await governed.close();
  const intents = await desk.store.documents({ kind: "intent", accountId: "ann", limit: 9 });
  expect(intents).toHaveLength(1);
  expect(seen.join()).toContain("ask_at_or_below");
  expect(`${seen.join()}${JSON.stringify(intents)}`).not.toContain(token);
});
