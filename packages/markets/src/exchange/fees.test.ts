import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FeeCount } from "./fees.ts";

const price = fc.integer({ min: 1, max: 99 });
const fills = fc.array(fc.tuple(price, fc.integer({ min: 1, max: 1_000_000 })), {
  minLength: 1,
  maxLength: 30,
});

function feesOf(some: readonly (readonly [number, number])[]): number[] {
  const count = new FeeCount();
  return some.map(([priceCents, quantity]) => count.add(priceCents, quantity));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

describe("fees", () => {
  test.each([
    [50, 1, 2],
    [50, 100, 175],
    [1, 1, 1],
    [99, 1, 1],
    [1, 100, 7],
    [10, 100, 63],
    [90, 100, 63],
    [50, 1_000_000, 1_750_000],
  ])("at %i cents for %i contracts are %i cents", (priceCents, quantity, fee) => {
    expect(feesOf([[priceCents, quantity]])).toStrictEqual([fee]);
  });

  test("are rounded up once for an order, however many fills there are", () => {
    fc.assert(
      fc.property(fills, (some) => {
        const exact = some.reduce((total, [p, q]) => total + 7n * BigInt(q * p * (100 - p)), 0n);
        expect(sum(feesOf(some))).toBe(Number((exact + 9999n) / 10_000n));
      }),
    );
  });

  test("are the same for one fill as for its parts", () => {
    expect(sum(feesOf(Array.from({ length: 100 }, () => [50, 1] as const)))).toBe(175);
    expect(feesOf([[50, 100]])).toStrictEqual([175]);
  });

  test("of a fill are never less than nothing, nor more than what is at stake on either side of it", () => {
    fc.assert(
      fc.property(fills, (some) => {
        for (const [index, fee] of feesOf(some).entries()) {
          const [p, q] = some[index] ?? [0, 0];
          expect(fee).toBeGreaterThanOrEqual(0);
          expect(fee).toBeLessThanOrEqual(q * Math.min(p, 100 - p));
          expect(Number.isSafeInteger(fee)).toBe(true);
        }
      }),
    );
  });

  test("are dearest at 50, and the same as far above it as below", () => {
    fc.assert(
      fc.property(price, fc.integer({ min: 1, max: 1_000_000 }), (p, q) => {
        expect(feesOf([[p, q]])).toStrictEqual(feesOf([[100 - p, q]]));
        expect(feesOf([[p, q]])[0]).toBeLessThanOrEqual(feesOf([[50, q]])[0] ?? 0);
      }),
    );
  });
});
