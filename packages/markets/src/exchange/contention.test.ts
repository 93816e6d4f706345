// X1: several exchanges on one store, each between any two steps of another.
import { createMemoryStore, type Store } from "@spfunctions/kernel";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { totalOf } from "../../test-data/total-of.ts";
import { tradedMarkets } from "../../test-data/traded-markets.ts";
import { keptIn, refusalOf, tradingFloor } from "../../test-data/trading-floor.ts";
import type { Order, WantedOrder } from "./exchange.ts";

const wanted: WantedOrder = { ticker: "RAIN", action: "buy", side: "yes", quantity: 10, limitCents: 50 };

/** The same store, with something that happens before a call of it. */
function interrupted(
  store: Store,
  before: (method: keyof Store, given: readonly unknown[]) => Promise<void>,
): Store {
  return new Proxy(store, {
    get:
      (target, name: keyof Store) =>
      async (...given: unknown[]) => {
        await before(name, given);
        return await (target[name] as (...all: unknown[]) => unknown).apply(target, given);
      },
  });
}

/** Does something once, before the nth call of the store. */
function onceBefore(store: Store, nth: number, act: () => Promise<unknown>): Store {
  let calls = 0;
  return interrupted(store, async () => {
    calls += 1;
    if (calls === nth) await act();
  });
}

describe("X1: what is final for a key", () => {
  const final = { isFinal: true };

  test("is an order, however much later somebody comes again", async () => {
    const { clock, exchange } = tradingFloor();
    const { orderId } = await exchange.place("ann", "key", wanted, final);
    clock.jump(400 * 86_400_000);
    expect(await exchange.place("ann", "key", wanted, final)).toMatchObject({ orderId });
    expect(await exchange.orders("ann", { limit: 9 })).toHaveLength(1);
  });

  test("is a refusal too, also once there would be room; otherwise it stands for nothing", async () => {
    const { open } = tradingFloor({ openingCents: 100 });
    const sale: WantedOrder = { ...wanted, action: "sell", quantity: 1 };
    const first = await refusalOf(open().place("ann", "final", sale, final));
    await refusalOf(open().place("ann", "open", sale));
    await open().place("bob", "1", { ...wanted, side: "no", quantity: 1 });
    await open().place("ann", "2", { ...wanted, quantity: 1 });
    expect(await refusalOf(open().place("ann", "final", sale, final))).toStrictEqual(first);
    expect(await open().place("ann", "open", sale)).toMatchObject({ quantity: 1 });
  });

  test("is one thing for all: where one is told no, nobody is told yes, whatever comes between whatever", async () => {
    for (let nth = 1; nth <= 12; nth++) {
      const { store, open } = tradingFloor({ openingCents: 400 });
      const told: unknown[] = [];
      const place = async (at: Store) =>
        await open({ store: at })
          .place("ann", "key", wanted, final)
          .then(
            ({ orderId }) => orderId,
            (error: unknown) => (error as { code: string }).code,
          );
      // The other one has the cash for it, and this one has not.
      const frail = onceBefore(store, nth, async () => {
        const key = { kind: "exchange.live.account", accountId: "ann", id: "account" };
        const body = JSON.stringify({ cashCents: 600, depositedCents: 600, tickers: [] });
        const documents = [{ type: "put", ...key, expects: 0, status: "open", body } as const];
        await store.commit({ durability: "power", now: 0, documents });
        told.push(await place(store));
      });
      told.push(await place(frail), await place(store));
      expect(new Set(told).size).toBe(1);
      expect(await open().orders("ann", { limit: 9 })).toHaveLength(told[0] === "invalid_input" ? 0 : 1);
    }
  });
});

describe("X1: two that place with one key at once", () => {
  test.each([
    ["with cash to spare", 100_000],
    ["with cash for one", 500],
  ])("place one order, whatever comes between whatever, %s", async (_, openingCents) => {
    for (let nth = 1; nth <= 6; nth++) {
      const { store, open } = tradingFloor({ openingCents });
      const others: Order[] = [];
      const frail = onceBefore(store, nth, async () => {
        others.push(await open().place("ann", "key", wanted));
      });
      const own = await open({ store: frail }).place("ann", "key", wanted);
      expect(own).toStrictEqual(others[0] ?? own);
      expect(await open().orders("ann", { limit: 9 })).toStrictEqual([own]);
      expect((await open().portfolio("ann")).cashCents).toBe(openingCents - 500);
    }
  });

  test("and sell the same contracts, sell them once", async () => {
    for (let nth = 1; nth <= 6; nth++) {
      const { store, open, exchange } = tradingFloor();
      await exchange.place("bob", "1", { ...wanted, side: "no" });
      await exchange.place("ann", "1", wanted);
      const sale: WantedOrder = { ...wanted, action: "sell", limitCents: 60 };
      const frail = onceBefore(store, nth, () => open().place("ann", "key", sale));
      const sold = await open({ store: frail }).place("ann", "key", sale);
      expect(sold).toMatchObject({ status: "open", action: "sell" });
      expect((await exchange.orders("ann", { limit: 9, status: "open" })).length).toBe(1);
    }
  });

  test("and mean different things, are told so", async () => {
    for (let nth = 1; nth <= 4; nth++) {
      const { store, open } = tradingFloor({ openingCents: 500 });
      const frail = onceBefore(store, nth, () => open().place("ann", "key", wanted));
      const other = { ...wanted, ...(nth % 2 === 0 ? { quantity: 9 } : { ticker: "SNOW" }) };
      expect(await refusalOf(open({ store: frail }).place("ann", "key", other))).toStrictEqual({
        code: "idempotency_conflict",
      });
    }
  });

  test("in one exchange and at the same moment, place one order", async () => {
    const { exchange } = tradingFloor({ openingCents: 500 });
    const orders = await Promise.all(
      Array.from({ length: 20 }, () => exchange.place("ann", "key", { ...wanted })),
    );
    expect(new Set(orders.map(({ orderId }) => orderId)).size).toBe(1);
  });
});

function cutOff(store: Store, when: "before" | "after"): Store {
  return interrupted(store, async (method, given) => {
    if (method !== "commit") return;
    if (when === "after") await store.commit(given[0] as Parameters<Store["commit"]>[0]);
    throw new Error("cut off");
  });
}

describe("X1: a commit that is cut off", () => {
  test("before it is written fails, and is tried again with the same key", async () => {
    const { store, open } = tradingFloor();
    const frail = open({ store: cutOff(store, "before") });
    await expect(frail.place("ann", "key", wanted)).rejects.toThrow("cut off");
    const placed = await open().place("ann", "key", wanted);
    expect(await open().orders("ann", { limit: 9 })).toStrictEqual([placed]);
  });

  test("after it is written is found to have been: nobody is told that there is no order", async () => {
    const { store, open } = tradingFloor();
    const placed = await open({ store: cutOff(store, "after") }).place("ann", "key", wanted);
    expect(await open().place("ann", "key", wanted)).toStrictEqual(placed);
    expect(await open().orders("ann", { limit: 9 })).toStrictEqual([placed]);
    expect((await open().portfolio("ann")).cashCents).toBe(99_500);
  });

  test("while cancelling, is cancelled once when it is tried again", async () => {
    const { store, open, exchange } = tradingFloor();
    const { orderId } = await exchange.place("ann", "key", wanted);
    const frail = interrupted(store, async (method, given) => {
      if (method !== "commit") return;
      await store.commit(given[0] as Parameters<Store["commit"]>[0]);
      throw new Error("cut off");
    });
    await expect(open({ store: frail }).cancel("ann", orderId)).rejects.toThrow("cut off");
    expect(await open().cancel("ann", orderId)).toMatchObject({ reason: "cancelled_by_owner" });
    expect((await open().portfolio("ann")).cashCents).toBe(100_000);
  });
});

describe("X1: whoever is overtaken", () => {
  test("does everything anew on what is there then, and nothing is lost", async () => {
    const { store, open, exchange } = tradingFloor();
    let rivals = 0;
    const frail = interrupted(store, async (method) => {
      if (method !== "commit" || rivals >= 25) return;
      rivals += 1;
      await exchange.place("bob", `key-${rivals}`, { ...wanted, side: "no", quantity: 1 });
    });
    const placed = await open({ store: frail }).place("ann", "key", { ...wanted, quantity: 30 });
    expect(placed).toMatchObject({ status: "open", filled: 25, filledCents: 1250 });
    const { cents, depositedCents, uneven, crossed } = await totalOf(store, "live");
    expect([cents, uneven, crossed]).toStrictEqual([depositedCents, [], []]);
  });

  test("again and again gives up, and has done nothing", async () => {
    const { store, open, exchange } = tradingFloor({ openingCents: 10_000_000 });
    let rivals = 0;
    const frail = interrupted(store, async (method) => {
      if (method !== "commit") return;
      rivals += 1;
      await exchange.place("bob", `key-${rivals}`, { ...wanted, quantity: 1, limitCents: 1 });
    });
    expect(await refusalOf(open({ store: frail }).place("ann", "key", wanted))).toStrictEqual({
      code: "revision_conflict",
    });
    expect(await exchange.orders("ann", { limit: 9 })).toStrictEqual([]);
    expect(rivals).toBe(200);
  });
});

test("a portfolio is never of two moments: money that moves while it is read is counted once", async () => {
  for (let nth = 1; nth <= 6; nth++) {
    const { store, open, exchange } = tradingFloor();
    await exchange.place("ann", "1", wanted);
    await exchange.place("bob", "1", { ...wanted, side: "no" });
    await exchange.place("ann", "2", { ...wanted, action: "sell", limitCents: 60 });
    await exchange.place("ann", "3", { ...wanted, ticker: "SNOW" });
    const frail = onceBefore(store, nth, () => exchange.place("bob", "2", { ...wanted, limitCents: 60 }));
    const seen = await open({ store: frail }).portfolio("ann");
    expect([seen.cashCents + seen.reservedCents, seen.positions.length]).toStrictEqual(
      nth <= 4 ? [100_100, 0] : [99_500, 1],
    );
  }
});

test("X1: for any orders in three exchanges at once, in any order of their steps, the sums are right", async () => {
  const someOrder = fc.record({
    who: fc.constantFrom("ann", "bob", "cleo"),
    at: fc.nat({ max: 2 }),
    ticker: fc.constantFrom("A", "B"),
    action: fc.constantFrom("buy" as const, "buy" as const, "sell" as const),
    side: fc.constantFrom("yes" as const, "no" as const),
    quantity: fc.integer({ min: 1, max: 30 }),
    limitCents: fc.option(fc.integer({ min: 35, max: 65 }), { nil: undefined }),
    key: fc.nat({ max: 11 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(someOrder, { minLength: 2, maxLength: 12 }),
      async (s, orders) => {
        const store = createMemoryStore();
        const scheduled = interrupted(store, (method) => s.schedule(Promise.resolve(), method));
        const floor = tradingFloor({ store, simulation: tradedMarkets, openingCents: 4000 });
        const exchanges = [0, 1, 2].map(() => floor.open({ store: scheduled }));
        const placing = orders.map(async ({ who, at, key, ...rest }) => {
          try {
            const order = await exchanges[at]?.place(who, `key-${key}`, rest);
            return order && `${who} ${key} ${order.orderId}`;
          } catch (error) {
            const { code } = error as { code?: string };
            if (code !== "invalid_input" && code !== "idempotency_conflict") throw error;
            return undefined;
          }
        });
        const placed = await s.waitFor(Promise.all(placing));
        const names = new Set(placed.filter((one) => one !== undefined));
        // One order to a key, and no order that nobody was told of.
        expect(new Set([...names].map((name) => name.split(" ").slice(0, 2).join(" "))).size).toBe(
          names.size,
        );
        const kept = (await keptIn(store)).filter(([name]) => name.includes(".order"));
        expect(kept.length).toBe(names.size);
        const { cents, depositedCents, uneven, crossed } = await totalOf(store, "live");
        expect([cents, uneven, crossed]).toStrictEqual([depositedCents, [], []]);
      },
    ),
    { numRuns: 100 },
  );
});
