// A portfolio is what an account has now, whether or not anybody has written down what has happened since.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { day, marketNamed, opening, quietMarkets } from "../../test-data/quiet-markets.ts";
import { tradedMarkets } from "../../test-data/traded-markets.ts";
import { keptIn, tradingFloor } from "../../test-data/trading-floor.ts";
import { tickAt, tickMs, type TickOrders } from "../simulation/simulated-market.ts";
import type { WantedOrder } from "./exchange.ts";

const people = ["ann", "bob", "cleo"];
const someOrder = fc.record({
  who: fc.constantFrom(...people),
  ticker: fc.constantFrom("A", "B"),
  action: fc.constantFrom("buy" as const, "buy" as const, "sell" as const),
  side: fc.constantFrom("yes" as const, "no" as const),
  quantity: fc.integer({ min: 1, max: 30 }),
  limitCents: fc.option(fc.integer({ min: 20, max: 80 }), { nil: undefined }),
});
const someOrders = fc.array(someOrder, { minLength: 1, maxLength: 15 });

/** Two markets of ten days with the participants of the traded ones. */
const longMarkets = quietMarkets(
  [
    marketNamed("A", { closesAt: opening + 10 * day, outcome: "yes" }),
    marketNamed("B", { closesAt: opening + 10 * day, outcome: "no" }),
  ],
  tradedMarkets.ordersAt,
);

type Floor = ReturnType<typeof tradingFloor>;

async function placeAll({ exchange }: Floor, orders: readonly (WantedOrder & { who: string })[]) {
  for (const [index, { who, ...wanted }] of orders.entries()) {
    await exchange.place(who, `key-${index}`, wanted).catch(() => undefined);
  }
}

const portfolios = ({ exchange }: Floor) => Promise.all(people.map((who) => exchange.portfolio(who)));

describe("a portfolio, for any orders", () => {
  test("is the same whether or not the markets were brought up, after minutes as after weeks", async () => {
    await fc.assert(
      fc.asyncProperty(someOrders, fc.integer({ min: 0, max: 15_000 }), async (orders, ticks) => {
        const floor = tradingFloor({ simulation: longMarkets, openingCents: 5000 });
        await placeAll(floor, orders);
        floor.clock.jump(ticks * tickMs);
        const kept = await keptIn(floor.store);
        const before = await portfolios(floor);
        expect(await keptIn(floor.store)).toStrictEqual(kept);
        await floor.exchange.advance();
        expect(await portfolios(floor)).toStrictEqual(before);
      }),
      { numRuns: 40 },
    );
  });

  test("comes to what is left once everything is cancelled and settled", async () => {
    await fc.assert(
      fc.asyncProperty(someOrders, fc.integer({ min: 0, max: 40 }), async (orders, ticks) => {
        const floor = tradingFloor({ simulation: tradedMarkets, openingCents: 5000 });
        const { exchange, clock } = floor;
        await placeAll(floor, orders);
        clock.jump(ticks * tickMs);
        const owed = (await portfolios(floor)).map(({ cashCents, reservedCents, positions }) =>
          positions.reduce(
            (sum, { ticker, yes, no }) => sum + 100 * (ticker === "A" ? yes : no),
            cashCents + reservedCents,
          ),
        );
        for (const who of people) {
          const standing = await exchange.orders(who, { limit: 100, status: "open" });
          for (const { orderId } of standing) await exchange.cancel(who, orderId).catch(() => undefined);
        }
        expect(
          (await portfolios(floor)).map(({ reservedCents, openOrders }) => [reservedCents, openOrders]),
        ).toStrictEqual(people.map(() => [0, 0]));
        clock.jump(day);
        await exchange.advance();
        expect((await portfolios(floor)).map(({ cashCents }) => cashCents)).toStrictEqual(owed);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a portfolio", () => {
  test("of somebody who never traded is what everybody is given, and is not written", async () => {
    const { exchange, store } = tradingFloor({ openingCents: 777 });
    expect(await exchange.portfolio("nobody")).toStrictEqual({
      ledger: "live",
      cashCents: 777,
      reservedCents: 0,
      positions: [],
      openOrders: 0,
      equityCents: 777,
    });
    expect(await keptIn(store)).toStrictEqual([]);
  });

  test("values contracts at what others offer, and never at one's own orders", async () => {
    const { exchange } = tradingFloor();
    const of = { ticker: "RAIN", action: "buy", quantity: 10 } as const;
    await exchange.place("bob", "1", { ...of, side: "no", limitCents: 60 });
    await exchange.place("ann", "1", { ...of, side: "yes", limitCents: 40 });
    await exchange.place("ann", "2", { ...of, side: "yes", limitCents: 38, quantity: 1 });
    const position = { ticker: "RAIN", title: "Will RAIN be?", yes: 10, no: 0 };
    expect((await exchange.portfolio("ann")).positions).toStrictEqual([{ ...position, valueCents: 0 }]);
    await exchange.place("bob", "2", { ...of, side: "yes", limitCents: 35, quantity: 1 });
    expect(await exchange.portfolio("ann")).toMatchObject({
      reservedCents: 38,
      positions: [{ ...position, valueCents: 350 }],
      equityCents: 100_000 - 400 - 17 + 350,
    });
  });

  test("and a preview count what was gained long before the last step of the way", async () => {
    const bid: TickOrders["quotes"][number] = { side: "bid", priceCents: 95, quantity: 50 };
    let bidIn: number | undefined;
    const { exchange, clock } = tradingFloor({
      simulation: quietMarkets([marketNamed("RAIN", { closesAt: opening + 30 * day })], (_, tick) => ({
        quotes: tick === bidIn ? [bid] : [],
        taker: undefined,
      })),
      openingCents: 1000,
    });
    const of = { ticker: "RAIN", quantity: 10 } as const;
    await exchange.place("bob", "1", { ...of, action: "buy", side: "no", limitCents: 50 });
    await exchange.place("ann", "1", { ...of, action: "buy", side: "yes", limitCents: 50 });
    await exchange.place("ann", "2", { ...of, action: "sell", side: "yes", limitCents: 90 });
    await exchange.place("ann", "3", { ...of, action: "buy", side: "yes", quantity: 1, limitCents: 1 });
    bidIn = tickAt(clock.now()) + 3;
    clock.jump(20 * day);
    expect(await exchange.portfolio("ann")).toMatchObject({
      cashCents: 1000 - 500 - 18 + 900 - 1,
      positions: [],
    });
    const preview = await exchange.preview("ann", { ...of, action: "buy", side: "yes", limitCents: 80 });
    expect(preview).toMatchObject({ status: "open", quantity: 10 });
  });
});
