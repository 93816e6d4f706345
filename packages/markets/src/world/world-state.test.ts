import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyRow, day, noon, sampleRow, sampleRows, venueRows } from "../../test-data/sample-world.ts";
import { mostTokens } from "./most-tokens.ts";
import { worldState } from "./world-state.ts";

const usual = () => 50;

describe("the state of the world", () => {
  test("is regime, indices, counts, movers and regions", () => {
    const rows = [
      ...sampleRows(
        { lastCents: 60, dayAgoCents: 41, dayVolume: 500 },
        { lastCents: 50, dayAgoCents: 41, event: "T0-EVENT" },
        { lastCents: 40, dayAgoCents: 41, region: "asia", closesAt: noon + day },
        {},
      ),
      sampleRow({ venue: "far", synthetic: false, lastCents: 30, dayAgoCents: 41, title: "x".repeat(99) }),
    ];
    const unavailable = [{ venue: "third", code: "timeout" }] as const;
    expect(worldState(venueRows(rows, { unavailable }), [], usual)).toEqual({
      at: noon,
      synthetic: false,
      regime: { label: "volatile", reason: "volatility 8 (at least 6)" },
      indices: { disagreement: 3.4, breadth: 50, activity: 50 },
      counts: { markets: 5, venues: 2, moving: 4, closingWithinDay: 1 },
      movers: [
        {
          venue: "embedded",
          ticker: "T0",
          title: "Will it rain in Lisbon?",
          priceCents: 60,
          moveCents: 19,
          synthetic: true,
        },
        {
          venue: "far",
          ticker: "RAIN",
          title: `${"x".repeat(63)}…`,
          priceCents: 30,
          moveCents: -11,
          synthetic: false,
        },
        {
          venue: "embedded",
          ticker: "T2",
          title: "Will it rain in Lisbon?",
          priceCents: 40,
          moveCents: -1,
          synthetic: true,
        },
      ],
      regions: [
        { region: "europe", markets: 4, regime: "thin", moveCents: 4.3, synthetic: false },
        { region: "asia", markets: 1, regime: "thin", moveCents: -1, synthetic: true },
      ],
      unavailable,
    });
  });

  test("of no markets is thin, and has no number that is none", () => {
    expect(worldState(venueRows([]), [], () => null)).toEqual({
      at: noon,
      synthetic: true,
      regime: { label: "thin", reason: "fewer than 5 markets have a price" },
      indices: { disagreement: 0, breadth: 50, activity: null },
      counts: { markets: 0, venues: 0, moving: 0, closingWithinDay: 0 },
      movers: [],
      regions: [],
      unavailable: [],
    });
  });

  test("counts what closes within a day from now on, and not what should have closed before", () => {
    const closing = [noon - 1, noon, noon + day, noon + day + 1].map((closesAt) => ({ closesAt }));
    expect(worldState(venueRows(sampleRows(...closing)), [], usual).counts.closingWithinDay).toBe(2);
  });

  test("is under 1,000 tokens for any rows, and the same for the same rows", () => {
    const many = fc.array(anyRow, { minLength: 10, maxLength: 60 });
    fc.assert(
      fc.property(many, (rows) => {
        const text = JSON.stringify(worldState(venueRows(rows), [], usual));
        expect(mostTokens(text)).toBeLessThan(1_000);
        expect(text).not.toMatch(/NaN|undefined/);
        expect(JSON.stringify(worldState(venueRows(structuredClone(rows)), [], usual))).toBe(text);
      }),
    );
  });

  test("of long names loses what comes last, and not more than it must", () => {
    const hostile = sampleRows(
      ...Array.from({ length: 20 }, (_, place) => ({
        ticker: `${String(place).padStart(2, "0")}${'"'.repeat(68)}`,
        title: "\\".repeat(500),
        region: `${place}${"é".repeat(60)}`,
        lastCents: 90 - place,
      })),
    );
    const state = worldState(venueRows(hostile), [], usual);
    const tokens = mostTokens(JSON.stringify(state));
    expect(tokens).toBeLessThan(1_000);
    expect(tokens).toBeGreaterThan(700);
    expect(state.movers[0]?.ticker.slice(0, 2)).toBe("00");
    expect(state.movers.length).toBeLessThan(8);
  });

  test.each(["🙂", "𓀀", "ꦄ", "ክ", "語", "é", "\u{1f469}\u200d\u{1f680}"])(
    "has room for movers and regions that are named in %s, and stays under 1,000 tokens",
    (script) => {
      const rows = sampleRows(
        ...Array.from({ length: 40 }, (_, place) => ({
          ticker: `${place}${script.repeat(12)}`,
          title: script.repeat(200),
          region: `${place % 9}${script.repeat(9)}`,
          lastCents: 90 - place,
        })),
      );
      const state = worldState(venueRows(rows), [], usual);
      // A tokenizer that knows none of it makes a token of every byte beyond ASCII, and of every two bytes of the rest.
      const text = JSON.stringify(state);
      const beyond = Buffer.byteLength(text.replaceAll(/[\0-\u007f]/g, ""));
      expect(beyond + (Buffer.byteLength(text) - beyond) / 3).toBeLessThan(1_000);
      expect([state.movers.length > 0, state.regions.length > 0]).toEqual([true, true]);
    },
  );

  test("names no market whose name would take the room of several", () => {
    const rows = sampleRows({ ticker: "x".repeat(100), lastCents: 90 }, { lastCents: 42 });
    expect(worldState(venueRows(rows), [], usual).movers.map(({ ticker }) => ticker)).toEqual(["T1"]);
  });
});
