// X1: a crash leaves no order in doubt. Whoever recovers tries the call again, or asks its tool what became of it, and the store says.
import { describe, expect, test } from "vitest";
import { day } from "../test-data/quiet-markets.ts";
import { type Crash, everyDeath } from "./crashing-desk.ts";

const order = { ticker: "RAIN", action: "buy", side: "yes", quantity: 10, limitPriceCents: 60 } as const;
const live = { ...order, venue: "embedded", dryRun: false } as const;
const low = { limitPriceCents: 20 } as const;
const trigger = { when: "ask_at_or_below", priceCents: 41 } as const;

type Named = { readonly order: { readonly orderId: string }; readonly intent: { readonly intentId: string } };

/** A call that was made before. */
const after =
  (tool: string, input: object, use: (named: Named) => object): Crash["prepare"] =>
  async (calls) =>
    use((await calls.call(tool, input)).output as Named);

const nothing =
  (input: object): Crash["prepare"] =>
  () =>
    Promise.resolve(input);
const intentOf = ({ intent: { intentId } }: Named) => ({ intentId });

const placing: readonly [string, Crash][] = [
  ["an order on paper that is filled", { tool: "paper.order", prepare: nothing(order) }],
  ["an order on paper that stands", { tool: "paper.order", prepare: nothing({ ...order, ...low }) }],
  ["a live order that is filled", { tool: "execution.place", prepare: nothing(live) }],
  ["a live order that stands", { tool: "execution.place", prepare: nothing({ ...live, ...low }) }],
  [
    "a draft that is executed",
    {
      tool: "execution.place",
      prepare: after("intents.create", { ...order, venue: "embedded" }, (named) => ({
        ...live,
        ...intentOf(named),
      })),
    },
  ],
];

const dear = { ...order, quantity: 2000 };
const ofDraft: Crash = {
  tool: "intents.cancel",
  prepare: after("intents.create", { ...order, venue: "embedded" }, intentOf),
};
const others: readonly [string, Crash][] = [
  [
    "taking back an order on paper",
    {
      tool: "paper.cancel",
      prepare: after("paper.order", { ...order, ...low }, ({ order: { orderId } }) => ({ orderId })),
    },
  ],
  [
    "taking back a live order",
    { tool: "intents.cancel", prepare: after("execution.place", { ...live, ...low }, intentOf) },
  ],
  ["cancelling a draft", ofDraft],
];

/** What is said of what did not happen. */
const didNot = {
  by: "reconcile",
  outcome: "failed",
  unknown: [],
  end: { status: "failed" },
  orders: 0,
  isUntouched: true,
};

const unplaced: readonly [string, Crash][] = [
  ["a dry run", { tool: "execution.place", prepare: nothing({ ...live, dryRun: true }) }],
  [
    "an order that is armed",
    { tool: "execution.place", prepare: nothing({ ...live, trigger, autoExecute: true }) },
  ],
  [
    "a draft that the venue refuses",
    {
      tool: "execution.place",
      prepare: after("intents.create", { ...dear, venue: "embedded" }, (named) => ({
        ...live,
        ...dear,
        ...intentOf(named),
      })),
    },
  ],
];

describe.each([...placing, ...others])("X1: %s, by a process that dies at any of its writes,", (_, crash) => {
  test("is tried again soon after: it happens once, and is answered as if nothing had been", async () => {
    const { end, told } = await everyDeath(crash);
    expect(end.status).toBe("completed");
    expect(told.length).toBeGreaterThan(1);
    const isPlaced = placing.some(([, one]) => one === crash);
    for (const one of told)
      expect(one).toStrictEqual({
        by: "retry",
        outcome: "completed",
        unknown: [],
        end,
        orders: isPlaced ? 1 : 0,
        isUntouched: crash === ofDraft,
      });
  });
});

describe.each([...placing, ...unplaced])(
  "X1: %s, by a process that died so long ago that its key is no longer honoured,",
  (_, crash) => {
    test("has happened, and is answered as it would have been; or has not, and nothing is changed", async () => {
      const { end, told } = await everyDeath(crash, ({ clock }) => clock.jump(8 * day));
      const [first] = told;
      expect(first).toMatchObject(didNot);
      const isPlaced = placing.some(([, one]) => one === crash);
      const did = { ...didNot, outcome: "completed", end, orders: 1, isUntouched: false };
      expect(told.at(-1)).toStrictEqual(isPlaced ? did : didNot);
      for (const one of told) expect(one).toStrictEqual(one.outcome === "completed" ? did : didNot);
    });
  },
);
