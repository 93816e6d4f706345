import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyRows, sampleRows } from "../../test-data/sample-world.ts";
import type { MarketRow } from "../venue/market.ts";
import { componentsOf, regimeOf, regimes, regimeTable } from "./regime.ts";

/** Markets that cost some cents, each after a move. */
function moved(cents: number, ...moves: readonly number[]): MarketRow[] {
  return sampleRows(...moves.map((move) => ({ lastCents: cents, dayAgoCents: cents - move })));
}

const cases: [string, MarketRow[], number | null, string][] = [
  ["thin", moved(50, 9, 9, 9, 9), 99, "fewer than 5 markets have a price"],
  ["event_driven", moved(50, 4, -4, 4, -4, 4), 60, "volatility 4 (at least 4), activity 60 (at least 60)"],
  ["volatile", moved(50, 6, -6, 6, -6, 6), 59.9, "volatility 6 (at least 6)"],
  ["volatile", moved(50, 6, -6, 6, -6, 6), null, "volatility 6 (at least 6)"],
  ["trending_up", moved(50, 1, 1, 1, -1, 1), 50, "volatility 1 (at least 1), breadth 80 (at least 56)"],
  ["trending_down", moved(50, -1, -1, -1, -1, 1), 50, "volatility 1 (at least 1), breadth 20 (at most 44)"],
  ["resolving", moved(95, 0, 0, 0, 0, 0), 50, "nearCertainty 100 (at least 50)"],
  ["calm", moved(50, 0, 0, 0, 0, 0), 99, "volatility 0, breadth 50: nothing stands out"],
];

describe("the regime of a group of markets", () => {
  test.each(cases)("is %s", (label, rows, activity, reason) => {
    expect(regimeOf(rows, componentsOf(rows, activity))).toEqual({ label, reason });
  });

  test("is one of a closed set, each of which the table or the lack of markets can name", () => {
    expect(new Set(["thin", ...regimeTable.map(({ label }) => label)])).toEqual(new Set(regimes));
    expect(regimeTable.at(-1)).toEqual({ label: "calm", when: [] });
  });

  test("has its numbers: who goes up, how far on average, and how many are nearly decided", () => {
    const rows = sampleRows(
      { lastCents: 5, dayAgoCents: 8 },
      { lastCents: 95, dayAgoCents: 90 },
      { lastCents: 94, dayAgoCents: null },
      { lastCents: null, bidCents: null, askCents: null },
    );
    expect(componentsOf(rows, 40)).toEqual({
      breadth: 50,
      volatility: 4,
      activity: 40,
      nearCertainty: 66.7,
    });
  });

  test("is known for any rows, without a number that is none", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const components = componentsOf(rows, null);
        const { label, reason } = regimeOf(rows, components);
        expect(regimes).toContain(label);
        expect(reason).not.toMatch(/NaN|undefined|null|Infinity/);
        expect(Object.values(components).every((value) => value === null || Number.isFinite(value))).toBe(
          true,
        );
      }),
    );
  });
});
