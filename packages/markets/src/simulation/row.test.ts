import { describe, expect, test } from "vitest";
import { openSimulation } from "./open-simulation.ts";
import { tickAt, tickMs } from "./simulated-market.ts";

const dayMs = 86_400_000;
const noon = Date.UTC(2026, 10, 16, 12);
const simulation = openSimulation({ seed: "rows", series: 40 });
const found = simulation
  .openAt(noon)
  .find(({ opensAt, closesAt }) => noon - opensAt > dayMs && closesAt - noon > dayMs);
if (found === undefined) throw new Error("no market is open for long enough");
const market = found;
const { rules: _rules, outcome, ...about } = market;
const nothing = { bidCents: null, askCents: null, lastCents: null, dayAgoCents: null, dayVolume: 0 };

/** By the candles of its 1440 ticks, of which the last is the one that is under way. */
function tradedInTheDayTo(at: number): number {
  const to = (tickAt(at) + 1) * tickMs;
  const candles = simulation.candles(market, { interval: "1m", from: to - dayMs, to });
  return candles.reduce((sum, { volume }) => sum + volume, 0);
}

describe("the row of a market", () => {
  test("is its quote, its last price a day earlier and the day's volume while it is open, and not its outcome", () => {
    expect(simulation.rowOf(market, noon)).toEqual({
      ...about,
      ...simulation.quoteAt(market, tickAt(noon)),
      dayAgoCents: simulation.quoteAt(market, tickAt(noon) - 1440)?.lastCents,
      dayVolume: tradedInTheDayTo(noon),
      status: "open",
    });
  });

  test("has no price of a day earlier on its first day", () => {
    expect(simulation.rowOf(market, market.opensAt + dayMs - 1).dayAgoCents).toBeNull();
    expect(simulation.rowOf(market, market.opensAt + dayMs).dayAgoCents).toEqual(expect.any(Number));
  });

  test("says nothing of a market that has yet to open", () => {
    expect(simulation.rowOf(market, market.opensAt - 1)).toEqual({
      ...about,
      ...nothing,
      status: "upcoming",
    });
  });

  test("says the last price and the outcome once the market has closed", () => {
    const { lastCents } = simulation.quoteAt(market, tickAt(market.closesAt) - 1) ?? {};
    expect(simulation.rowOf(market, market.closesAt)).toEqual({
      ...about,
      ...nothing,
      lastCents,
      dayAgoCents: simulation.quoteAt(market, tickAt(market.closesAt) - 1440)?.lastCents,
      dayVolume: tradedInTheDayTo(market.closesAt),
      status: "settled",
      outcome,
    });
    expect(simulation.rowOf(market, market.closesAt + 2 * dayMs)).toEqual({
      ...about,
      ...nothing,
      lastCents,
      status: "settled",
      outcome,
    });
  });
});

test("the rows of a time are those of the markets open then, and are computed once in a tick", () => {
  const rows = simulation.rowsAt(noon);
  expect(rows).toEqual(simulation.openAt(noon).map((each) => simulation.rowOf(each, noon)));
  expect(simulation.rowsAt(noon + 59_999)).toBe(rows);
  expect(simulation.rowsAt(noon + 60_000)).not.toBe(rows);
  expect(rows.filter((row) => "outcome" in row || !row.synthetic || row.status !== "open")).toEqual([]);
});
