// One look shows one truth: orders are as the portfolio has them, whether or not anybody has written down what has happened since.
import type { Store } from "@spfunctions/kernel";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { day } from "../../test-data/quiet-markets.ts";
import { tradedMarkets } from "../../test-data/traded-markets.ts";
import { keptIn, tradingFloor } from "../../test-data/trading-floor.ts";
import { tickMs } from "../simulation/simulated-market.ts";
import { type Exchange, orderStatuses } from "./exchange.ts";

const people = ["ann", "bob"];
const someOrders = fc.array(
  fc.record({
    who: fc.constantFrom(...people),
    ticker: fc.constantFrom("A", "B"),
    action: fc.constantFrom("buy" as const, "buy" as const, "sell" as const),
    side: fc.constantFrom("yes" as const, "no" as const),
    quantity: fc.integer({ min: 1, max: 30 }),
    limitCents: fc.integer({ min: 20, max: 80 }),
  }),
  { minLength: 1, maxLength: 12 },
);

/** The orders of an account in every way that it can ask for them. */
async function shown(exchange: Exchange, who: string) {
  const all = await exchange.orders(who, { limit: 100 });
  return {
    all,
    each: await Promise.all(all.map(({ orderId }) => exchange.order(who, orderId))),
    byStatus: await Promise.all(orderStatuses.map((status) => exchange.orders(who, { limit: 100, status }))),
  };
}

async function inPages(exchange: Exchange, who: string, status: "open" | "filled" | "cancelled") {
  const found: string[] = [];
  for (let after = ""; ; ) {
    const page = await exchange.orders(who, { status, after, limit: 2 });
    found.push(...page.map(({ orderId }) => orderId));
    if (page.length < 2) return found;
    after = page.at(-1)?.orderId ?? "";
  }
}

test("orders are the same whether or not the markets were brought up, by status as in pages, and nothing is written to show them", async () => {
  await fc.assert(
    fc.asyncProperty(someOrders, fc.integer({ min: 0, max: 140 }), async (orders, ticks) => {
      const { exchange, clock, store } = tradingFloor({ simulation: tradedMarkets, openingCents: 5000 });
      for (const [index, { who, ...wanted }] of orders.entries()) {
        await exchange.place(who, `key-${index}`, wanted).catch(() => undefined);
      }
      clock.jump(ticks * tickMs);
      const kept = await keptIn(store);
      const before = await Promise.all(people.map((who) => shown(exchange, who)));
      const pages = await Promise.all(orderStatuses.map((status) => inPages(exchange, "ann", status)));
      expect(await keptIn(store)).toStrictEqual(kept);
      for (const { all, each, byStatus } of before) {
        expect(each).toStrictEqual(all);
        expect(byStatus).toStrictEqual(
          orderStatuses.map((status) => all.filter((order) => order.status === status)),
        );
      }
      const standing = before.map(({ byStatus }) => byStatus[0]?.length);
      const portfolios = await Promise.all(people.map((who) => exchange.portfolio(who)));
      expect(standing).toStrictEqual(portfolios.map(({ openOrders }) => openOrders));
      expect(pages).toStrictEqual(before[0]?.byStatus.map((some) => some.map(({ orderId }) => orderId)));
      await exchange.advance();
      const written = await Promise.all(
        people.map((who, at) =>
          Promise.all((before[at]?.all ?? []).map(({ orderId }) => exchange.writtenOrder(who, orderId))),
        ),
      );
      expect(written).toStrictEqual(before.map(({ all }) => all));
    }),
    { numRuns: 60 },
  );
});

describe("an order whose market has closed", () => {
  test("is shown as ended, though it was last written as standing", async () => {
    const { exchange, clock } = tradingFloor();
    const wanted = { ticker: "RAIN", action: "buy", side: "yes", quantity: 1, limitCents: 50 } as const;
    const { orderId } = await exchange.place("ann", "key", wanted);
    clock.jump(day);
    const ended = { status: "cancelled", reason: "market_closed" };
    expect(await exchange.writtenOrder("ann", orderId)).toMatchObject({ status: "open" });
    expect(await exchange.order("ann", orderId)).toMatchObject(ended);
    expect(await exchange.orders("ann", { limit: 9, status: "open" })).toStrictEqual([]);
    expect(await exchange.orders("ann", { limit: 9, status: "cancelled" })).toMatchObject([ended]);
  });
});

/** A standing order that time has met and nobody has written, and a look at it during which somebody does so at a read. */
async function lookDuring(at: number, look: (exchange: Exchange, orderId: string) => Promise<unknown>) {
  const { exchange, clock, store, open } = tradingFloor({ simulation: tradedMarkets });
  const wanted = { ticker: "A", action: "buy", side: "yes", quantity: 40, limitCents: 48 } as const;
  const { orderId } = await exchange.place("ann", "key", wanted);
  clock.jump(4 * tickMs);
  let reads = 0;
  const watched = new Proxy(store, {
    get: (target, name: keyof Store) => {
      const method = (target[name] as (...all: unknown[]) => unknown).bind(target);
      if (!name.startsWith("document")) return method;
      return async (...all: unknown[]) => {
        if (++reads === at) await exchange.advance();
        return await method(...all);
      };
    },
  });
  const seen = await look(open({ store: watched }), orderId);
  return { seen, written: reads >= at, order: await exchange.order("ann", orderId) };
}

describe.each([1, 2, 3])("what is written before read %i of somebody who looks", (at) => {
  test("is shown once: neither as it was before, nor filled twice", async () => {
    const one = await lookDuring(at, (exchange, orderId) => exchange.order("ann", orderId));
    const all = await lookDuring(at, (exchange) => exchange.orders("ann", { limit: 9 }));
    expect(one.order?.filled).toBeGreaterThan(0);
    expect([one.written, one.seen]).toStrictEqual([true, one.order]);
    expect([all.written, all.seen]).toStrictEqual([true, [all.order]]);
  });
});
