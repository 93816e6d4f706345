import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MarketLife } from "./market-life.ts";
import { dayVolumeAt, lastTradeTick, quantityAt, tradedBetween } from "./volume.ts";

const anyLife = fc
  .record({
    key: fc.nat(0xffff_ffff),
    openTick: fc.integer({ min: 26_000_000, max: 60_000_000 }),
    ticks: fc.integer({ min: 1, max: 4000 }),
    liquidity: fc.double({ min: 0, max: 600, noNaN: true }),
    categoryKey: fc.nat(0xffff_ffff),
  })
  .map(
    ({ ticks, ...life }): MarketLife => ({
      ...life,
      closeTick: life.openTick + ticks,
      width: 1,
      widthKey: 0,
      fairAt: () => 50,
    }),
  );

function sumOfTicks(life: MarketLife, from: number, to: number): number {
  let sum = 0;
  for (let tick = from; tick < to; tick += 1) sum += quantityAt(life, tick);
  return sum;
}

describe("what is traded", () => {
  test("V1: between two ticks, and within a day, is exactly the sum over the ticks", () => {
    fc.assert(
      fc.property(anyLife, fc.integer({ min: -1500, max: 4500 }), fc.nat(2000), (life, from, ticks) => {
        const start = life.openTick + from;
        expect(tradedBetween(life, start, start + ticks)).toBe(sumOfTicks(life, start, start + ticks));
        expect(dayVolumeAt(life, start)).toBe(sumOfTicks(life, start - 1439, start + 1));
      }),
    );
  });

  test("V2: is never less than nothing, is nothing outside the open time, and something at both ends and in every whole hour", () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const { openTick, closeTick } = life;
        expect(quantityAt(life, openTick - 1)).toBe(0);
        expect(quantityAt(life, closeTick)).toBe(0);
        expect(quantityAt(life, openTick)).toBeGreaterThan(0);
        expect(quantityAt(life, closeTick - 1)).toBeGreaterThan(0);
        for (let tick = openTick; tick < closeTick; tick += 1) {
          const quantity = quantityAt(life, tick);
          expect(Number.isInteger(quantity) && quantity >= 0).toBe(true);
        }
        for (let hour = Math.ceil(openTick / 60) * 60; hour + 60 <= closeTick; hour += 60) {
          expect(tradedBetween(life, hour, hour + 60)).toBeGreaterThan(0);
        }
      }),
    );
  });
});

test("the last trade is the latest tick in which something was traded, and there is none before a market opens", () => {
  const anyTickAfter = fc.oneof(fc.integer({ min: 0, max: 4500 }), fc.constant("the last" as const));
  fc.assert(
    fc.property(anyLife, anyTickAfter, (life, chosen) => {
      const after = chosen === "the last" ? life.closeTick - 1 - life.openTick : chosen;
      const tick = life.openTick + after;
      let latest = tick;
      while (quantityAt(life, latest) === 0) latest -= 1;
      expect(lastTradeTick(life, tick)).toBe(latest);
      expect(lastTradeTick(life, life.openTick - 1 - after)).toBeUndefined();
    }),
  );
});
