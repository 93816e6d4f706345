import { expect, test } from "vitest";
import { openSimulation } from "../open-simulation.ts";
import { categories } from "./categories.ts";
import { listSeries } from "./series.ts";
import { tickerNumber, writeThreshold } from "./threshold.ts";

const noon = Date.UTC(2026, 10, 16, 12);
const open = openSimulation({ seed: "catalogue" }).openAt(noon);

test("there are eight categories with several templates each, and seven regions, all of them with markets", () => {
  expect(categories.map(({ name, templates }) => [name, templates.length])).toEqual([
    ["economics", 5],
    ["politics", 5],
    ["crypto", 5],
    ["weather", 5],
    ["sports", 5],
    ["technology", 5],
    ["science", 5],
    ["culture", 5],
  ]);
  const regions = ["africa", "asia", "europe", "global", "latin-america", "middle-east", "us"];
  expect([...new Set(open.map(({ region }) => region))].toSorted()).toEqual(regions);
  const counts = Map.groupBy(open, ({ category }) => category);
  expect([...counts.values()].filter((markets) => markets.length < 250)).toEqual([]);
  const byRegion = Map.groupBy(open, ({ region }) => region);
  expect([...byRegion.values()].filter((markets) => markets.length < 200)).toEqual([]);
});

test("no two templates share a code, and no two subjects of a kind", () => {
  const templates = categories.flatMap((category) => category.templates);
  expect(new Set(templates.map(({ code }) => code)).size).toBe(templates.length);
  const kinds = [...new Set(templates.map(({ kind }) => kind))];
  for (const { subjects } of kinds)
    expect(new Set(subjects.map(({ code }) => code)).size).toBe(subjects.length);
  const codes = listSeries(1, 25_000).map(({ code }) => code);
  expect(new Set(codes).size).toBe(25_000);
});

test("a market reads like a question, and its rules say how it settles and that it is simulated", () => {
  for (const { title, rules, tags, category, event, ticker, synthetic, venue } of open) {
    expect(title).toMatch(/^Will .+ \d{1,2} [A-Z][a-z]{2} 20\d\d\?$/);
    expect(title).not.toMatch(/undefined|NaN|-\d|[^\d.,]0(?:\.0+)?[ %]|  /);
    expect(rules).toMatch(
      /^This market pays yes if [^?]+, and no otherwise\. [^.]+ the market is simulated\.$/,
    );
    expect(tags[0]).toBe(category);
    expect(tags.filter((tag) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(tag))).toEqual([]);
    expect([ticker.startsWith(`${event}-T`), synthetic, venue]).toEqual([true, true, "embedded"]);
  }
  const high = open.find(({ ticker }) => ticker.startsWith("WXHIGH-LIS-26NOV"));
  expect(high).toBeDefined();
  expect(high?.title).toMatch(/^Will the high in Lisbon be above \d\d °C on 1[678] Nov 2026\?$/);
});

test("markets of every cadence are open, for as long as it says", () => {
  expect([days("daily"), days("weekly")]).toEqual([
    [2, 2],
    [7, 7],
  ]);
  expect(days("monthly").every((length) => length >= 28 && length <= 31)).toBe(true);
  expect(days("quarterly").every((length) => length >= 90 && length <= 92)).toBe(true);
});

test("a threshold is written as people and as tickers have it", () => {
  const template = categories[0]?.templates[0];
  if (template === undefined) throw new Error("there is no template");
  const money = { ...template, decimals: 2, prefix: "$", suffix: "" };
  const whole = { ...template, decimals: 0, prefix: "", suffix: " mm" };
  expect(
    [6_400_000, 48, 5, 123_456_789].map((value) => [
      writeThreshold(value, money),
      tickerNumber(value, money),
    ]),
  ).toEqual([
    ["$64,000.00", "64000P00"],
    ["$0.48", "0P48"],
    ["$0.05", "0P05"],
    ["$1,234,567.89", "1234567P89"],
  ]);
  expect([22, 18_000].map((value) => [writeThreshold(value, whole), tickerNumber(value, whole)])).toEqual([
    ["22 mm", "22"],
    ["18,000 mm", "18000"],
  ]);
});

/** The shortest and the longest life of the open markets of a cadence. */
function days(cadence: string): readonly number[] {
  const lives = open
    .filter(({ tags }) => tags.includes(cadence))
    .map((each) => (each.closesAt - each.opensAt) / 86_400_000);
  return [Math.min(...lives), Math.max(...lives)];
}
