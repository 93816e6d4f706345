import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fraction, mix, mixText, valueNoise } from "./noise.ts";

test("mixing gives the same 32 bits on every machine", () => {
  expect([mix(0, 0), mix(1, 2), mix(-1, 2 ** 31), mixText(7, ""), mixText(7, "São Paulo")]).toEqual([
    0, 232_174_035, 4_190_899_880, 415_870_660, 2_419_616_757,
  ]);
});

test("every bit of what is mixed matters to about half of the bits of the result", () => {
  fc.assert(
    fc.property(fc.nat(0xffff_ffff), fc.nat(0xffff_ffff), fc.nat(31), (a, b, bit) => {
      expect(mix(a, b)).not.toBe(mix(a, (b ^ (1 << bit)) >>> 0));
      expect(mix(a, b)).not.toBe(mix((a ^ (1 << bit)) >>> 0, b));
    }),
  );
  const flipped = Array.from({ length: 2000 }, (_, a) => (mix(a, 5) ^ mix(a, 4)) >>> 0);
  const bits = flipped.map((value) => value.toString(2).replaceAll("0", "").length);
  const mean = bits.reduce((sum, count) => sum + count, 0) / bits.length;
  expect(Math.abs(mean - 16)).toBeLessThan(0.5);
});

test("noise stays between -1 and 1 and takes no leaps", () => {
  fc.assert(
    fc.property(
      fc.nat(0xffff_ffff),
      fc.nat(60_000_000),
      fc.integer({ min: 2, max: 40_000 }),
      (key, tick, period) => {
        const here = valueNoise(key, tick, period);
        expect(Math.abs(here)).toBeLessThanOrEqual(1);
        expect(Math.abs(valueNoise(key, tick + 1, period) - here)).toBeLessThanOrEqual(3.01 / period);
      },
    ),
  );
  expect([fraction(0), fraction(0xffff_ffff) < 1]).toEqual([0, true]);
});
