import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { day, noon, sampleRow } from "../../test-data/sample-world.ts";
import type { MarketRow } from "../venue/market.ts";
import { choosePairs, gapsOf } from "./cross-venue-pairs.ts";
import { matchMarkets } from "./match-markets.ts";
import { titleReader } from "./title-words.ts";

const match = (rows: readonly MarketRow[]) => matchMarkets(rows, titleReader());

const here = (ticker: string, title: string, over: Partial<MarketRow> = {}) =>
  sampleRow({ venue: "here", ticker, title, ...over });
const there = (ticker: string, title: string, over: Partial<MarketRow> = {}) =>
  sampleRow({ venue: "there", ticker, title, ...over });

const named = (rows: readonly MarketRow[]) =>
  match(rows).map(({ a, b, similarity }) => [a.ticker, b.ticker, similarity]);

describe("markets of different venues about the same thing", () => {
  test("are found by their words, in whatever order and case", () => {
    const rows = [
      here("R", "Will the Fed cut rates in March?"),
      here("L", "Will it rain in Lisbon?"),
      there("X", "FED to CUT rates: March"),
      there("Y", "Snow in Oslo"),
    ];
    expect(named(rows)).toEqual([["R", "X", 1]]);
  });

  test("are none where a number differs, however alike they sound", () => {
    const rows = [
      here("100", "Bitcoin above 100 thousand on 31 March"),
      here("120", "Bitcoin above 120 thousand on 31 March"),
      there("120", "Will Bitcoin be above 120 thousand on 31 March?"),
      there("130", "Will Bitcoin be above 130 thousand on 31 March?"),
    ];
    expect(named(rows)).toEqual([["120", "120", 1]]);
  });

  test("are found across the ways in which venues write them", () => {
    const rows = [
      here("FED", "Will the Fed cut rates by 25bps in December 2026?"),
      here("BTC", "Bitcoin above $100k on Dec 31"),
      here("GDP", "Will US GDP growth be above 2.5% in Q3?"),
      there("1", "Fed rate cut of 25 bps in December?"),
      there("2", "Will Bitcoin be above $100,000 on December 31, 2026?"),
      there("3", "Will Bitcoin be above $120,000 on December 31, 2026?"),
      there("4", "US GDP growth above 3.5% in Q3"),
    ];
    expect(named(rows).map(([a, b]) => [a, b])).toEqual([
      ["FED", "1"],
      ["BTC", "2"],
    ]);
  });

  test("are less alike the further apart they close", () => {
    const rows = [here("A", "Fed cuts"), there("B", "Fed cuts", { closesAt: noon + 14 * day })];
    expect(named(rows)).toEqual([["A", "B", 0.9]]);
  });

  test("are none where a title says nothing, and such a title is in nobody's way", () => {
    const rows = [
      here("A", "?"),
      here("B", "Will it be?"),
      here("C", "Fed cuts"),
      here("D", "Fed cuts rates"),
      there("A", ""),
      there("C", "Fed cuts"),
      there("E", "…"),
    ];
    expect(named(rows)).toEqual([["C", "C", 1]]);
  });

  test("are never two of one venue, and each is taken once", () => {
    const rows = [
      here("A", "Fed cuts rates"),
      here("B", "Fed cuts rates"),
      there("C", "Fed cuts rates"),
      sampleRow({ venue: "third", ticker: "D", title: "Fed cuts rates" }),
    ];
    expect(named(rows)).toEqual([
      ["A", "C", 1],
      ["A", "D", 1],
      ["C", "D", 1],
    ]);
  });

  test("are not looked for behind a word that very many have", () => {
    const rows = Array.from({ length: 40 }, (_, place) => [
      here(`A${place}`, "election"),
      there(`B${place}`, "election"),
    ]).flat();
    expect(named(rows)).toEqual([]);
  });

  test("are found where no word is rare, by what they share together", () => {
    const numbers = Array.from({ length: 9 }, (_, place) => place + 1);
    const cities = ["Oslo", "Rome", "Lima", "Cairo", "Delhi", "Quito", "Paris", "Dublin", "Boston"];
    const rows = cities.flatMap((city) =>
      numbers.flatMap((degrees) =>
        numbers.flatMap((night) => [
          here(`${city}-${degrees}-${night}`, `Will ${city} be above ${degrees} degrees on night ${night}0?`),
          there(`${city}-${degrees}-${night}`, `Night ${night}0: ${city} above ${degrees} degrees`),
        ]),
      ),
    );
    const matches = match(rows);
    expect(matches).toHaveLength(729);
    expect(matches.filter(({ a, b }) => a.ticker !== b.ticker)).toEqual([]);
  });

  test("are the same for the same rows in any order", () => {
    const title = fc.constantFrom("Fed cuts rates", "Fed cuts", "rain in Lisbon", "Lisbon rain in 2026");
    const venue = fc.constantFrom("here", "there", "third");
    const alike = fc.record({ venue, ticker: fc.constantFrom("A", "B", "C", "D", "E", "F"), title });
    const rows = fc
      .uniqueArray(alike, { maxLength: 18, selector: (row) => row.venue + row.ticker })
      .map((names) => names.map((name) => sampleRow(name)));
    const shuffled = rows.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, others]) => {
        expect(match(others)).toEqual(match(all));
      }),
    );
  });
});

test("long titles are compared by their first words alone, so that comparing them ends", () => {
  const words = Array.from({ length: 50 }, (_, place) => `long${place}`).join(" ");
  const rows = [here("A", `${words} in one case`), there("B", `${words} but another one on 7 May`)];
  expect(named(rows)).toEqual([["A", "B", 1]]);
});

describe("the gap between two venues", () => {
  const rows = [
    here("A", "Fed cuts rates", { bidCents: 40, askCents: 42 }),
    there("A", "Fed cuts rates", { bidCents: 47, askCents: 50 }),
    here("B", "Rain in Lisbon", { bidCents: 40, askCents: 44 }),
    there("B", "Rain in Lisbon", { bidCents: 43, askCents: 47 }),
    here("C", "Snow in Oslo", { bidCents: null }),
    there("C", "Snow in Oslo", { askCents: null, bidCents: 43 }),
  ];
  const matches = match(rows);
  const shown = (filter: Parameters<typeof choosePairs>[1]) =>
    choosePairs(matches, filter).map(({ a, gapCents, cheaper }) => [a.ticker, gapCents, cheaper]);

  test("is what is left after both spreads, the widest first, with where it is bought", () => {
    expect(shown({ limit: 10 })).toEqual([
      ["A", 5, "here"],
      ["C", 1, "here"],
      ["B", 0, undefined],
    ]);
    expect(shown({ minGapCents: 1, limit: 1 })).toEqual([["A", 5, "here"]]);
    expect(shown({ minSimilarity: 1, minGapCents: 6, limit: 10 })).toEqual([]);
  });

  test("for the index is between the middles of both books, where both have two sides", () => {
    expect(gapsOf(matches)).toEqual([7.5, 3]);
  });
});
