import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Candle, type Interval, intervalMs, intervals } from "../venue/market.ts";
import { mostCandles } from "../venue/venue-reader.ts";
import { openSimulation, type Simulation } from "./open-simulation.ts";
import { type SimulatedMarket, tickAt, tickMs } from "./simulated-market.ts";

const noon = Date.UTC(2026, 10, 16, 12);
const simulation = openSimulation({ seed: "candles", series: 40 });
const markets = simulation.openAt(noon);
const anyMarket = fc
  .nat(markets.length - 1)
  .map((at) => markets[at])
  .filter((market) => market !== undefined);

/** The same from the orders alone, the long way. */
function fromOrders(of: Simulation, market: SimulatedMarket, at: number, until: number): Candle {
  const trades: { readonly price: number; readonly quantity: number }[] = [];
  for (let tick = tickAt(at); tick * tickMs < until; tick += 1) {
    const { taker } = of.ordersAt(market, tick);
    if (taker !== undefined) trades.push({ price: taker.priceCents, quantity: taker.quantity });
  }
  const openCents = of.quoteAt(market, tickAt(at) - 1)?.lastCents ?? trades[0]?.price ?? 0;
  const prices = [openCents, ...trades.map(({ price }) => price)];
  return {
    at,
    openCents,
    highCents: Math.max(...prices),
    lowCents: Math.min(...prices),
    closeCents: prices.at(-1) ?? 0,
    volume: trades.reduce((sum, { quantity }) => sum + quantity, 0),
  };
}

describe("candles", () => {
  test("are the takers' trades by interval, opening at the last price before", () => {
    fc.assert(
      fc.property(anyMarket, fc.constantFrom(...intervals), fc.nat(1440), (market, interval, minutes) => {
        const span = intervalMs[interval];
        const from = market.opensAt + minutes * 60_000;
        const to = Math.floor(from / span) * span + 3 * span;
        const starts = [0, 1, 2].map((at) => Math.floor(from / span) * span + at * span);
        expect(simulation.candles(market, { interval, from, to })).toEqual(
          starts
            .filter((at) => at < market.closesAt && at + span > market.opensAt)
            .map((at) => fromOrders(simulation, market, at, at + span)),
        );
      }),
      { numRuns: 60 },
    );
  });

  test("do not know what is traded at the end of the range or later", () => {
    const market = longest();
    const to = market.opensAt + 86_400_000 + 5_000_000;
    const last = simulation.candles(market, { interval: "1d", from: market.opensAt, to }).at(-1);
    expect(last).toEqual(fromOrders(simulation, market, last?.at ?? 0, to));
    expect(last?.at).toBe(Math.floor(to / 86_400_000) * 86_400_000);
  });

  test("stay where they are, with nothing traded, while nobody trades", () => {
    const quiet = markets
      .flatMap((market) => simulation.candles(market, { interval: "1m", from: noon, to: noon + 1_800_000 }))
      .filter(({ volume }) => volume === 0);
    expect(quiet.length).toBeGreaterThan(0);
    for (const { openCents, highCents, lowCents, closeCents } of quiet) {
      expect([highCents, lowCents, closeCents]).toEqual([openCents, openCents, openCents]);
    }
  });

  test("cover the open time and no more, without a gap, and end at the last price", () => {
    fc.assert(
      fc.property(anyMarket, (market) => {
        const days = simulation.candles(market, { interval: "1d", from: 0, to: Date.UTC(2100, 0, 1) });
        const starts = days.map(({ at }) => at);
        expect([starts[0], starts.at(-1)]).toEqual([dayOf(market.opensAt), dayOf(market.closesAt - 1)]);
        expect(starts.slice(1)).toEqual(starts.slice(0, -1).map((at) => at + 86_400_000));
        expect(days.at(-1)?.closeCents).toBe(simulation.rowOf(market, market.closesAt).lastCents);
      }),
      { numRuns: 10 },
    );
  });

  test("are the first 1500 of a longer range, and none of an empty one", () => {
    const market = longest();
    const of = (interval: Interval, from: number, to: number) =>
      simulation.candles(market, { interval, from, to });
    const many = of("1m", market.opensAt, market.closesAt);
    expect([many.length, many[0]?.at]).toEqual([mostCandles, market.opensAt]);
    expect(of("1h", noon, noon)).toEqual([]);
    expect(of("1h", noon, noon - 1)).toEqual([]);
    expect(of("1h", 0, market.opensAt - 3_600_000)).toEqual([]);
    expect(of("1h", market.closesAt + 3_600_000, Infinity)).toEqual([]);
  });
});

function longest(): SimulatedMarket {
  const market = markets.toSorted((a, b) => b.closesAt - b.opensAt - (a.closesAt - a.opensAt))[0];
  if (market === undefined) throw new Error("no market is open");
  return market;
}

function dayOf(ms: number): number {
  return Math.floor(ms / 86_400_000) * 86_400_000;
}
