import { createMemoryStore } from "@spfunctions/kernel";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { noon, sampleReader } from "../../test-data/sample-world.ts";
import { openMarkets } from "../open-markets.ts";
import { type Candle, intervalMs } from "../venue/market.ts";
import { priceOf } from "../world/row-figures.ts";
import { candlesFor, priceAt } from "./price-ago.ts";

const minute = 60_000;

test.each([
  [1, "1m"],
  [49, "1m"],
  [50, "5m"],
  [149, "5m"],
  [150, "15m"],
  [600, "1h"],
  [14_400, "1d"],
  [43_200, "1d"],
])("the price %i minutes ago is looked for in candles of %s", (minutes, interval) => {
  expect(candlesFor(minutes, noon).interval).toBe(interval);
});

test("for any time the candle is the one in which it lies", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 43_200 }),
      fc.integer({ min: noon, max: 2 * noon }),
      (minutes, now) => {
        const { interval, at } = candlesFor(minutes, now);
        const then = now - minutes * minute;
        expect([at % intervalMs[interval], at <= then, then < at + intervalMs[interval]]).toStrictEqual([
          0,
          true,
          true,
        ]);
      },
    ),
  );
});

const candle = (at: number, openCents: number, closeCents: number): Candle => ({
  at,
  openCents,
  closeCents,
  highCents: 90,
  lowCents: 10,
  volume: 1,
});

describe("the price at a time", () => {
  const wanted = { interval: "1m", at: noon } as const;
  const priceIn = (candles: readonly Candle[] | undefined) =>
    priceAt(sampleReader("embedded", [], { candles: () => Promise.resolve(candles) }), "RAIN", wanted);

  test("is what its candle opened at, or what was paid last before it", async () => {
    const before = candle(noon - 3 * minute, 30, 35);
    expect(await priceIn([before, candle(noon, 40, 45)])).toBe(40);
    expect(await priceIn([before])).toBe(35);
    expect(await priceIn([before, candle(noon + minute, 40, 45)])).toBe(35);
  });

  test("is nothing where nobody had traded, or nobody knows the market", async () => {
    expect(await priceIn([candle(noon + minute, 40, 45)])).toBeUndefined();
    expect(await priceIn([])).toBeUndefined();
    expect(await priceIn(undefined)).toBeUndefined();
  });

  test("is, at the embedded venue, the price that everybody saw then", async () => {
    const clock = new ManualClock(noon);
    const [embedded] = (await openMarkets({ store: createMemoryStore(), clock, series: 12 })).readers;
    const ago = candlesFor(60, noon);
    const then = (await embedded?.rowsAt?.(ago.at - minute)) ?? [];
    const some = then.filter(({ lastCents }) => lastCents !== null).slice(0, 8);
    const prices = await Promise.all(
      some.map(async ({ ticker }) => embedded && (await priceAt(embedded, ticker, ago))),
    );
    expect(prices).toHaveLength(8);
    expect(prices).toStrictEqual(some.map(priceOf));
  });
});
