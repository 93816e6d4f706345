import { HostConfigurationNeededError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Rate, TokenBuckets } from "./token-bucket.ts";

/** A clock that moves when it is told to. */
function handClock() {
  let time = 1000;
  return {
    elapsed: () => time,
    go: (ms: number) => {
      time += ms;
    },
  };
}

function bucketsWith(rate: Partial<Rate> & { maxBuckets?: number } = {}) {
  const clock = handClock();
  return { clock, buckets: new TokenBuckets({ perSecond: 2, burst: 4, maxBuckets: 100, clock, ...rate }) };
}

/** Takes as often as said. */
function drain(buckets: TokenBuckets, key: string, times: number, rate?: Rate) {
  return Array.from({ length: times }, () => buckets.take(key, rate));
}

describe("a bucket", () => {
  test("gives its burst at once, then nothing, then what has come back since", () => {
    const { clock, buckets } = bucketsWith();
    expect(drain(buckets, "a", 4)).toStrictEqual([
      { ok: true, limit: 4, remaining: 3, resetMs: 500, retryMs: 0 },
      { ok: true, limit: 4, remaining: 2, resetMs: 1000, retryMs: 0 },
      { ok: true, limit: 4, remaining: 1, resetMs: 1500, retryMs: 0 },
      { ok: true, limit: 4, remaining: 0, resetMs: 2000, retryMs: 0 },
    ]);
    expect(buckets.take("a")).toStrictEqual({
      ok: false,
      limit: 4,
      remaining: 0,
      resetMs: 2000,
      retryMs: 500,
    });
    clock.go(499);
    expect(buckets.take("a")).toStrictEqual({ ok: false, limit: 4, remaining: 0, resetMs: 1501, retryMs: 1 });
    clock.go(1);
    expect(buckets.take("a")).toStrictEqual({ ok: true, limit: 4, remaining: 0, resetMs: 2000, retryMs: 0 });
  });

  test("holds no more than its burst, however long nobody came", () => {
    const { clock, buckets } = bucketsWith();
    buckets.take("a");
    clock.go(1e9);
    expect(buckets.take("a").remaining).toBe(3);
  });

  test("is not emptied by what it refuses, nor by another key", () => {
    const { clock, buckets } = bucketsWith();
    drain(buckets, "a", 4);
    drain(buckets, "b", 4);
    for (let index = 0; index < 50; index += 1) {
      clock.go(5);
      buckets.take("a");
    }
    clock.go(250);
    expect(buckets.take("a").ok).toBe(true);
    expect(buckets.take("b").ok).toBe(true);
  });

  test("passes after the wait that it named, and lets exactly its burst through at once, for any rate", () => {
    const rates = fc.record({
      perSecond: fc.double({ min: 0.01, max: 5000, noNaN: true }),
      burst: fc.integer({ min: 1, max: 200 }),
    });
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 1e9 }), (rate, start) => {
        const { clock, buckets } = bucketsWith(rate);
        clock.go(start);
        const passed = drain(buckets, "a", rate.burst + 3).filter(({ ok }) => ok);
        expect(passed.length).toBe(rate.burst);
        clock.go(buckets.take("a").retryMs);
        expect(buckets.take("a").ok).toBe(true);
      }),
    );
  });

  test("of a key with its own limit follows that limit", () => {
    const { buckets } = bucketsWith();
    const own = { perSecond: 100, burst: 10 };
    expect(drain(buckets, "rich", 10, own).at(-1)).toStrictEqual({
      ok: true,
      limit: 10,
      remaining: 0,
      resetMs: 100,
      retryMs: 0,
    });
    expect(drain(buckets, "poor", 10).filter(({ ok }) => ok)).toHaveLength(4);
  });

  test("that was empty under one limit is empty under the next, or as empty as the wait it still owes", () => {
    const { clock, buckets } = bucketsWith();
    drain(buckets, "raised", 4);
    expect(buckets.take("raised", { perSecond: 100, burst: 10 })).toMatchObject({
      ok: false,
      remaining: 0,
    });
    drain(buckets, "lowered", 4);
    expect(buckets.take("lowered", { perSecond: 1, burst: 2 })).toMatchObject({ ok: false, remaining: 0 });
    drain(buckets, "half", 2);
    expect(buckets.take("half", { perSecond: 1, burst: 2 })).toMatchObject({ ok: true, remaining: 0 });
    clock.go(11);
    expect(buckets.take("raised", { perSecond: 100, burst: 10 }).ok).toBe(true);
  });

  test("gains nothing from a clock that goes back", () => {
    const { clock, buckets } = bucketsWith();
    drain(buckets, "a", 4);
    clock.go(-10_000);
    expect(buckets.take("a").ok).toBe(false);
    expect(drain(buckets, "b", 4).every(({ ok }) => ok)).toBe(true);
    clock.go(10_000);
    expect(buckets.take("a").ok).toBe(false);
    expect(buckets.take("b").ok).toBe(false);
  });

  test("may have any name", () => {
    const { buckets } = bucketsWith();
    for (const key of ["__proto__", "constructor", "", "a\0b"]) {
      expect(drain(buckets, key, 4).every(({ ok }) => ok)).toBe(true);
      expect(buckets.take(key).ok).toBe(false);
    }
  });
});

describe("a table with room for few", () => {
  test("never holds more buckets than allowed", () => {
    const { clock, buckets } = bucketsWith({ maxBuckets: 7 });
    for (let index = 0; index < 500; index += 1) {
      buckets.take(`k${index}`);
      clock.go(index % 90);
      expect(buckets.size).toBeLessThanOrEqual(7);
    }
    expect(buckets.size).toBe(7);
  });

  test("does not reset an emptied bucket for somebody who rotates keys", () => {
    const { buckets } = bucketsWith({ maxBuckets: 10 });
    drain(buckets, "attacker", 4);
    for (let index = 0; index < 1000; index += 1) {
      buckets.take(`rotated-${index}`);
      expect(buckets.take("attacker").ok).toBe(false);
    }
  });

  test("does not let keys push each other out for more than each may take", () => {
    const { buckets } = bucketsWith({ maxBuckets: 1 });
    const keys = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? "a" : "b"));
    const passed = keys.filter((key) => buckets.take(key).ok);
    expect(passed).toStrictEqual(["a", "b", "a", "b", "a", "b", "a", "b"]);
  });

  test("gives a flood of new keys no more than the table is worth", () => {
    const { clock, buckets } = bucketsWith({ maxBuckets: 10 });
    const flood = () =>
      Array.from({ length: 1000 }, (_, index) => buckets.take(`${clock.elapsed()}-${index}`));
    expect(flood().filter(({ ok }) => ok).length).toBeLessThanOrEqual(10 * 4 + 4);
    clock.go(500);
    expect(flood().filter(({ ok }) => ok).length).toBeLessThanOrEqual(10 + 1);
  });

  test("does not forget what a key owes because another one was given a better rate", () => {
    const { clock, buckets } = bucketsWith({ maxBuckets: 1 });
    drain(buckets, "a", 4);
    drain(buckets, "b", 4);
    clock.go(500);
    expect(buckets.take("b", { perSecond: 1000, burst: 1 }).ok).toBe(false);
    expect(buckets.take("c")).toMatchObject({ ok: true, remaining: 0 });
    expect(drain(buckets, "a", 2).map(({ ok }) => ok)).toStrictEqual([true, false]);
  });

  test("tells a new key truly how long it has to wait for others", () => {
    const { clock, buckets } = bucketsWith({ maxBuckets: 3 });
    for (const key of ["a", "b", "c", "d"]) drain(buckets, key, 4);
    expect(buckets.take("new")).toStrictEqual({
      ok: false,
      limit: 4,
      remaining: 0,
      resetMs: 2000,
      retryMs: 500,
    });
    const quick = { perSecond: 1000, burst: 2 };
    const { retryMs } = buckets.take("quick", quick);
    clock.go(retryMs - 1);
    expect(buckets.take("quick", quick).ok).toBe(false);
    clock.go(1);
    expect(buckets.take("quick", quick).ok).toBe(true);
    clock.go(2000);
    expect(buckets.take("new")).toMatchObject({ ok: true, remaining: 3 });
  });

  /** One step of a history: which key asks, and how long after the step before. */
  const steps = fc.array(
    fc.record({
      key: fc.constantFrom("a", "b", "c", "d", "e", "f"),
      wait: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 3000 })),
    }),
    { maxLength: 200 },
  );
  const rates: Record<string, Rate> = { a: { perSecond: 7, burst: 3 }, b: { perSecond: 0.5, burst: 5 } };

  test("passes for each key only what the key's own bucket would pass, for any history", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 4 }), (history, maxBuckets) => {
        const { clock, buckets } = bucketsWith({ maxBuckets });
        const alone = new Map<string, TokenBuckets>();
        for (const { key, wait } of history) {
          clock.go(wait);
          const rate = rates[key] ?? { perSecond: 2, burst: 4 };
          if (!buckets.take(key, rate).ok) continue;
          if (!alone.has(key)) alone.set(key, new TokenBuckets({ ...rate, maxBuckets: 1, clock }));
          expect(alone.get(key)?.take(key).ok).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("answers as one with room for all, while no more keys than fit are busy", () => {
    fc.assert(
      fc.property(steps, (history) => {
        const { clock, buckets: few } = bucketsWith({ maxBuckets: 2 });
        const all = new TokenBuckets({ perSecond: 2, burst: 4, maxBuckets: 100, clock });
        for (const { key, wait } of history) {
          // A full bucket is worth nothing: two seconds fill any.
          if (key !== "a") clock.go(2000);
          clock.go(wait);
          expect(few.take(key)).toStrictEqual(all.take(key));
        }
      }),
    );
  });
});

describe("a limit that makes no sense", () => {
  const clock = handClock();
  const sound = { perSecond: 1, burst: 1, maxBuckets: 1, clock };
  test.each([
    ["perSecond", 0],
    ["perSecond", -1],
    ["perSecond", Number.NaN],
    ["perSecond", Number.POSITIVE_INFINITY],
    ["burst", 0],
    ["burst", 1.5],
    ["burst", Number.NaN],
    ["maxBuckets", 0],
    ["maxBuckets", Number.POSITIVE_INFINITY],
  ])("is a fault: %s %d", (name, value) => {
    expect(() => new TokenBuckets({ ...sound, [name]: value })).toThrow(HostConfigurationNeededError);
  });

  test("is a fault for one take too", () => {
    const buckets = new TokenBuckets(sound);
    expect(() => buckets.take("a", { perSecond: 0, burst: 1 })).toThrow(HostConfigurationNeededError);
    expect(buckets.size).toBe(0);
  });
});
