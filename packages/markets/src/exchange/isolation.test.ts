// I1: an account sees and touches only what is its own, whatever it is called; and what is traded on paper never meets what is live.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { day, marketNamed, quietMarkets } from "../../test-data/quiet-markets.ts";
import { totalOf } from "../../test-data/total-of.ts";
import { keptIn, refusalOf, tradingFloor } from "../../test-data/trading-floor.ts";
import { openSimulation } from "../simulation/open-simulation.ts";
import type { Exchange, WantedOrder } from "./exchange.ts";

const wanted: WantedOrder = { ticker: "RAIN", action: "buy", side: "yes", quantity: 10, limitCents: 50 };
const page = { limit: 100 };

const hostile = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "account",
  " ",
  "ann\u0000bob",
  "ann/bob",
  "a'; DROP TABLE documents; --",
  "été",
  "été".normalize("NFD"),
  "🙂",
  "x".repeat(5000),
];
const anyName = fc.oneof(fc.constantFrom(...hostile), fc.string({ minLength: 1, unit: "grapheme" }));

async function seenBy(exchange: Exchange, who: string): Promise<unknown[]> {
  return [await exchange.portfolio(who), await exchange.orders(who, page), await exchange.trades(who, page)];
}

describe("I1: an account", () => {
  test("of any name has its own cash, orders, trades and positions, and none of another's", async () => {
    await fc.assert(
      fc.asyncProperty(anyName, anyName, async (ann, bob) => {
        fc.pre(ann !== bob);
        const { exchange, store, clock } = tradingFloor();
        const stood = await exchange.place(ann, "key", { ...wanted, quantity: 12 });
        const took = await exchange.place(bob, "key", { ...wanted, side: "no" });
        expect(await exchange.orders(ann, page)).toMatchObject([{ orderId: stood.orderId, filled: 10 }]);
        expect(await exchange.orders(bob, page)).toMatchObject([{ orderId: took.orderId, filled: 10 }]);
        expect(await exchange.trades(ann, page)).toMatchObject([{ orderId: stood.orderId, side: "yes" }]);
        expect(await exchange.trades(bob, page)).toMatchObject([{ orderId: took.orderId, side: "no" }]);
        expect((await exchange.portfolio(ann)).positions).toMatchObject([{ yes: 10, no: 0 }]);
        expect((await exchange.portfolio(bob)).positions).toMatchObject([{ yes: 0, no: 10 }]);
        expect(await exchange.order(bob, stood.orderId)).toBeUndefined();
        expect(await refusalOf(exchange.cancel(bob, stood.orderId))).toStrictEqual({ code: "not_found" });
        clock.jump(day);
        await exchange.advance();
        expect((await exchange.portfolio(ann)).cashCents).toBe(100_500);
        expect((await exchange.portfolio(bob)).cashCents).toBe(99_500 - took.feeCents);
        const { cents, depositedCents, uneven } = await totalOf(store, "live");
        expect([cents, uneven]).toStrictEqual([depositedCents, []]);
      }),
      { numRuns: 60 },
    );
  });

  test("that does nothing sees nothing of what others do, not even the name of an order in a book", async () => {
    const { exchange } = tradingFloor();
    const before = await seenBy(exchange, "eve");
    const { orderId } = await exchange.place("ann", "key", wanted);
    await exchange.place("bob", "key", { ...wanted, side: "no", quantity: 4 });
    expect(await seenBy(exchange, "eve")).toStrictEqual(before);
    const open = JSON.stringify([
      await exchange.depth("RAIN"),
      await exchange.activity("RAIN"),
      [...(await exchange.activities())],
    ]);
    expect([open.includes("ann"), open.includes(orderId)]).toStrictEqual([false, false]);
  });

  test("has its own keys: the same one of another account is another order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), anyName, anyName, async (key, ann, bob) => {
        fc.pre(ann !== bob);
        const { exchange } = tradingFloor();
        const one = await exchange.place(ann, key, wanted);
        const other = await exchange.place(bob, key, { ...wanted, quantity: 3 });
        expect(other.orderId).not.toBe(one.orderId);
        expect(await exchange.place(ann, key, { ...wanted })).toStrictEqual(one);
        expect(await exchange.place(ann, key, { ...wanted, timeInForce: undefined })).toStrictEqual(one);
      }),
      { numRuns: 50 },
    );
  });
});

describe("a market that there is not", () => {
  const simulation = openSimulation({ seed: "isolation", series: 3 });
  test.each(["", ...hostile, "RAIN", "rain", "../RAIN", "WX-LIS-26NOV99-T1", "KX-A1-00JAN00-T0"])(
    "is not found, and nothing is made of it: %j",
    async (ticker) => {
      const { exchange, store } = tradingFloor({ simulation });
      const missing = { code: "not_found" };
      expect(await refusalOf(exchange.place("ann", "key", { ...wanted, ticker }))).toStrictEqual(missing);
      expect(await refusalOf(exchange.preview("ann", { ...wanted, ticker }))).toStrictEqual(missing);
      expect(await exchange.depth(ticker)).toBeUndefined();
      expect(await exchange.activity(ticker)).toBeUndefined();
      expect(await keptIn(store)).toStrictEqual([]);
      // The key was not used up by what never came to be.
      const [{ ticker: real } = { ticker: "" }] = simulation.openAt(tradingFloor().clock.now());
      expect(await exchange.place("ann", "key", { ...wanted, ticker: real, quantity: 1 })).toMatchObject({
        ticker: real,
      });
    },
  );
});

describe("the live and the paper ledger", () => {
  test("share a store and a market, and nothing else", async () => {
    const { open, store, clock } = tradingFloor({
      simulation: quietMarkets([marketNamed("RAIN")]),
    });
    const live = open();
    const paper = open({ ledger: "paper" });
    const onPaper = await paper.place("ann", "key", wanted);
    const untouched = await keptIn(store, ["paper"]);
    const other = await live.place("bob", "key", { ...wanted, side: "no" });
    expect(other).toMatchObject({ status: "open", filled: 0 });
    const sameKey = await live.place("ann", "key", { ...wanted, quantity: 3 });
    expect(sameKey).toMatchObject({ status: "filled", filled: 3 });
    expect(await live.order("ann", onPaper.orderId)).toBeUndefined();
    expect(await refusalOf(live.cancel("ann", onPaper.orderId))).toStrictEqual({ code: "not_found" });
    expect(await keptIn(store, ["paper"])).toStrictEqual(untouched);
    clock.jump(day);
    await live.advance();
    expect(await keptIn(store, ["paper"])).toStrictEqual(untouched);
    await paper.advance();
    expect(await paper.portfolio("ann")).toMatchObject({ ledger: "paper", cashCents: 100_000 });
    expect(await live.portfolio("ann")).toMatchObject({ ledger: "live", positions: [] });
    expect([await paper.trades("ann", page), (await live.trades("ann", page)).length]).toStrictEqual([[], 1]);
  });
});
