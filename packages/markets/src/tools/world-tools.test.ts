import { RateLimitedError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import {
  day,
  failingReader,
  noon,
  sampleReader,
  sampleRow,
  sampleRows,
  sampleSeat,
} from "../../test-data/sample-world.ts";

const rows = sampleRows({ lastCents: 50 }, { closesAt: noon + day });
const embedded = sampleReader("embedded", rows, { rowsAt: async () => rows });
const far = sampleRow({ venue: "far", ticker: "F", synthetic: false, closesAt: Number.MAX_SAFE_INTEGER });
const real = () => sampleReader("far", [far], { synthetic: false });
const limited = failingReader("far", new RateLimitedError("too often"), { synthetic: false });

const iso = (ms: number) => new Date(ms).toISOString();

describe("world.read", () => {
  test("says what is going on, and which venue could not be read", async () => {
    expect(await sampleSeat([embedded, limited]).call("world.read")).toEqual({
      at: "2026-01-02T12:00:00.000Z",
      synthetic: true,
      regime: { label: "thin", reason: "fewer than 5 markets have a price" },
      indices: { disagreement: 3.4, breadth: 100, activity: 50 },
      counts: { markets: 2, venues: 1, moving: 1, closingWithinDay: 1 },
      movers: [
        {
          venue: "embedded",
          ticker: "T0",
          title: "Will it rain in Lisbon?",
          priceCents: 50,
          moveCents: 9,
          synthetic: true,
        },
      ],
      regions: [{ region: "europe", markets: 2, regime: "thin", moveCents: 4.5, synthetic: true }],
      unavailable: [{ venue: "far", code: "rate_limited" }],
    });
  });

  test("is not synthetic where anything in it is real", async () => {
    expect(await sampleSeat([embedded, real()]).call("world.read")).toMatchObject({ synthetic: false });
  });

  test("fails as upstream_error where no venue can be read", async () => {
    expect(await sampleSeat([limited]).call("world.read")).toMatchObject({ code: "upstream_error" });
  });
});

describe("world.delta", () => {
  const { call } = sampleSeat([embedded, real()]);

  test("says what changed, and which venues it is without", async () => {
    const indices = { disagreement: 3.4, breadth: 100, activity: 50 };
    expect(await call("world.delta", { since: iso(noon - day) })).toEqual({
      at: iso(noon),
      since: iso(noon - day),
      synthetic: true,
      indices: { before: indices, after: indices },
      regime: { before: "thin", after: "thin" },
      movers: [],
      opened: { count: 0, items: [] },
      closed: { count: 0, items: [] },
      without: ["far"],
      unavailable: [],
    });
  });

  test.each([
    [{ since: iso(noon + 1) }, "/since", "in_the_future"],
    [{ since: iso(noon - 30 * day - 1) }, "/since", "too_long_ago"],
  ])("refuses a time that it cannot know: %j", async (input, path, reason) => {
    expect(await call("world.delta", input)).toEqual({ code: "invalid_input", path, reason });
  });

  test.each([{}, { since: "yesterday" }, { since: iso(noon), until: 1 }])("refuses %j", async (input) => {
    expect(await call("world.delta", input)).toMatchObject({ code: "invalid_input" });
  });

  test("goes back thirty days to the millisecond", async () => {
    expect(await call("world.delta", { since: iso(noon - 30 * day) })).toHaveProperty("indices");
  });
});

test("regime.scan says each group's regime, its numbers and why", async () => {
  const group = {
    markets: 2,
    synthetic: true,
    regime: { label: "thin", reason: "fewer than 5 markets have a price" },
    components: { breadth: 100, volatility: 4.5, activity: 50, nearCertainty: 0 },
  };
  expect(await sampleSeat([embedded]).call("regime.scan")).toEqual({
    at: "2026-01-02T12:00:00.000Z",
    synthetic: true,
    overall: { name: "all", ...group },
    categories: [{ name: "weather", ...group }],
    regions: [{ name: "europe", ...group }],
    unavailable: [],
  });
});

describe("calendar.list", () => {
  test("is the one read that needs nobody and costs nothing", () => {
    const open = sampleSeat([embedded]).manifest.tools.filter(({ access }) => access.anonymousAllowed);
    expect(
      open.map(({ name, authRequired, sideEffect, costEffect, risk, permissions }) => ({
        name,
        authRequired,
        sideEffect,
        costEffect,
        risk,
        permissions,
      })),
    ).toEqual([
      {
        name: "calendar.list",
        authRequired: false,
        sideEffect: "none",
        costEffect: "none",
        risk: [],
        permissions: [],
      },
    ]);
  });

  test("lists what closes next, and asks no real venue for it", async () => {
    const venue = real();
    const { call } = sampleSeat([embedded, venue], undefined, { isTended: false });
    const shown = {
      venue: "embedded",
      title: "Will it rain in Lisbon?",
      category: "weather",
      region: "europe",
    };
    expect(await call("calendar.list", { days: 8 })).toEqual({
      at: "2026-01-02T12:00:00.000Z",
      synthetic: true,
      items: [
        { closesAt: "2026-01-03T12:00:00.000Z", ...shown, ticker: "T1", synthetic: true },
        { closesAt: "2026-01-09T12:00:00.000Z", ...shown, ticker: "T0", synthetic: true },
      ],
      unavailable: [{ venue: "far", code: "host_configuration_needed" }],
    });
    expect(venue.asked.rows).toBe(0);
  });

  test.each([
    ["world.read", {}],
    ["world.delta", { since: iso(noon - day) }],
    ["regime.scan", {}],
    ["calendar.list", {}],
    ["index.current", {}],
    ["markets.screen", { by: "move" }],
    ["markets.search", { query: "rain" }],
    ["research.query", { question: "rain?" }],
  ])("%s, whose class has no room for it, never makes a venue's request", async (tool, input) => {
    const venue = real();
    const { call } = sampleSeat([embedded, venue], undefined, { isTended: false });
    expect(await call(tool, input)).not.toHaveProperty("code");
    expect(venue.asked).toStrictEqual({ rows: 0, market: 0 });
  });

  test.each([{ days: 0 }, { days: 367 }, { limit: 101 }, { limit: 0.5 }, { daze: 1 }])(
    "refuses %j",
    async (input) => {
      expect(await sampleSeat([embedded]).call("calendar.list", input)).toMatchObject({
        code: "invalid_input",
      });
    },
  );
});
