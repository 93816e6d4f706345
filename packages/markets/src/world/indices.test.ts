import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyRows, sampleRows } from "../../test-data/sample-world.ts";
import { activityOf, breadthOf, disagreementOf } from "./indices.ts";

describe("disagreement", () => {
  test("is the mean spread as a share of the dearer side", () => {
    // 4 of 50 and 2 of 80: 8 % and 2.5 %.
    const rows = sampleRows({ bidCents: 48, askCents: 52 }, { bidCents: 79, askCents: 81 });
    expect(disagreementOf(rows, [])).toBe(5.3);
  });

  test("is half of that and half of the cents between venues, where there are two", () => {
    expect(disagreementOf(sampleRows({ bidCents: 48, askCents: 52 }), [4, 8])).toBe(7);
  });

  test("does not count a crossed book as less than none", () => {
    const crossed = { bidCents: 60, askCents: 40 };
    expect(disagreementOf(sampleRows(crossed, { bidCents: 48, askCents: 52 }), [])).toBe(4);
  });

  test("leaves out books with one side, and is 0 without any", () => {
    expect(disagreementOf(sampleRows({ bidCents: null }, { askCents: null }), [])).toBe(0);
  });
});

test("breadth is the share of moving markets that go up, and 50 where none moves", () => {
  const moves = [44, 45, 46, 30].map((lastCents) => ({ lastCents, dayAgoCents: 41 }));
  expect(breadthOf(sampleRows(...moves, {}, { dayAgoCents: null }))).toBe(75);
  expect(breadthOf(sampleRows({}))).toBe(50);
  expect(breadthOf([])).toBe(50);
});

test("activity is 50 at the usual volume a market, 75 at three times it, and unknown where nobody knows the usual", () => {
  const rows = sampleRows({ dayVolume: 200 }, { dayVolume: 400 });
  expect([300, 100, 900, 0, undefined].map((usual) => activityOf(rows, usual))).toEqual([
    50,
    75,
    25,
    100,
    null,
  ]);
  expect(activityOf(sampleRows({ dayVolume: 0 }), 0)).toBe(50);
  expect(activityOf([], 10)).toBe(null);
});

test("for any rows each index is a number from 0 to 100 with at most one decimal", () => {
  const usual = fc.option(fc.double({ min: 0, max: 1e15, noNaN: true }), { nil: undefined });
  fc.assert(
    fc.property(anyRows, fc.array(fc.integer({ min: 0, max: 98 })), usual, (rows, gaps, normal) => {
      const values = [disagreementOf(rows, gaps), breadthOf(rows), activityOf(rows, normal) ?? 50];
      for (const value of values) {
        expect(value >= 0 && value <= 100).toBe(true);
        expect(Math.round(value * 10) / 10).toBe(value);
      }
    }),
  );
});
