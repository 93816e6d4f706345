import { describe, expect, test } from "vitest";
import { day, hour, noon, sampleRows } from "../../test-data/sample-world.ts";
import { type Screen, screenMarkets } from "./screen-markets.ts";

const rows = sampleRows(
  { ticker: "UP", lastCents: 50, closesAt: noon + 2 * day },
  { ticker: "DOWN", lastCents: 30, region: "asia", dayVolume: 900, closesAt: noon + hour },
  { ticker: "WIDE", bidCents: 30, askCents: 60, lastCents: null },
  { ticker: "BARE", bidCents: null, lastCents: null, dayAgoCents: null, category: "politics" },
  { ticker: "GONE", closesAt: noon - 1, lastCents: 42, dayVolume: 0 },
);

describe("a screen", () => {
  test.each<[Omit<Screen, "limit">, string[]]>([
    [{ by: "move" }, ["DOWN", "UP", "WIDE", "GONE"]],
    [{ by: "move", direction: "up" }, ["UP", "WIDE", "GONE"]],
    [{ by: "move", direction: "down" }, ["DOWN"]],
    [{ by: "move", minMoveCents: 9 }, ["DOWN", "UP"]],
    [{ by: "volume" }, ["DOWN", "BARE", "UP", "WIDE", "GONE"]],
    [{ by: "volume", minVolume: 100, category: "weather" }, ["DOWN", "UP", "WIDE"]],
    [{ by: "spread" }, ["DOWN", "GONE", "UP", "WIDE"]],
    [{ by: "volume", maxSpreadCents: 2, region: "asia" }, ["DOWN"]],
    [{ by: "closing" }, ["DOWN", "UP", "BARE", "WIDE"]],
    [{ by: "closing", closesWithinMs: hour }, ["DOWN"]],
    [{ by: "volume", closesWithinMs: 2 * day }, ["DOWN", "UP"]],
  ])("%j", (screen, expected) => {
    const found = screenMarkets(rows, { ...screen, limit: 10 }, noon);
    expect(found.map(({ ticker }) => ticker)).toEqual(expected);
    expect(screenMarkets(rows.toReversed(), { ...screen, limit: 10 }, noon)).toEqual(found);
    expect(screenMarkets(rows, { ...screen, limit: 1 }, noon)).toEqual(found.slice(0, 1));
  });
});
