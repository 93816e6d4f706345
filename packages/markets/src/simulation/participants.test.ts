import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openSimulation, type Simulation } from "./open-simulation.ts";
import { depthOf, ordersOf, quoteOf } from "./participants.ts";
import { type SimulatedMarket, tickAt } from "./simulated-market.ts";

const anyTick = fc.integer({ min: tickAt(Date.UTC(2020, 0, 1)), max: tickAt(Date.UTC(2099, 8, 1)) });

function forAnyTick(
  holds: (simulation: Simulation, open: readonly SimulatedMarket[], tick: number) => void,
): void {
  fc.assert(
    fc.property(fc.string(), anyTick, (seed, tick) => {
      const simulation = openSimulation({ seed, series: 40 });
      holds(simulation, simulation.openAt(tick * 60_000), tick);
    }),
    { numRuns: 40 },
  );
}

describe("the orders of a tick", () => {
  test("never cross, come best first, and are whole prices from 1 to 99 of at least one contract", () => {
    forAnyTick((simulation, open, tick) => {
      for (const market of open) {
        const { quotes, taker } = simulation.ordersAt(market, tick);
        const bids = quotes.filter(({ side }) => side === "bid");
        const asks = quotes.filter(({ side }) => side === "ask");
        const prices = [...bids.toReversed(), ...asks].map(({ priceCents }) => priceCents);
        expect(prices).toEqual([...new Set(prices)].toSorted((a, b) => a - b));
        expect(quotes).toEqual([...bids, ...asks]);
        expect(bids.length > 0 && asks.length > 0 && quotes.length <= 10).toBe(true);
        const all = taker === undefined ? quotes : [...quotes, taker];
        expect(all.every(({ priceCents }) => priceCents >= 1 && priceCents <= 99)).toBe(true);
        expect(
          all.every(({ priceCents, quantity }) => Number.isInteger(priceCents) && Number.isInteger(quantity)),
        ).toBe(true);
        expect(all.every(({ quantity }) => quantity >= 1)).toBe(true);
      }
    });
  });

  test("let the taker have all it wants at the best price of the other side", () => {
    forAnyTick((simulation, open, tick) => {
      for (const market of open) {
        const { quotes, taker } = simulation.ordersAt(market, tick);
        if (taker === undefined) continue;
        const best = quotes.find(({ side }) => side !== taker.side);
        expect(taker.priceCents).toBe(best?.priceCents);
        expect(taker.quantity).toBeLessThan(best?.quantity ?? 0);
      }
    });
  });

  test("are what the quote says, and its last price is that of the latest taker", () => {
    forAnyTick((simulation, open, tick) => {
      for (const market of open.filter((_, at) => at % 20 === 0)) {
        const { quotes } = simulation.ordersAt(market, tick);
        let latest = tick;
        while (simulation.ordersAt(market, latest).taker === undefined) latest -= 1;
        expect(simulation.quoteAt(market, tick)).toEqual({
          bidCents: quotes.find(({ side }) => side === "bid")?.priceCents,
          askCents: quotes.find(({ side }) => side === "ask")?.priceCents,
          lastCents: simulation.ordersAt(market, latest).taker?.priceCents,
        });
      }
    });
  });

  test("are none before a market opens and once it has closed", () => {
    forAnyTick((simulation, open) => {
      for (const market of open) {
        const ends = [
          tickAt(market.opensAt) - 1,
          tickAt(market.opensAt),
          tickAt(market.closesAt) - 1,
          tickAt(market.closesAt),
        ];
        const orders = ends.map((tick) => simulation.ordersAt(market, tick));
        expect([orders[0], orders[3]]).toEqual([
          { quotes: [], taker: undefined },
          { quotes: [], taker: undefined },
        ]);
        expect(orders.map(({ taker }) => taker !== undefined)).toEqual([false, true, true, false]);
        expect(ends.map((tick) => simulation.quoteAt(market, tick) !== undefined)).toEqual([
          false,
          true,
          true,
          false,
        ]);
      }
    });
  });
});

test("what is left standing is what was quoted less what was taken", () => {
  expect(
    depthOf({
      quotes: [
        { side: "bid", priceCents: 40, quantity: 9 },
        { side: "bid", priceCents: 39, quantity: 5 },
        { side: "ask", priceCents: 42, quantity: 7 },
      ],
      taker: { side: "ask", priceCents: 40, quantity: 4 },
    }),
  ).toEqual({
    bids: [
      { priceCents: 40, quantity: 5 },
      { priceCents: 39, quantity: 5 },
    ],
    asks: [{ priceCents: 42, quantity: 7 }],
  });
});

test("best prices stay apart and from 1 to 99 however dear a market is and however wide its quotes are", () => {
  for (let fair = 2; fair <= 98; fair += 1) {
    for (let width = 1; width <= 4; width += 1) {
      const life = {
        key: fair,
        openTick: 0,
        closeTick: 100,
        liquidity: 9,
        categoryKey: 1,
        width,
        widthKey: 2,
        fairAt: () => fair,
      };
      for (let tick = 0; tick < 32; tick += 1) {
        const { bidCents = 0, askCents = 0 } = quoteOf(life, tick) ?? {};
        expect(bidCents >= 1 && bidCents <= fair && askCents > fair && askCents <= 99).toBe(true);
        expect(
          ordersOf(life, tick).quotes.every(({ priceCents }) => priceCents >= 1 && priceCents <= 99),
        ).toBe(true);
      }
    }
  }
});
