// A market that has closed is settled step by step, and it does not matter where that is cut off, or by whom it is taken up again.
import { createMemoryStore, type Store } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { day, marketNamed, opening, quietMarkets } from "../../test-data/quiet-markets.ts";
import { totalOf } from "../../test-data/total-of.ts";
import { keptIn, refusalOf, tradingFloor } from "../../test-data/trading-floor.ts";
import type { Exchange } from "./exchange.ts";
import type { Account } from "./kept-exchange.ts";

const people = 130;

/** As many who hold yes as hold no, and each with an order that stands. */
async function crowded(exchange: Exchange): Promise<void> {
  for (let nth = 0; nth < people; nth++) {
    const of = { ticker: "RAIN", action: "buy", quantity: 3 } as const;
    await exchange.place(`no-${nth}`, "a", { ...of, side: "no", limitCents: 40 });
    await exchange.place(`yes-${nth}`, "a", { ...of, side: "yes", limitCents: 60 });
    await exchange.place(`yes-${nth}`, "b", { ...of, action: "sell", side: "yes", limitCents: 90 });
    await exchange.place(`no-${nth}`, "b", { ...of, side: "yes", quantity: 2, limitCents: 5 });
  }
}

/** A store that is cut off for good after so many commits, before or after the last of them is written. */
function cutOff(store: Store, commits: number, when: "before" | "after"): Store {
  let left = commits;
  return new Proxy(store, {
    get: (target, name: keyof Store) => {
      if (name !== "commit") return (target[name] as (...all: unknown[]) => unknown).bind(target);
      return async (unit: Parameters<Store["commit"]>[0]) => {
        left -= 1;
        if (left < 0 || (left === 0 && when === "before")) throw new Error("cut off");
        const result = await target.commit(unit);
        if (left === 0) throw new Error("cut off");
        return result;
      };
    },
  });
}

async function accountOf(store: Store, accountId: string): Promise<Account> {
  const found = await store.document({ kind: "exchange.live.account", accountId, id: "account" });
  return JSON.parse(found?.body ?? "") as Account;
}

describe("a settlement", () => {
  test("of hundreds of orders and holders comes to the same wherever it is cut off and taken up", async () => {
    const untouched = tradingFloor();
    await crowded(untouched.exchange);
    untouched.clock.jump(2 * day);
    await untouched.exchange.advance();
    const end = await keptIn(untouched.store);
    expect(await totalOf(untouched.store, "live")).toMatchObject({ uneven: [], crossed: [] });

    const frail = tradingFloor();
    await crowded(frail.exchange);
    frail.clock.jump(2 * day);
    let cuts = 0;
    for (;;) {
      const when = cuts % 2 === 0 ? "before" : "after";
      const exchange = frail.open({ store: cutOff(frail.store, 1, when) });
      const isDone = await exchange.advance().then(
        () => true,
        () => false,
      );
      const { cents, depositedCents, uneven } = await totalOf(frail.store, "live");
      expect([cents, uneven]).toStrictEqual([depositedCents, []]);
      if (isDone) break;
      cuts += 1;
    }
    // A thousand ticks, then 260 orders and as many holders a hundred at a time; each step was cut off before and after it.
    expect(cuts).toBe(2 * 6);
    expect(await keptIn(frail.store)).toStrictEqual(end);
  });

  test("pays 100 for each contract of the outcome and nothing for the others, and nobody has a stake any more", async () => {
    const { exchange, store, clock } = tradingFloor();
    await crowded(exchange);
    clock.jump(2 * day);
    const foretold = [await exchange.portfolio("yes-7"), await exchange.portfolio("no-129")];
    await exchange.advance();
    const [won, lost] = [await accountOf(store, "yes-7"), await accountOf(store, "no-129")];
    expect(won).toStrictEqual({ cashCents: 100_000 - 180 - 6 + 300, depositedCents: 100_000, tickers: [] });
    expect(lost).toStrictEqual({ cashCents: 100_000 - 120, depositedCents: 100_000, tickers: [] });
    expect(foretold.map(({ cashCents, positions }) => [cashCents, positions])).toStrictEqual([
      [won.cashCents, []],
      [lost.cashCents, []],
    ]);
    expect([await exchange.portfolio("yes-7"), await exchange.portfolio("no-129")]).toStrictEqual(foretold);
  });

  test("that has begun goes on though the clock is set back, and nobody can trade into it", async () => {
    const { exchange, open, store, clock } = tradingFloor();
    await crowded(exchange);
    clock.jump(day);
    await expect(open({ store: cutOff(store, 2, "after") }).advance()).rejects.toThrow("cut off");
    clock.jump(-day);
    const wanted = { ticker: "RAIN", action: "buy", side: "yes", quantity: 1, limitCents: 50 } as const;
    expect(await refusalOf(exchange.place("late", "k", wanted))).toStrictEqual({
      code: "invalid_transition",
    });
    await exchange.advance();
    const { cents, depositedCents, uneven } = await totalOf(store, "live");
    expect([cents, uneven]).toStrictEqual([depositedCents, []]);
    expect(await store.accountsWith("exchange.live.market", "live")).toStrictEqual([]);
  });

  test("of a market that this process knows nothing of holds no other back, and its fault is told", async () => {
    const store = createMemoryStore();
    const both = tradingFloor({ store });
    const wanted = { action: "buy", side: "yes", quantity: 1, limitCents: 50 } as const;
    await both.exchange.place("ann", "1", { ...wanted, ticker: "RAIN" });
    const { orderId } = await both.exchange.place("ann", "2", { ...wanted, ticker: "SNOW" });
    const one = tradingFloor({ store, simulation: quietMarkets([marketNamed("SNOW")]) });
    one.clock.jump(day);
    expect(await refusalOf(one.exchange.advance())).toStrictEqual({ code: "not_found" });
    expect(await one.exchange.writtenOrder("ann", orderId)).toMatchObject({
      status: "cancelled",
      reason: "market_closed",
      changedAt: opening + day,
    });
  });

  test("ends with its signal between two markets", async () => {
    const { exchange, store, clock } = tradingFloor();
    await exchange.place("ann", "1", {
      ticker: "RAIN",
      action: "buy",
      side: "yes",
      quantity: 1,
      limitCents: 5,
    });
    clock.jump(day);
    const before = await keptIn(store);
    await expect(exchange.advance(AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    expect(await keptIn(store)).toStrictEqual(before);
  });
});
