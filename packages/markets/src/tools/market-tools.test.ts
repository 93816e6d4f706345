import { TimeoutError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  anyRows,
  failingReader,
  hour,
  noon,
  sampleReader,
  sampleRow,
  sampleRows,
  sampleSeat,
} from "../../test-data/sample-world.ts";
import type { CandleRange } from "../venue/venue-reader.ts";

const rows = sampleRows({ lastCents: 50 }, { title: "Will it snow in Oslo?", region: "north", tags: [] });
const embedded = sampleReader("embedded", rows);
const far = sampleRow({ venue: "far", ticker: "F", synthetic: false, bidCents: 50, askCents: 53 });
const real = sampleReader("far", [far], { synthetic: false });

/** The first row as the tools show it. */
const shown = {
  venue: "embedded",
  ticker: "T0",
  event: "T0-EVENT",
  title: "Will it rain in Lisbon?",
  category: "weather",
  region: "europe",
  tags: ["rain"],
  status: "open",
  opensAt: "2025-12-26T12:00:00.000Z",
  closesAt: "2026-01-09T12:00:00.000Z",
  bidCents: 40,
  askCents: 42,
  lastCents: 50,
  dayAgoCents: 41,
  dayVolume: 100,
  priceCents: 50,
  moveCents: 9,
  spreadCents: 2,
  synthetic: true,
};
const at = "2026-01-02T12:00:00.000Z";

describe("markets.search", () => {
  test("finds markets by words, and shows them whole", async () => {
    expect(await sampleSeat([embedded]).call("markets.search", { query: "lisbon" })).toEqual({
      at,
      synthetic: true,
      items: [shown],
      unavailable: [],
    });
  });

  test("goes on with `next`, which leads nowhere in another question", async () => {
    const { call } = sampleSeat([embedded, real]);
    const first = (await call("markets.search", { limit: 2 })) as { next: string; items: unknown[] };
    expect(first).toMatchObject({ synthetic: true, items: [shown, { ticker: "T1" }] });
    expect(await call("markets.search", { limit: 2, after: first.next })).toMatchObject({
      synthetic: false,
      items: [{ venue: "far", ticker: "F", synthetic: false }],
    });
    expect(await call("markets.search", { limit: 2, sort: "move", after: first.next })).toEqual({
      code: "invalid_input",
      path: "/after",
      reason: "invalid_cursor",
    });
  });

  test.each([
    { query: "x".repeat(201) },
    { minPriceCents: 0 },
    { maxPriceCents: 100 },
    { closesBefore: "soon" },
    { sort: "price" },
    { status: "gone" },
    { limit: 0 },
    { limit: 101 },
    { after: "made up" },
    { q: "rain" },
  ])("refuses %j", async (input) => {
    expect(await sampleSeat([embedded]).call("markets.search", input)).toMatchObject({
      code: "invalid_input",
    });
  });

  test("filters by the time of closing", async () => {
    const { call } = sampleSeat([embedded]);
    const closing = (closesBefore: string) => call("markets.search", { closesBefore });
    expect(await closing("2026-01-09T12:00:00Z")).toMatchObject({ items: [] });
    expect(await closing("2026-01-09T12:00:01Z")).toMatchObject({ items: [shown, {}] });
  });

  test("shows any rows that a careless venue could give", async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, async (any) => {
        const own = any.map((row) => ({ ...row, venue: "embedded" }));
        const { call } = sampleSeat([sampleReader("embedded", own)]);
        for (const tool of ["markets.search", "world.read", "regime.scan", "calendar.list"]) {
          expect(await call(tool, {})).not.toHaveProperty("code");
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("market.inspect", () => {
  const { call } = sampleSeat([embedded, real]);

  test("shows a market with its book and its rules", async () => {
    const rules = "It pays if it rains. Nobody else.";
    expect(await call("market.inspect", { ticker: "T0" })).toEqual({
      ...shown,
      depth: { bids: [], asks: [] },
      rules,
    });
    expect(await call("market.inspect", { ticker: "F", venue: "far" })).toMatchObject({ synthetic: false });
  });

  test.each([
    [{ ticker: "NONE" }, { code: "not_found", path: "/ticker", reason: "not_found" }],
    [
      { ticker: "T0", venue: "far" },
      { code: "not_found", path: "/ticker", reason: "not_found" },
    ],
    [
      { ticker: "T0", venue: "mars" },
      { code: "not_found", path: "/venue", reason: "not_found" },
    ],
    [{ ticker: "" }, { code: "invalid_input" }],
    [{}, { code: "invalid_input" }],
  ])("refuses %j", async (input, refusal) => {
    expect(await call("market.inspect", input)).toMatchObject(refusal);
  });

  test("says what its venue says where it cannot be read", async () => {
    const slow = failingReader("far", new TimeoutError("too slow"));
    expect(await sampleSeat([slow]).call("market.inspect", { ticker: "F" })).toMatchObject({
      code: "timeout",
    });
  });
});

describe("market.candles", () => {
  const asked: CandleRange[] = [];
  const prices = { openCents: 40, highCents: 45, lowCents: 39, closeCents: 44, volume: 12 };
  const { call } = sampleSeat([
    sampleReader("embedded", rows, {
      candles: async (ticker, range) => {
        asked.push(range);
        return ticker === "T0" ? [{ at: noon - hour, ...prices }] : undefined;
      },
    }),
  ]);

  test("are the last hundred unless said", async () => {
    expect(await call("market.candles", { ticker: "T0", interval: "1h" })).toEqual({
      venue: "embedded",
      ticker: "T0",
      interval: "1h",
      synthetic: true,
      items: [{ at: "2026-01-02T11:00:00.000Z", ...prices }],
    });
    expect(asked.at(-1)).toEqual({ interval: "1h", from: noon - 100 * hour, to: noon });
  });

  test.each([
    [
      { ticker: "NONE", interval: "1h" },
      { code: "not_found", path: "/ticker" },
    ],
    [{ ticker: "T0", interval: "2h" }, { code: "invalid_input" }],
    [{ ticker: "T0" }, { code: "invalid_input" }],
    [{ ticker: "T0", interval: "1m", from: "2026-01-01T00:00:00Z" }, { reason: "range_too_long" }],
    [{ ticker: "T0", interval: "1m", from: "2027-01-01T00:00:00Z" }, { reason: "not_before_to" }],
  ])("refuse %j", async (input, refusal) => {
    expect(await call("market.candles", input)).toMatchObject(refusal);
  });
});

describe("markets.screen", () => {
  const { call } = sampleSeat([embedded]);

  test("orders and limits", async () => {
    expect(await call("markets.screen", { by: "move", minMoveCents: 1 })).toEqual({
      at,
      synthetic: true,
      items: [shown],
      unavailable: [],
    });
  });

  test.each([{}, { by: "price" }, { by: "move", minMoveCents: -1 }, { by: "move", closesWithinMs: 0 }])(
    "refuses %j",
    async (input) => {
      expect(await call("markets.screen", input)).toMatchObject({ code: "invalid_input" });
    },
  );
});

describe("crossvenue.pairs", () => {
  const { call } = sampleSeat([embedded, real]);

  test("compares what two venues ask and bid for the same thing", async () => {
    const side = { title: shown.title, closesAt: shown.closesAt };
    expect(await call("crossvenue.pairs", { minGapCents: 8 })).toEqual({
      at,
      synthetic: false,
      items: [
        {
          similarity: 1,
          gapCents: 8,
          cheaper: "embedded",
          synthetic: false,
          a: { venue: "embedded", ticker: "T0", ...side, bidCents: 40, askCents: 42, synthetic: true },
          b: { venue: "far", ticker: "F", ...side, bidCents: 50, askCents: 53, synthetic: false },
        },
      ],
      unavailable: [],
    });
    expect(await call("crossvenue.pairs", { minGapCents: 9 })).toMatchObject({ items: [] });
  });

  test.each([{ minSimilarity: 1.1 }, { minGapCents: 0.5 }, { limit: 0 }])("refuses %j", async (input) => {
    expect(await call("crossvenue.pairs", input)).toMatchObject({ code: "invalid_input" });
  });
});
