// X1: what cannot be done any more when it is tried again is not unknown for that: the tool is asked, and the store says.
import { describe, expect, test } from "vitest";
import { day } from "../test-data/quiet-markets.ts";
import type { Prices } from "../test-data/trading-desk.ts";
import { type Crash, everyDeath } from "./crashing-desk.ts";

const order = { ticker: "RAIN", action: "buy", side: "yes", quantity: 10, limitPriceCents: 20 } as const;
const live = { ...order, venue: "embedded", dryRun: false } as const;

type Named = { readonly order: { readonly orderId: string }; readonly intent: { readonly intentId: string } };

/** It closes, and nothing can be ordered any more. */
const closes = ({ clock }: Prices) => clock.jump(2 * day);
/** What stands is met, and can no longer be taken back. */
const falls = (prices: Prices) => prices.move(10);

const placing: readonly [string, Crash][] = [
  ["an order on paper", { tool: "paper.order", days: 1, prepare: async () => order }],
  ["a live order", { tool: "execution.place", days: 1, prepare: async () => live }],
  [
    "a draft that is executed",
    {
      tool: "execution.place",
      days: 1,
      prepare: async (calls) => {
        const { dryRun: _, ...draft } = live;
        const { output } = await calls.call("intents.create", draft);
        return { ...live, intentId: (output as Named).intent.intentId };
      },
    },
  ],
];

const takingBack: readonly [string, Crash][] = [
  [
    "an order on paper",
    {
      tool: "paper.cancel",
      prepare: async (calls) => {
        const { output } = await calls.call("paper.order", order);
        return { orderId: (output as Named).order.orderId };
      },
    },
  ],
  [
    "a live order",
    {
      tool: "intents.cancel",
      prepare: async (calls) => {
        const { output } = await calls.call("execution.place", live);
        return { intentId: (output as Named).intent.intentId };
      },
    },
  ],
];

const failed = { by: "reconcile", outcome: "failed", unknown: [], end: { status: "failed" }, orders: 0 };

test.each(placing)("X1: %s that was not placed before its market closed has failed", async (_, crash) => {
  const { end, told } = await everyDeath(crash, closes);
  const placed = { by: "retry", outcome: "completed", unknown: [], end, orders: 1, isUntouched: false };
  expect(told.map(({ outcome }) => outcome)).toContain("failed");
  expect(told.at(-1)).toStrictEqual(placed);
  for (const one of told)
    expect(one).toStrictEqual(one.outcome === "completed" ? placed : { ...failed, isUntouched: true });
});

describe.each(takingBack)("X1: %s that was to be taken back", (_, crash) => {
  test("and was filled before that has failed to be, and what was taken back stays so", async () => {
    const { end, told } = await everyDeath(crash, falls);
    const taken = { by: "retry", outcome: "completed", unknown: [], end, orders: 0, isUntouched: false };
    expect(told[0]).toMatchObject(failed);
    expect(told.at(-1)).toStrictEqual(taken);
    for (const one of told) expect(one).toMatchObject(one.outcome === "completed" ? taken : failed);
  });
});
