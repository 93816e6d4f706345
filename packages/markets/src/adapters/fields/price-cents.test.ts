import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareDecimals, overHundred, readDecimal, subtract, wholeOf } from "./decimal.ts";
import { priceCents } from "./price-cents.ts";

const cents = (written: string | number) => {
  const dollars = readDecimal(written);
  return [priceCents(dollars, "down"), priceCents(dollars, "up"), priceCents(dollars, "nearest")];
};

test.each([
  ["0.5600", [56, 56, 56]],
  [0.57, [57, 57, 57]],
  [0.29, [29, 29, 29]],
  ["0.565", [56, 57, 56]],
  ["0.575", [57, 58, 58]],
  ["0.5650000000000000000000000000000001", [56, 57, 57]],
  [0.004, [null, 1, 1]],
  [1e-7, [null, 1, 1]],
  ["0.999", [99, null, 99]],
  ["0.0000", [null, null, null]],
  ["1.0000", [null, null, null]],
  [1, [null, null, null]],
])("%j dollars as bid, ask and last price are %j cents", (written, expected) => {
  expect(cents(written)).toEqual(expected);
});

test("no price is null", () => {
  expect(priceCents(undefined, "down")).toBeNull();
});

test("every cent and every hundredth of one comes through without drift, from text and from number", () => {
  const wrong: unknown[] = [];
  for (let units = 1; units < 10_000; units++) {
    const text = `0.${String(units).padStart(4, "0")}`;
    const down = Math.floor(units / 100);
    const up = Math.ceil(units / 100);
    const expected = [down === 0 ? null : down, up === 100 ? null : up];
    for (const written of [text, Number(text)]) {
      const [bid, ask] = cents(written);
      if (bid !== expected[0] || ask !== expected[1]) wrong.push({ written, bid, ask });
    }
  }
  expect(wrong).toEqual([]);
});

const isPrice = (one: number | null) => one === null || (Number.isInteger(one) && one >= 1 && one <= 99);

test("any price is null or a whole cent from 1 to 99, and a bid never passes its ask", () => {
  const price = fc.oneof(fc.double(), fc.float(), fc.string(), fc.stringMatching(/^-?\d{1,3}\.\d{1,50}$/));
  fc.assert(
    fc.property(price, (written) => {
      const [down, up, nearest] = cents(written) as [number | null, number | null, number | null];
      const isApart = down !== null && up !== null && up - down !== 0 && up - down !== 1;
      expect([isPrice(down), isPrice(up), isPrice(nearest), isApart]).toEqual([true, true, true, false]);
    }),
    { numRuns: 500 },
  );
});

describe("a decimal", () => {
  test.each([
    "",
    " 1",
    "1 ",
    "1.",
    ".5",
    "0x10",
    "NaN",
    "Infinity",
    "1e999",
    "--1",
    "1,5",
    "١",
    `1${"0".repeat(40)}`,
  ])("is not %j", (text) => {
    expect(readDecimal(text)).toBeUndefined();
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("is not %d", (number) => {
    expect(readDecimal(number)).toBeUndefined();
  });

  test("keeps its sign through a subtraction", () => {
    const [last, change] = [readDecimal("0.335"), readDecimal(-0.045)];
    if (last === undefined || change === undefined) throw new Error("both are decimals");
    expect(subtract(last, change)).toEqual({ digits: 380n, scale: 3 });
    expect(compareDecimals(change, last)).toBe(-1);
  });

  test("takes its exponent into account", () => {
    expect([readDecimal("1.5e3"), readDecimal("15e-1")]).toEqual([
      { digits: 1500n, scale: 0 },
      { digits: 15n, scale: 1 },
    ]);
  });

  test("in cents is a hundredth of itself in dollars", () => {
    expect(wholeOf(overHundred({ digits: 5650n, scale: 0 }), "nearest")).toBe(56);
  });
});
