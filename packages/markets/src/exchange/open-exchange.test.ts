// What becomes of an order: how it is filled, what is left of it, what it costs, and what cannot be ordered at all.
import { describe, expect, test } from "vitest";
import { day, marketNamed, opening, quietMarkets } from "../../test-data/quiet-markets.ts";
import { totalOf } from "../../test-data/total-of.ts";
import { keptIn, refusalOf, tradingFloor } from "../../test-data/trading-floor.ts";
import { tickMs, type TickOrders } from "../simulation/simulated-market.ts";
import type { Exchange, WantedOrder } from "./exchange.ts";
import { mostContracts, mostStanding } from "./place-in.ts";
import { mostMarkets } from "./write-changes.ts";

const at = opening + tickMs;
const rain = (over: Partial<WantedOrder> = {}): WantedOrder => ({
  ticker: "RAIN",
  action: "buy",
  side: "yes",
  quantity: 10,
  limitCents: 40,
  ...over,
});
let keys = 0;
const place = (exchange: Exchange, who: string, over: Partial<WantedOrder> = {}) =>
  exchange.place(who, `key-${++keys}`, rain(over));

/** Two simulated levels on either side. */
const quoted: TickOrders = {
  quotes: [
    { side: "bid", priceCents: 48, quantity: 10 },
    { side: "bid", priceCents: 45, quantity: 10 },
    { side: "ask", priceCents: 52, quantity: 10 },
    { side: "ask", priceCents: 55, quantity: 10 },
  ],
  taker: undefined,
};
const quotedFloor = () =>
  tradingFloor({ simulation: quietMarkets([marketNamed("RAIN"), marketNamed("SNOW")], () => quoted) });

/** Has `who` hold contracts of both sides, the yes ones for sale. */
async function withBothSides(exchange: Exchange, who: string): Promise<{ sellId: string }> {
  await place(exchange, "maker", { side: "no", limitCents: 40 });
  await place(exchange, who, { limitCents: 60 });
  const { orderId: sellId } = await place(exchange, who, { action: "sell", limitCents: 70 });
  await place(exchange, "maker", { limitCents: 60 });
  await place(exchange, who, { side: "no", limitCents: 40 });
  return { sellId };
}

describe("an order", () => {
  test("with a limit that nobody meets stands, and holds what it could cost", async () => {
    const { exchange } = tradingFloor();
    const order = await place(exchange, "ann");
    expect(order).toStrictEqual({
      orderId: order.orderId,
      ticker: "RAIN",
      action: "buy",
      side: "yes",
      quantity: 10,
      limitCents: 40,
      status: "open",
      filled: 0,
      filledCents: 0,
      feeCents: 0,
      placedAt: at,
      changedAt: at,
    });
    expect(await exchange.portfolio("ann")).toStrictEqual({
      ledger: "live",
      cashCents: 99_600,
      reservedCents: 400,
      positions: [],
      openOrders: 1,
      equityCents: 100_000,
    });
  });

  test("is filled at the standing orders' prices, best first, and pays a fee for the whole once", async () => {
    const { exchange } = quotedFloor();
    const order = await place(exchange, "ann", { quantity: 15, limitCents: 60 });
    expect(order).toMatchObject({
      status: "filled",
      filled: 15,
      filledCents: 10 * 52 + 5 * 55,
      feeCents: 27,
    });
    expect(await exchange.trades("ann", { limit: 9 })).toMatchObject([
      { orderId: order.orderId, quantity: 5, priceCents: 55, feeCents: 9, at },
      { orderId: order.orderId, quantity: 10, priceCents: 52, feeCents: 18, at },
    ]);
    expect((await exchange.portfolio("ann")).cashCents).toBe(100_000 - 520 - 275 - 27);
  });

  test("pays nothing in fees for what it stood for", async () => {
    const { exchange } = tradingFloor();
    const { orderId } = await place(exchange, "ann");
    await place(exchange, "bob", { side: "no", limitCents: 60 });
    expect(await exchange.order("ann", orderId)).toMatchObject({
      status: "filled",
      filledCents: 400,
      feeCents: 0,
    });
    expect((await exchange.portfolio("ann")).cashCents).toBe(99_600);
  });

  test("that is left standing pays the fee for what it took, and none for the rest", async () => {
    const { exchange } = tradingFloor();
    await place(exchange, "bob", { side: "no", quantity: 4, limitCents: 60 });
    const { orderId } = await place(exchange, "ann");
    expect(await exchange.order("ann", orderId)).toMatchObject({ status: "open", filled: 4, feeCents: 7 });
    await place(exchange, "bob", { side: "no", quantity: 6, limitCents: 60 });
    expect(await exchange.order("ann", orderId)).toMatchObject({
      status: "filled",
      filled: 10,
      feeCents: 7,
    });
  });

  test.each([
    ["ioc", { timeInForce: "ioc" as const, limitCents: 52 }, { filled: 10, filledCents: 520 }],
    ["a market order", { limitCents: undefined }, { filled: 20, filledCents: 520 + 550 }],
    [
      "a market order for no",
      { limitCents: undefined, side: "no" as const },
      { filled: 20, filledCents: 1070 },
    ],
  ])("that stays nowhere gives up what it cannot have at once: %s", async (_, over, had) => {
    const { exchange } = quotedFloor();
    const order = await place(exchange, "ann", { quantity: 30, ...over });
    expect(order).toMatchObject({ status: "cancelled", reason: "not_filled", ...had });
    const { reservedCents, openOrders, cashCents } = await exchange.portfolio("ann");
    expect([reservedCents, openOrders, cashCents]).toStrictEqual([
      0,
      0,
      100_000 - had.filledCents - order.feeCents,
    ]);
  });

  test("for nothing that there is, is cancelled, with nothing filled and nothing paid", async () => {
    const { exchange } = tradingFloor();
    expect(await place(exchange, "ann", { limitCents: undefined })).toMatchObject({
      status: "cancelled",
      reason: "not_filled",
      filled: 0,
      feeCents: 0,
    });
    expect((await exchange.portfolio("ann")).equityCents).toBe(100_000);
  });

  test.each(["yes", "no"] as const)("sells %s at the market, down to the last level", async (side) => {
    const { exchange, clock } = quotedFloor();
    await place(exchange, "ann", { side, quantity: 20, limitCents: undefined });
    clock.advance(tickMs);
    const sold = await place(exchange, "ann", { action: "sell", side, quantity: 20, limitCents: undefined });
    expect(sold).toMatchObject({ status: "filled", filled: 20, filledCents: 10 * 48 + 10 * 45 });
    expect((await exchange.portfolio("ann")).positions).toStrictEqual([]);
  });

  test("that sells the last contract leaves no stake: the market is quiet, and the account done with it", async () => {
    const { exchange, clock, store } = quotedFloor();
    await place(exchange, "ann", { limitCents: undefined });
    const sold = await place(exchange, "ann", { action: "sell", limitCents: undefined });
    expect(sold.status).toBe("filled");
    expect(await store.accountsWith("exchange.live.market", "live")).toStrictEqual([]);
    const account = await store.document({ kind: "exchange.live.account", accountId: "ann", id: "account" });
    expect(JSON.parse(account?.body ?? "")).toMatchObject({ tickers: [] });
    clock.jump(2 * day);
    const before = await keptIn(store);
    await exchange.advance();
    expect(await keptIn(store)).toStrictEqual(before);
  });

  test("cannot sell what its owner has not, nor what is for sale already", async () => {
    const { exchange } = quotedFloor();
    const refused = { code: "invalid_input", reason: "insufficient_contracts" };
    expect(await refusalOf(place(exchange, "ann", { action: "sell", quantity: 1 }))).toStrictEqual(refused);
    await place(exchange, "ann", { limitCents: 52 });
    await place(exchange, "ann", { action: "sell", quantity: 6, limitCents: 90 });
    expect(
      await refusalOf(place(exchange, "ann", { action: "sell", quantity: 5, limitCents: 90 })),
    ).toStrictEqual(refused);
    expect(
      await refusalOf(place(exchange, "ann", { action: "sell", side: "no", quantity: 1 })),
    ).toStrictEqual(refused);
    expect(await place(exchange, "ann", { action: "sell", quantity: 4, limitCents: 90 })).toMatchObject({
      status: "open",
    });
  });

  test("is refused where the cash is too little, to the cent, with its fee, and nothing has happened then", async () => {
    const cost = 520 + 18;
    for (const [openingCents, isEnough] of [
      [cost, true],
      [cost - 1, false],
    ] as const) {
      const { simulation } = quotedFloor();
      const { exchange, store } = tradingFloor({ simulation, openingCents });
      const placed = place(exchange, "ann", { limitCents: 52 });
      /* oxlint-disable no-conditional-expect -- the two sides of one edge */
      if (isEnough) expect(await placed).toMatchObject({ status: "filled", feeCents: 18 });
      else {
        expect(await refusalOf(placed)).toStrictEqual({ code: "invalid_input", reason: "insufficient_cash" });
        expect(await keptIn(store)).toStrictEqual([]);
      }
      /* oxlint-enable no-conditional-expect */
    }
  });

  test("of as many contracts as may be is refused for want of cash, or filled exactly", async () => {
    const refused = tradingFloor();
    expect(
      await refusalOf(place(refused.exchange, "ann", { quantity: mostContracts, limitCents: 99 })),
    ).toStrictEqual({ code: "invalid_input", reason: "insufficient_cash" });
    const rich = tradingFloor({ openingCents: 1_000_000_000 });
    for (let round = 0; round < 5; round++) {
      await place(rich.exchange, "bob", { side: "no", quantity: mostContracts, limitCents: 50 });
      expect(await place(rich.exchange, "ann", { quantity: mostContracts, limitCents: 50 })).toMatchObject({
        status: "filled",
        filledCents: 50_000_000,
        feeCents: 1_750_000,
      });
    }
    const { cents, depositedCents, uneven } = await totalOf(rich.store, "live");
    expect([cents, uneven]).toStrictEqual([depositedCents, []]);
    rich.clock.jump(day);
    expect((await rich.exchange.portfolio("ann")).cashCents).toBe(
      1_000_000_000 + 5 * (50_000_000 - 1_750_000),
    );
  });

  test.each([
    ["a fraction", { quantity: 1.5 }],
    ["nothing", { quantity: 0 }],
    ["less than nothing", { quantity: -1 }],
    ["more than may be", { quantity: mostContracts + 1 }],
    ["no number", { quantity: Number.NaN }],
    ["a price of nothing", { limitCents: 0 }],
    ["a price of everything", { limitCents: 100 }],
    ["a part of a cent", { limitCents: 40.5 }],
    ["an action that is none", { action: "steal" as "buy" }],
    ["a side that is none", { side: "maybe" as "yes" }],
  ])("cannot be for %s", async (_, over) => {
    const { exchange, store } = quotedFloor();
    const refused = { code: "contract_violation" };
    expect(await refusalOf(place(exchange, "ann", over))).toStrictEqual(refused);
    expect(await refusalOf(exchange.preview("ann", rain(over)))).toStrictEqual(refused);
    expect(await keptIn(store)).toStrictEqual([]);
  });

  test("has a stake in so many markets at most: each is gone through whenever somebody looks", async () => {
    const markets = Array.from({ length: mostMarkets + 1 }, (_, nth) => marketNamed(`M${nth}`));
    const { exchange } = tradingFloor({ simulation: quietMarkets(markets) });
    const wish = { action: "buy", side: "yes", quantity: 1, limitCents: 1 } as const;
    for (const { ticker } of markets.slice(0, mostMarkets)) {
      await exchange.place("ann", ticker, { ...wish, ticker });
    }
    const [last] = markets.slice(-1);
    const more = exchange.place("ann", "more", { ...wish, ticker: last?.ticker ?? "" });
    expect(await refusalOf(more)).toStrictEqual({ code: "invalid_input", reason: "too_many_markets" });
    const [first] = await exchange.orders("ann", { limit: 1 });
    await exchange.cancel("ann", first?.orderId ?? "");
    expect(await exchange.place("ann", "more", { ...wish, ticker: last?.ticker ?? "" })).toMatchObject({
      status: "open",
    });
  });

  test("stands with no more than so many of its owner's in one market, and is filled all the same", async () => {
    const { exchange } = tradingFloor();
    const one = { quantity: 1, limitCents: 2 };
    for (let nth = 0; nth < mostStanding; nth++) {
      await place(exchange, "ann", one);
    }
    const full = await exchange.portfolio("ann");
    expect(await refusalOf(place(exchange, "ann", one))).toStrictEqual({
      code: "invalid_input",
      reason: "too_many_orders",
    });
    expect(await exchange.portfolio("ann")).toStrictEqual(full);
    await place(exchange, "bob", { side: "no", limitCents: 60 });
    expect(await place(exchange, "ann", { limitCents: 40 })).toMatchObject({ status: "filled" });
    expect(await place(exchange, "ann", { ...one, ticker: "SNOW" })).toMatchObject({ status: "open" });
  });

  test("cannot be the simulated participants' own", async () => {
    const { exchange, store } = quotedFloor();
    expect(await refusalOf(place(exchange, ""))).toStrictEqual({ code: "contract_violation" });
    expect(await keptIn(store)).toStrictEqual([]);
  });
});

describe("nobody trades with themselves", () => {
  test("an order takes the own ones that it would meet out of the book, and goes on to the next", async () => {
    const { exchange } = tradingFloor();
    const { orderId } = await place(exchange, "ann", { side: "no", limitCents: 55 });
    await place(exchange, "bob", { side: "no", limitCents: 50 });
    const order = await place(exchange, "ann", { limitCents: 50 });
    expect(order).toMatchObject({ status: "filled", filledCents: 500 });
    expect(await exchange.order("ann", orderId)).toMatchObject({
      status: "cancelled",
      reason: "own_order_met",
      filled: 0,
    });
    expect(await exchange.depth("RAIN")).toStrictEqual({ bids: [], asks: [] });
    expect((await exchange.portfolio("ann")).cashCents).toBe(100_000 - 500 - order.feeCents);
  });

  test("what comes back from an own order makes no pairs with what this one sells", async () => {
    const { exchange, store } = tradingFloor();
    const { sellId } = await withBothSides(exchange, "ann");
    const sold = await place(exchange, "ann", { action: "sell", side: "no", limitCents: 25 });
    expect(await exchange.order("ann", sellId)).toMatchObject({
      status: "cancelled",
      reason: "own_order_met",
    });
    expect(sold).toMatchObject({ status: "open", filled: 0 });
    const { positions, cashCents } = await exchange.portfolio("ann");
    expect(positions).toMatchObject([{ yes: 10, no: 10 }]);
    const { cents, depositedCents, uneven } = await totalOf(store, "live");
    expect([cents, uneven]).toStrictEqual([depositedCents, []]);
    await exchange.cancel("ann", sold.orderId);
    expect(await exchange.portfolio("ann")).toMatchObject({ positions: [], cashCents: cashCents + 1000 });
  });
});

describe("a yes and a no together", () => {
  test("are 100 cents at once, where both are free", async () => {
    const { exchange, clock } = quotedFloor();
    await place(exchange, "ann", { limitCents: 52 });
    clock.advance(tickMs);
    const before = (await exchange.portfolio("ann")).cashCents;
    const { filledCents, feeCents } = await place(exchange, "ann", { side: "no", limitCents: 52 });
    expect(await exchange.portfolio("ann")).toMatchObject({
      positions: [],
      cashCents: before - filledCents - feeCents + 1000,
    });
  });

  test("are it when a standing sale is cancelled", async () => {
    const { exchange, store } = tradingFloor();
    const { sellId } = await withBothSides(exchange, "ann");
    const before = await exchange.portfolio("ann");
    expect(before.positions).toMatchObject([{ yes: 10, no: 10 }]);
    await exchange.cancel("ann", sellId);
    expect(await exchange.portfolio("ann")).toMatchObject({
      positions: [],
      cashCents: before.cashCents + 1000,
    });
    const { cents, depositedCents, uneven } = await totalOf(store, "live");
    expect([cents, uneven]).toStrictEqual([depositedCents, []]);
  });
});

describe("cancelling", () => {
  test("gives back what was held, and is the same the second time", async () => {
    const { exchange, clock } = tradingFloor();
    const order = await place(exchange, "ann");
    clock.advance(5000);
    const cancelled = await exchange.cancel("ann", order.orderId);
    expect(cancelled).toStrictEqual({
      ...order,
      status: "cancelled",
      reason: "cancelled_by_owner",
      changedAt: at + 5000,
    });
    clock.advance(5000);
    expect(await exchange.cancel("ann", order.orderId)).toStrictEqual(cancelled);
    expect((await exchange.portfolio("ann")).cashCents).toBe(100_000);
  });

  test("leaves what was filled, and gives back the rest", async () => {
    const { exchange } = tradingFloor();
    const { orderId } = await place(exchange, "ann");
    await place(exchange, "bob", { side: "no", quantity: 4, limitCents: 60 });
    expect(await exchange.cancel("ann", orderId)).toMatchObject({
      status: "cancelled",
      filled: 4,
      filledCents: 160,
    });
    expect(await exchange.portfolio("ann")).toMatchObject({
      cashCents: 100_000 - 160,
      reservedCents: 0,
      positions: [{ yes: 4 }],
    });
  });

  test("is refused for what is filled, and for what time has filled and nobody has written down", async () => {
    let quotes: TickOrders = { quotes: [], taker: undefined };
    const { exchange, clock } = tradingFloor({
      simulation: quietMarkets([marketNamed("RAIN")], () => quotes),
    });
    const { orderId } = await place(exchange, "ann");
    quotes = { quotes: [{ side: "ask", priceCents: 30, quantity: 50 }], taker: undefined };
    clock.advance(tickMs);
    const refused = { code: "invalid_transition" };
    expect(await refusalOf(exchange.cancel("ann", orderId))).toStrictEqual(refused);
    expect(await refusalOf(exchange.cancel("ann", orderId))).toStrictEqual(refused);
    expect(await exchange.order("ann", orderId)).toMatchObject({ status: "filled", filledCents: 400 });
  });

  test("I1: is refused for another's order as for one that is not there", async () => {
    const { exchange, store } = tradingFloor();
    const { orderId } = await place(exchange, "ann");
    const before = await keptIn(store);
    const refusals = await Promise.all([
      refusalOf(exchange.cancel("bob", orderId)),
      ...["ord_nothing", "", "__proto__"].map((id) => refusalOf(exchange.cancel("ann", id))),
    ]);
    expect(refusals).toStrictEqual(refusals.map(() => ({ code: "not_found" })));
    expect(await keptIn(store)).toStrictEqual(before);
  });

  test("after the close says how the order ended", async () => {
    const { exchange, clock } = tradingFloor();
    const { orderId } = await place(exchange, "ann");
    clock.jump(3 * day);
    expect(await exchange.cancel("ann", orderId)).toMatchObject({
      status: "cancelled",
      reason: "market_closed",
      changedAt: opening + day,
    });
  });
});

describe("a market", () => {
  test.each([
    ["not open yet", opening - 1],
    ["closed", opening + day],
    ["long closed", opening + 4000 * day],
  ])("that is %s takes no orders", async (_, now) => {
    const { exchange, store, clock } = quotedFloor();
    clock.jump(now - clock.now());
    expect(await refusalOf(place(exchange, "ann"))).toStrictEqual({ code: "invalid_transition" });
    expect(await refusalOf(exchange.preview("ann", rain()))).toStrictEqual({ code: "invalid_transition" });
    expect(await keptIn(store)).toStrictEqual([]);
  });

  test.each([
    ["at its first moment", opening],
    ["at its last", opening + day - 1],
  ])("takes them %s", async (_, now) => {
    const { exchange, clock } = quotedFloor();
    clock.jump(now - clock.now());
    expect(await place(exchange, "ann", { limitCents: 52 })).toMatchObject({ status: "filled" });
  });

  test("that has settled takes none, though the clock was set back to when it was open", async () => {
    const { exchange, store, clock } = quotedFloor();
    await place(exchange, "ann", { limitCents: 52 });
    clock.jump(2 * day);
    await exchange.advance();
    const before = await keptIn(store);
    clock.jump(-2 * day);
    expect(await refusalOf(place(exchange, "ann"))).toStrictEqual({ code: "invalid_transition" });
    await exchange.advance();
    expect(await keptIn(store)).toStrictEqual(before);
  });
});

describe("a preview", () => {
  test.each([
    ["that stands", { limitCents: 40 }],
    ["that takes", { quantity: 15, limitCents: 60 }],
    ["that is given up in part", { quantity: 50, timeInForce: "ioc" as const, limitCents: 60 }],
    ["at the market", { quantity: 12, limitCents: undefined }],
    ["that sells", { action: "sell" as const, quantity: 5, limitCents: 48 }],
    ["that meets an own one", { side: "no" as const, quantity: 15, limitCents: 60 }],
  ])("of an order %s writes nothing, and says what placing then does", async (_, over) => {
    const { exchange, store, clock } = quotedFloor();
    await place(exchange, "ann", { limitCents: 52 });
    await place(exchange, "ann", { limitCents: 50 });
    clock.advance(3 * tickMs);
    const before = await keptIn(store);
    const preview = await exchange.preview("ann", rain(over));
    expect(await keptIn(store)).toStrictEqual(before);
    const { orderId, ...placed } = await place(exchange, "ann", over);
    expect(preview).toStrictEqual({ orderId: "ord_preview", ...placed });
    expect(await exchange.order("ann", orderId)).toStrictEqual({ orderId, ...placed });
  });

  test.each([{ action: "sell" as const }, { quantity: 1_000_000, limitCents: 99 }, { ticker: "NONE" }])(
    "is refused for what placing is refused for: %j",
    async (over) => {
      const { exchange } = quotedFloor();
      expect(await refusalOf(exchange.preview("ann", rain(over)))).toStrictEqual(
        await refusalOf(place(exchange, "ann", over)),
      );
    },
  );
});
