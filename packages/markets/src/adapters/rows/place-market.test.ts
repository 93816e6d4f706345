import { expect, test } from "vitest";
import { placeMarket } from "./place-market.ts";

test.each([
  ["Will the US unemployment rate be above 4%?", undefined, [], "economics", "us"],
  ["Will it let us down?", undefined, [], "other", "global"],
  ["High in London on 17 Nov: temperature above 12°?", undefined, [], "weather", "europe"],
  ["Lakers vs. Celtics", undefined, ["Sports", "NBA"], "sports", "us"],
  ["Bitcoin above 100k?", undefined, [], "crypto", "global"],
  ["Who will win?", "Elections", [], "politics", "global"],
  ["Will Apple release it?", "Climate and Weather", [], "weather", "global"],
  ["Next president of Brazil", undefined, [], "politics", "latin-america"],
  ["Best of 1 in 2026", undefined, [], "other", "global"],
])("%s (%s, %j) is %s, %s", (title, category, labels, expectedCategory, expectedRegion) => {
  const placed = placeMarket(title, category, labels);
  expect([placed.category, placed.region]).toEqual([expectedCategory, expectedRegion]);
});

test("labels become tags, each once", () => {
  expect(placeMarket("x", undefined, ["Fed Rates", "fed rates", "⚡", "a".repeat(99)]).tags).toEqual([
    "fed-rates",
    "a".repeat(40),
  ]);
});
