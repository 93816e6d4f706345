// Calls a day: never more than there are, whoever asks at once, over restarts and midnights.
import { createMemoryStore, type Store } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { FaultyStore } from "../../../kernel/test-data/call-store.ts";
import { gate, until } from "../../../kernel/test-data/call-waiting.ts";
import { KeyQuotas, type QuotaTake } from "./key-quotas.ts";

const day = 24 * 3_600_000;
const noon = Date.UTC(2026, 0, 2, 12);
const key = { accountId: "acct_1", keyId: "key_1" };

function counted(store: Store = createMemoryStore(), clock = new ManualClock(noon)) {
  const quotas = new KeyQuotas(store, clock);
  const take = async (limit: number, of = key) => await quotas.take(of, "llm_cost", { llm_cost: limit });
  /** How many of so many at once are let through. */
  const burst = async (times: number, limit: number, of = key) =>
    (await Promise.all(Array.from({ length: times }, async () => await take(limit, of)))).filter(isTaken);
  return { store, clock, quotas, take, burst };
}

function isTaken(take: QuotaTake): take is Extract<QuotaTake, { type: "taken" }> {
  return take.type === "taken";
}

describe("of so many a day", () => {
  test.each([0, 1, 2, 99, 100, 101, 250, 1000])("%s are given, however many ask at once", async (limit) => {
    const { burst, take } = counted();
    expect(await burst(limit + 50, limit)).toHaveLength(limit);
    expect((await take(limit)).type).toBe("used_up");
  });

  test.each([1, 7, 100, 250])("%s are given, by several processes together", async (limit) => {
    const store = createMemoryStore();
    const houses = [1, 2, 3].map(() => counted(store));
    const given = await Promise.all(houses.map(async ({ burst }) => await burst(limit, limit)));
    // What one process has written down and not used, another cannot use.
    const left = limit < 200 ? 0 : 3 * Math.floor(limit / 100);
    expect(given.flat().length).toBeGreaterThanOrEqual(limit - left);
    expect(given.flat().length).toBeLessThanOrEqual(limit);
  });

  test.each([3, 150, 1000])("%s are given, over restarts", async (limit) => {
    const store = createMemoryStore();
    let given = 0;
    for (let starts = 0; starts < 6; starts++) {
      given += (await counted(store).burst(Math.ceil(limit / 4), limit)).length;
    }
    expect(given).toBeLessThanOrEqual(limit);
    expect(given).toBeGreaterThanOrEqual(limit - 6 * Math.floor(limit / 100));
  });

  test("keys, accounts and classes are counted each for itself", async () => {
    const { burst, quotas } = counted();
    await burst(5, 5);
    expect(await burst(5, 5, { ...key, keyId: "key_2" })).toHaveLength(5);
    expect(await burst(5, 5, { ...key, accountId: "acct_2" })).toHaveLength(5);
    expect((await quotas.take(key, "search_cost", { search_cost: 1 })).type).toBe("taken");
    expect((await quotas.take(key, "api_cost", { llm_cost: 0 })).type).toBe("taken");
    expect((await quotas.take(key, "none", { llm_cost: 0 })).type).toBe("taken");
    expect((await quotas.take(key, "llm_cost", { llm_cost: 5 })).type).toBe("used_up");
  });
});

describe("what is given back", () => {
  test("can be taken again, once", async () => {
    const { burst, take } = counted();
    const [first] = await burst(3, 3);
    first?.giveBack();
    expect([(await take(3)).type, (await take(3)).type]).toStrictEqual(["taken", "used_up"]);
  });

  test("is not lost where more was taken meanwhile", async () => {
    const { take } = counted();
    const first = await take(2);
    await take(2);
    if (isTaken(first)) first.giveBack();
    expect([(await take(2)).type, (await take(2)).type]).toStrictEqual(["taken", "used_up"]);
  });

  test("after midnight is nothing to the new day", async () => {
    const { clock, take, burst } = counted();
    const first = await take(2);
    clock.advance(day);
    expect(await burst(5, 2)).toHaveLength(2);
    if (isTaken(first)) first.giveBack();
    expect((await take(2)).type).toBe("used_up");
  });
});

describe("midnight", () => {
  test("brings a new day, whole, and says until then how long it is", async () => {
    const { clock, burst, take } = counted();
    await burst(5, 5);
    clock.advance(day / 2 - 1);
    expect(await take(5)).toStrictEqual({ type: "used_up", limit: 5, resetMs: 1 });
    clock.advance(1);
    expect(await burst(9, 5)).toHaveLength(5);
  });

  test("while a block is written adds nothing to the new day", async () => {
    const store = new FaultyStore(createMemoryStore());
    const { clock, take, burst } = counted(store);
    const midnight = gate();
    store.failNext({ type: "wait", for: midnight.promise });
    const late = take(300);
    await until(() => store.units.length === 1);
    clock.advance(day);
    midnight.resolve();
    const rest = await burst(400, 300);
    expect([await late, ...rest].filter(isTaken)).toHaveLength(300);
  });

  test("that comes a second time, because the clock was set back, brings nothing", async () => {
    const { clock, burst, take, store } = counted();
    await burst(5, 5);
    clock.jump(day);
    expect(await burst(9, 5)).toHaveLength(5);
    clock.jump(-day);
    expect((await take(5)).type).toBe("used_up");
    expect((await counted(store, clock).take(5)).type).toBe("used_up");
    clock.jump(day);
    expect((await take(5)).type).toBe("used_up");
  });
});

describe("a clock that was wrong by days", () => {
  test("locks no key once it is right again, and gives none of its days a second time", async () => {
    const { clock, burst, take } = counted();
    expect(await burst(2, 3)).toHaveLength(2);
    clock.jump(400 * day);
    expect(await burst(9, 3)).toHaveLength(3);
    clock.jump(-400 * day);
    expect(await burst(9, 3)).toHaveLength(1);
    expect(await take(3)).toStrictEqual({ type: "used_up", limit: 3, resetMs: day / 2 });
    for (let days = 0; days < 5; days++) {
      clock.advance(day);
      expect(await burst(9, 3)).toHaveLength(3);
      expect(await take(3)).toStrictEqual({ type: "used_up", limit: 3, resetMs: day / 2 });
    }
  });

  test("is found wrong by a process that starts later, too", async () => {
    const store = createMemoryStore();
    await counted(store, new ManualClock(noon + 400 * day)).burst(9, 3);
    const { clock, burst, take } = counted(store);
    expect(await burst(9, 3)).toHaveLength(3);
    expect(await take(3)).toMatchObject({ resetMs: day / 2 });
    clock.advance(day);
    expect(await burst(9, 3)).toHaveLength(3);
  });

  test("in one of several processes gives nobody a day anew, however often they take turns", async () => {
    const store = createMemoryStore();
    const ahead = [0, 400, -30].map((days) => counted(store, new ManualClock(noon + days * day)));
    const given = [0, 0, 0];
    for (let turns = 0; turns < 5; turns++) {
      for (const [index, { burst }] of ahead.entries())
        given[index] = (given[index] ?? 0) + (await burst(2, 3)).length;
    }
    expect(given).toStrictEqual([3, 3, 3]);
  });

  test("a little ahead of another one's counts the days that both have, and says of each when it is over", async () => {
    const store = createMemoryStore();
    const ahead = counted(store, new ManualClock(noon + day / 2 + 1000));
    const behind = counted(store, new ManualClock(noon + day / 2 - 1000));
    expect(await ahead.burst(9, 3)).toHaveLength(3);
    expect(await behind.burst(9, 3)).toHaveLength(3);
    expect(await ahead.take(3)).toMatchObject({ resetMs: day - 1000 });
    expect(await behind.take(3)).toMatchObject({ resetMs: 1000 });
    behind.clock.advance(1000);
    expect((await behind.take(3)).type).toBe("used_up");
  });

  test("gets back what it has not used in the day that it was taken from", async () => {
    const { store, clock, quotas, take } = counted();
    await take(1000);
    clock.jump(400 * day);
    await take(1000);
    await quotas.close();
    const usedBy = async (at: number) => {
      const { burst } = counted(store, new ManualClock(at));
      return 1000 - (await burst(1100, 1000)).length;
    };
    expect(await usedBy(noon + 400 * day)).toBe(1);
    // Of the day that it has left, the rest of a block is lost.
    expect(await usedBy(noon)).toBe(10);
  });
});

test("a block is written down once, however many wait for it", async () => {
  const store = new FaultyStore(createMemoryStore());
  const { burst } = counted(store);
  expect(await burst(10, 1000)).toHaveLength(10);
  expect(store.units).toHaveLength(1);
});

test("a store that cannot write lets nothing through", async () => {
  const store = new FaultyStore(createMemoryStore());
  const { take } = counted(store);
  store.failNext({ type: "throw" });
  await expect(take(5)).rejects.toMatchObject({ code: "journal_append_failed" });
  expect((await take(5)).type).toBe("taken");
});
