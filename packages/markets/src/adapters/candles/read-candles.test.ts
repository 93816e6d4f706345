import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Candle, intervalMs, intervals } from "../../venue/market.ts";
import { candleWindows } from "./candle-windows.ts";
import { gatherCandles } from "./gather-candles.ts";
import { readCandles } from "./read-candles.ts";

const minute = 60_000;
const bounds = { opensAt: 0, now: Number.MAX_SAFE_INTEGER, longestMs: 10 * minute, maxPages: 40 };

const candle = (
  at: number,
  [open, high, low, close]: readonly [number, number, number, number],
  volume: number,
) => ({ at, openCents: open, highCents: high, lowCents: low, closeCents: close, volume }) satisfies Candle;

describe("windows", () => {
  test("begin with the interval in which the range begins, meet, and end with it", () => {
    expect(candleWindows({ interval: "5m", from: 7 * minute, to: 28 * minute }, bounds)).toEqual([
      { from: 5 * minute, to: 15 * minute },
      { from: 15 * minute, to: 25 * minute },
      { from: 25 * minute, to: 28 * minute },
    ]);
  });

  test("neither begin before the market nor end after now", () => {
    const narrow = { ...bounds, opensAt: 12 * minute, now: 17 * minute };
    expect(candleWindows({ interval: "5m", from: 0, to: 60 * minute }, narrow)).toEqual([
      { from: 10 * minute, to: 17 * minute },
    ]);
    expect(candleWindows({ interval: "5m", from: 18 * minute, to: 60 * minute }, narrow)).toEqual([
      { from: 15 * minute, to: 17 * minute },
    ]);
    expect(candleWindows({ interval: "5m", from: 60 * minute, to: 0 }, narrow)).toEqual([]);
  });

  test("of any range are few, short, whole intervals apart, and at most 1,500 candles in all", () => {
    const time = fc.integer({ min: 0, max: 4e12 });
    const arbitrary = fc.record({ interval: fc.constantFrom(...intervals), from: time, to: time });
    fc.assert(
      fc.property(arbitrary, fc.integer({ min: 1, max: 3e9 }), (range, longestMs) => {
        const windows = candleWindows(range, { opensAt: 0, now: 3e12, longestMs, maxPages: 40 });
        const span = intervalMs[range.interval];
        const problems = windows.filter(({ from, to }, index) => {
          const meets = index === 0 || windows[index - 1]?.to === from;
          return from % span !== 0 || to <= from || to - from > Math.max(span, longestMs) || !meets;
        });
        expect(problems).toEqual([]);
        expect(windows.length).toBeLessThanOrEqual(40);
        expect((windows.at(-1)?.to ?? 0) - (windows[0]?.from ?? 0)).toBeLessThanOrEqual(1_500 * span);
      }),
    );
  });
});

describe("gathered", () => {
  const parts = [
    candle(6 * minute, [52, 60, 50, 55], 3),
    candle(5 * minute, [50, 53, 49, 52], 2),
    candle(5 * minute, [50, 53, 49, 52], 2),
    candle(16 * minute, [58, 58, 57, 57], 1),
    candle(20 * minute, [1, 1, 1, 1], 9),
  ];

  test("shorter candles become longer ones, in order, each counted once, quiet ones at the last price", () => {
    expect(gatherCandles(parts, 5 * minute, { from: 0, to: 20 * minute })).toEqual([
      candle(5 * minute, [50, 60, 49, 55], 5),
      candle(10 * minute, [55, 55, 55, 55], 0),
      candle(15 * minute, [58, 58, 57, 57], 1),
    ]);
  });

  test("from several windows they are one list", async () => {
    const asked: number[] = [];
    const candles = await readCandles(
      { interval: "5m", from: 5 * minute, to: 20 * minute },
      bounds,
      async (window) => {
        asked.push(window.from / minute, window.to / minute);
        return parts.filter(({ at }) => at >= window.from && at < window.to);
      },
    );
    expect(asked).toEqual([5, 15, 15, 20]);
    expect(candles.map(({ at, volume }) => [at / minute, volume])).toEqual([
      [5, 5],
      [10, 0],
      [15, 1],
    ]);
  });

  test("of more parts than could be given to a function are gathered all the same", async () => {
    const range = { interval: "1m", from: 0, to: 10 * minute } as const;
    const many = Array.from({ length: 200_000 }, (_, at) => candle(at, [50, 50, 50, 50], 1));
    const candles = await readCandles(range, bounds, () => Promise.resolve(many));
    expect(candles.map(({ at, volume }) => [at / minute, volume])).toEqual([
      [0, 60_000],
      [1, 60_000],
      [2, 60_000],
      [3, 20_000],
    ]);
  });
});
