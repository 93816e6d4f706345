import { expect, test } from "vitest";
import { readDecimal } from "../fields/decimal.ts";
import { bestOf, depthOf, type VenueLevel } from "./depth-of.ts";

const level = (dollars: string, quantity: number): VenueLevel => [
  readDecimal(dollars) ?? expect.fail(),
  quantity,
];

test("a book is best first in whole cents, a bid rounded down and an ask up, with what meets at a cent added up", () => {
  const depth = depthOf(
    [level("0.54", 3), level("0.565", 1), level("0.56", 2), level("0.004", 9), level("0.5", 0)],
    [level("0.999", 9), level("0.575", 4), level("0.58", 5), level("0.571", 6)],
  );
  expect(depth).toEqual({
    bids: [
      { priceCents: 56, quantity: 3 },
      { priceCents: 54, quantity: 3 },
    ],
    asks: [{ priceCents: 58, quantity: 15 }],
  });
  expect(bestOf(depth)).toEqual({ bidCents: 56, askCents: 58 });
});

test("an empty book has no best price", () => {
  expect(bestOf(depthOf([], []))).toEqual({ bidCents: null, askCents: null });
});
