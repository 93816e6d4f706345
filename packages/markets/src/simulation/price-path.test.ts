import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MarketRow } from "../venue/market.ts";
import { openSimulation, type Simulation } from "./open-simulation.ts";
import { type SimulatedMarket, tickAt, tickMs } from "./simulated-market.ts";

const anyTick = fc.integer({ min: tickAt(Date.UTC(2020, 0, 1)), max: tickAt(Date.UTC(2099, 8, 1)) });

function threshold({ ticker }: SimulatedMarket): number {
  return Number(ticker.slice(ticker.lastIndexOf("T") + 1).replace("P", "."));
}

/** The strikes of each event, from the lowest. */
function eventsOf(open: readonly SimulatedMarket[]): readonly (readonly SimulatedMarket[])[] {
  return [...Map.groupBy(open, ({ event }) => event).values()].map((strikes) =>
    strikes.toSorted((a, b) => threshold(a) - threshold(b)),
  );
}

function midOf(simulation: Simulation, market: SimulatedMarket, tick: number): number {
  const quote = simulation.quoteAt(market, tick);
  return quote === undefined ? Number.NaN : (quote.bidCents + quote.askCents) / 2;
}

describe("the strikes of an event", () => {
  test("P1: two to six, none dearer than a lower one, and their outcomes agree with each other", () => {
    fc.assert(
      fc.property(
        fc.string(),
        anyTick,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (seed, tick, along) => {
          const simulation = openSimulation({ seed, series: 40 });
          for (const strikes of eventsOf(simulation.openAt(tick * tickMs))) {
            expect(strikes.length >= 2 && strikes.length <= 6).toBe(true);
            const { opensAt = 0, closesAt = 0 } = strikes[0] ?? {};
            for (const at of [tick, tickAt(opensAt + (closesAt - opensAt) * along), tickAt(closesAt) - 1]) {
              const mids = strikes.map((market) => midOf(simulation, market, at));
              expect(mids).toEqual(mids.toSorted((a, b) => b - a));
            }
            const outcomes = strikes.map(({ outcome }) => outcome);
            expect(outcomes).toEqual(outcomes.toSorted().toReversed());
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test("P3: are at 90 or more, or at 10 or less, at the last tick, as they then settle", () => {
    fc.assert(
      fc.property(fc.string(), anyTick, (seed, tick) => {
        const simulation = openSimulation({ seed, series: 40 });
        for (const market of simulation.openAt(tick * tickMs)) {
          const quote = simulation.quoteAt(market, tickAt(market.closesAt) - 1);
          const prices = [quote?.bidCents ?? 50, quote?.askCents ?? 50, quote?.lastCents ?? 50];
          expect(prices.every((cents) => (market.outcome === "yes" ? cents >= 90 : cents <= 10))).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("over many markets", () => {
  const simulation = openSimulation({ seed: "many markets" });
  const noon = Date.UTC(2026, 10, 16, 12);

  test("P2: of those at a price, about as many of a hundred end yes as the price says", () => {
    const months = Array.from({ length: 36 }, (_, month) =>
      simulation.openAt(Date.UTC(2023, month, 1)),
    ).flat();
    for (const along of [0.3, 0.89]) {
      const tenths = Map.groupBy(months, (market) => {
        const tick = tickAt(market.opensAt + (market.closesAt - market.opensAt) * along);
        return Math.floor(midOf(simulation, market, tick) / 10);
      });
      const far = [...tenths].filter(([tenth, markets]) => {
        const yes = markets.filter(({ outcome }) => outcome === "yes").length;
        return Math.abs((100 * yes) / markets.length - (tenth * 10 + 5)) > 10;
      });
      expect(far.map(([tenth]) => tenth)).toEqual([]);
      expect(tenths.size).toBe(10);
    }
  });

  test("most move by a few cents in a day, some hardly at all, and some by twenty or more", () => {
    const moves = simulation
      .rowsAt(noon)
      .filter(({ dayAgoCents }) => dayAgoCents !== null)
      .map(({ lastCents, dayAgoCents }) => Math.abs((lastCents ?? 0) - (dayAgoCents ?? 0)));
    const share = (from: number, to: number) =>
      moves.filter((cents) => cents >= from && cents < to).length / moves.length;
    expect(share(0, 2)).toBeGreaterThan(0.1);
    expect(share(2, 20)).toBeGreaterThan(0.5);
    expect(share(20, 100)).toBeGreaterThan(0.02);
  });

  test.each(["category", "region"] as const)(
    "news now and then moves most of a %s the same way at once",
    (group) => {
      const days = Array.from({ length: 40 }, (_, day) => simulation.rowsAt(noon + day * 86_400_000));
      const shares = days.flatMap((rows) =>
        [...Map.groupBy(rows, (row) => row[group]).values()].map(shareThatRose),
      );
      const together = shares.filter((up) => up > 0.68 || up < 0.32).length / shares.length;
      expect(together).toBeGreaterThan(0.06);
      expect(together).toBeLessThan(0.4);
    },
  );
});

function shareThatRose(rows: readonly MarketRow[]): number {
  const moved = rows.filter((row) => row.dayAgoCents !== null && row.dayAgoCents !== row.lastCents);
  return moved.filter((row) => (row.lastCents ?? 0) > (row.dayAgoCents ?? 0)).length / moved.length;
}
