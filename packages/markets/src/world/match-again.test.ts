import { expect, test } from "vitest";
import { noon, sampleRow } from "../../test-data/sample-world.ts";
import type { MarketRow } from "../venue/market.ts";
import { matchAgain } from "./match-again.ts";
import { matchMarkets } from "./match-markets.ts";
import { titleReader } from "./title-words.ts";

const row = (venue: string, ticker: string, over: Partial<MarketRow> = {}) =>
  sampleRow({ venue, ticker, title: `Fed cuts rates in ${ticker}`, ...over });
const rows = [row("here", "March"), row("here", "Oslo"), row("there", "March"), row("there", "Oslo")];

const match = (all: readonly MarketRow[]) => matchMarkets(all, titleReader());

function matching() {
  let times = 0;
  const again = matchAgain((all) => {
    times += 1;
    return match(all);
  });
  return { again, times: () => times };
}

test("markets are matched once for as long as only their prices change, and the matches have the prices of now", () => {
  const { again, times } = matching();
  expect(again(rows)).toEqual(match(rows));
  const later = rows.map((one, place) => ({ ...one, bidCents: 10 + place, dayVolume: place, tags: [] }));
  expect(again(later)).toEqual(match(later));
  expect([again(later).length, times()]).toEqual([2, 1]);
});

test.each<[string, readonly MarketRow[]]>([
  ["a title", rows.with(0, row("here", "March", { title: "Rain in Lisbon" }))],
  ["a closing time", rows.with(0, row("here", "March", { closesAt: noon }))],
  ["a ticker", rows.with(0, { ...row("here", "March"), ticker: "A" })],
  ["a venue", rows.with(0, row("elsewhere", "March"))],
  ["which there are", rows.slice(1)],
])("they are matched anew where %s differs", (_, others) => {
  const { again, times } = matching();
  again(rows);
  expect(again(others)).toEqual(match(others));
  expect(times()).toBe(2);
});
