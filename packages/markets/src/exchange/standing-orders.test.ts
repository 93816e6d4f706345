// What stands is met by the simulated participants as time passes, and when somebody looks makes no difference to what has happened.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { marketNamed, opening, quietMarkets } from "../../test-data/quiet-markets.ts";
import { totalOf } from "../../test-data/total-of.ts";
import { tradedMarkets } from "../../test-data/traded-markets.ts";
import { keptIn, tradingFloor } from "../../test-data/trading-floor.ts";
import { openSimulation } from "../simulation/open-simulation.ts";
import { tickMs } from "../simulation/simulated-market.ts";
import type { Exchange } from "./exchange.ts";
import type { MarketState } from "./market-state.ts";

const simulation = openSimulation({ seed: "standing", series: 12 });
const start = Date.UTC(2026, 10, 16, 9) + 1234;
const market = simulation
  .openAt(start)
  .filter(({ closesAt }) => closesAt > start + 3 * 86_400_000 && closesAt < start + 60 * 86_400_000)
  .find((one) => {
    const quote = simulation.quoteAt(one, Math.floor(start / tickMs));
    return quote !== undefined && quote.askCents - quote.bidCents >= 2 && quote.bidCents > 10;
  });
if (market === undefined) throw new Error("the simulation has no market for these tests; take another seed");
const { ticker, closesAt } = market;
const quote = simulation.quoteAt(market, Math.floor(start / tickMs));
const inside = (quote?.bidCents ?? 0) + 1;

const realFloor = () => tradingFloor({ simulation, clock: new ManualClock(start) });

/** Orders on both sides of the book, one inside the spread, and a sale far above. */
async function stand(exchange: Exchange): Promise<string> {
  const of = { ticker, quantity: 25 } as const;
  const { orderId } = await exchange.place("ann", "1", {
    ...of,
    action: "buy",
    side: "yes",
    limitCents: inside,
  });
  await exchange.place("bob", "1", { ...of, action: "buy", side: "no", limitCents: 100 - inside - 3 });
  await exchange.place("cleo", "1", { ...of, action: "buy", side: "yes" });
  const { yes = 0 } = (await exchange.portfolio("cleo")).positions[0] ?? {};
  await exchange.place("cleo", "2", { ...of, action: "sell", side: "yes", quantity: yes, limitCents: 97 });
  return orderId;
}

async function seenBy(exchange: Exchange): Promise<unknown[]> {
  return [
    ...(await Promise.all(["ann", "bob", "cleo"].map((who) => exchange.portfolio(who)))),
    await exchange.depth(ticker),
    [...(await exchange.activities())],
  ];
}

/** The nth of thousands, as it is kept. */
const orderNumbered = (nth: number) => ({
  orderId: `ord_${nth}`,
  ticker: "RAIN",
  action: "buy",
  side: "yes",
  quantity: 2,
  limitCents: 60 - Math.floor(nth / 100),
  status: "open",
  filled: 0,
  filledCents: 0,
  feeCents: 0,
  placedAt: opening,
  changedAt: opening,
});

/** A market that nobody has a stake in any more is left as it is, at whatever time that was: what it has come to is the same. */
function withoutBook([name, body]: [string, string]): [string, string] {
  if (!name.startsWith('["exchange.live.market"')) return [name, body];
  const { tick: _, phase: __, bids: ___, asks: ____, ...rest } = JSON.parse(body) as MarketState;
  return [name.replace(/"(?:quiet|settled)"\]$/, '"over"]'), JSON.stringify(rest)];
}

describe("a standing order", () => {
  test("inside the spread of a simulated market is filled in time, at its own price, and pays no fee", async () => {
    const { exchange, clock } = realFloor();
    const orderId = await stand(exchange);
    expect(await exchange.writtenOrder("ann", orderId)).toMatchObject({ status: "open" });
    for (let tick = 0; tick < 1440; tick++) {
      clock.jump(tickMs);
      await exchange.advance();
      if ((await exchange.writtenOrder("ann", orderId))?.status === "filled") break;
    }
    expect(await exchange.writtenOrder("ann", orderId)).toMatchObject({
      status: "filled",
      filled: 25,
      filledCents: 25 * inside,
      feeCents: 0,
    });
  });

  test("comes to the same, byte for byte, whether its market was gone through tick by tick or in one go", async () => {
    const slow = realFloor();
    const fast = realFloor();
    await stand(slow.exchange);
    await stand(fast.exchange);
    for (let tick = 0; tick < 300; tick++) {
      slow.clock.jump(tickMs);
      await slow.exchange.advance();
    }
    fast.clock.jump(300 * tickMs);
    expect(await seenBy(fast.exchange)).toStrictEqual(await seenBy(slow.exchange));
    await fast.exchange.advance();
    expect(await seenBy(fast.exchange)).toStrictEqual(await seenBy(slow.exchange));
    const rest = closesAt - slow.clock.now();
    slow.clock.jump(rest);
    fast.clock.jump(rest + 5_000_000);
    await slow.exchange.advance();
    await fast.exchange.advance();
    const end = await keptIn(slow.store);
    expect(end.length).toBeGreaterThan(8);
    expect(await keptIn(fast.store)).toStrictEqual(end);
    const { cents, depositedCents, uneven } = await totalOf(slow.store, "live");
    expect([cents, uneven]).toStrictEqual([depositedCents, []]);
  });

  test("is met the same, for any orders and any times at which somebody looks", async () => {
    const someOrder = fc.record({
      who: fc.constantFrom("ann", "bob"),
      ticker: fc.constantFrom("A", "B"),
      action: fc.constantFrom("buy" as const, "buy" as const, "sell" as const),
      side: fc.constantFrom("yes" as const, "no" as const),
      quantity: fc.integer({ min: 1, max: 40 }),
      limitCents: fc.integer({ min: 30, max: 70 }),
      wait: fc.integer({ min: 0, max: 9 * tickMs }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(someOrder, { minLength: 1, maxLength: 12 }), async (orders) => {
        const floors = [true, false].map((looks) => ({
          looks,
          ...tradingFloor({ simulation: tradedMarkets, openingCents: 9000 }),
        }));
        const ends = await Promise.all(
          floors.map(async ({ looks, exchange, clock, store }) => {
            for (const [index, { who, wait, ...wanted }] of orders.entries()) {
              // Both bring the market up before they order, so that what is free to use is the same.
              await exchange.advance();
              await exchange.place(who, `key-${index}`, wanted).catch(() => undefined);
              const looked = looks ? 5 : 0;
              const between = Math.floor(wait / 5);
              for (let step = 0; step < looked; step++) {
                clock.jump(between);
                await exchange.advance();
              }
              clock.jump(wait - looked * between);
            }
            const before = await Promise.all(["ann", "bob"].map((who) => exchange.portfolio(who)));
            clock.jump(5 * 3_600_000);
            await exchange.advance();
            return [before, (await keptIn(store)).map(withoutBook)];
          }),
        );
        expect(ends[0]).toStrictEqual(ends[1]);
      }),
      { numRuns: 60 },
    );
  });

  test("is not lost in weeks in which nobody looked, and is gone through in steps that are written", async () => {
    const weeks = { closesAt: opening + 40 * 86_400_000 };
    let commits = 0;
    const floor = tradingFloor({
      simulation: quietMarkets([marketNamed("RAIN", weeks)], (_, tick) => ({
        quotes: [{ side: "ask", priceCents: tick % 7000 === 0 ? 30 : 80, quantity: 4 }],
        taker: undefined,
      })),
    });
    const { clock, store } = floor;
    const counted = new Proxy(store, {
      get: (target, name: keyof typeof store) => {
        if (name === "commit") commits += 1;
        return (target[name] as (...all: unknown[]) => unknown).bind(target);
      },
    });
    const exchange = floor.open({ store: counted });
    const of = { ticker: "RAIN", action: "buy", side: "yes" } as const;
    const { orderId } = await exchange.place("ann", "1", { ...of, quantity: 100, limitCents: 50 });
    clock.jump(30 * 86_400_000);
    const foretold = await exchange.portfolio("ann");
    commits = 0;
    await exchange.advance();
    expect(commits).toBe(44);
    const met = (await exchange.writtenOrder("ann", orderId))?.filled ?? 0;
    expect(met).toBeGreaterThanOrEqual(24);
    expect(await exchange.writtenOrder("ann", orderId)).toMatchObject({
      status: "open",
      filledCents: 50 * met,
    });
    expect(await exchange.portfolio("ann")).toStrictEqual(foretold);
    clock.jump(-29 * 86_400_000);
    commits = 0;
    await exchange.advance();
    expect([commits, await exchange.portfolio("ann")]).toStrictEqual([0, foretold]);
  });

  test("among thousands keeps its place, and all of them are settled", async () => {
    const { exchange, clock, store } = tradingFloor({ openingCents: 10_000_000 });
    const of = { ticker: "RAIN", action: "buy" } as const;
    const standing = 3000;
    // Written as it would be kept, which is sooner done than placing them one by one.
    const state = {
      tick: Math.floor(clock.now() / tickMs),
      phase: "open",
      bids: Array.from({ length: standing }, (_, nth) => ({
        accountId: `a${nth % 50}`,
        orderId: `ord_${nth}`,
        action: "buy",
        side: "yes",
        priceCents: 60 - Math.floor(nth / 100),
        quantity: 2,
      })),
      asks: [],
      holdings: [],
      escrowCents: 0,
      feeCents: 0,
      simulatedCents: 0,
      prints: [],
    };
    const spent = (who: number) =>
      state.bids.reduce((sum, one, nth) => sum + (nth % 50 === who ? 2 * one.priceCents : 0), 0);
    const put = { type: "put", expects: 0 } as const;
    await store.commit({
      durability: "process",
      now: 0,
      documents: [
        {
          ...put,
          kind: "exchange.live.market",
          accountId: "",
          id: "RAIN",
          status: "live",
          body: JSON.stringify(state),
        },
        ...state.bids.map(({ accountId, orderId }, nth) => ({
          ...put,
          kind: "exchange.live.order",
          accountId,
          id: orderId,
          status: "open",
          body: JSON.stringify(orderNumbered(nth)),
        })),
        ...Array.from({ length: 50 }, (_, who) => ({
          ...put,
          kind: "exchange.live.account",
          accountId: `a${who}`,
          id: "account",
          status: "open",
          body: JSON.stringify({
            cashCents: 100_000 - spent(who),
            depositedCents: 100_000,
            tickers: ["RAIN"],
          }),
        })),
      ],
    });
    const taken = await exchange.place("zoe", "1", { ...of, side: "no", quantity: 101, limitCents: 40 });
    expect(taken).toMatchObject({ status: "filled", filledCents: 101 * 40 });
    expect(await exchange.writtenOrder("a49", "ord_49")).toMatchObject({ status: "filled" });
    expect(await exchange.writtenOrder("a0", "ord_50")).toMatchObject({ status: "open", filled: 1 });
    expect(await exchange.writtenOrder("a1", "ord_51")).toMatchObject({ status: "open", filled: 0 });
    const foretold = await exchange.portfolio("a3");
    expect(foretold).toMatchObject({ openOrders: 59, positions: [{ yes: 2 }] });
    clock.jump(2 * 86_400_000);
    const settled = await exchange.portfolio("a3");
    await exchange.advance();
    expect(await exchange.portfolio("a3")).toStrictEqual(settled);
    expect(settled.cashCents).toBe(foretold.cashCents + foretold.reservedCents + 200);
    const { cents, depositedCents, uneven } = await totalOf(store, "live");
    expect([cents, uneven]).toStrictEqual([depositedCents, []]);
  });
});
