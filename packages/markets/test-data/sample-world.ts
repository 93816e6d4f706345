import { createMemorySearchIndex, Seat } from "@spfunctions/kernel";
import * as fc from "fast-check";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { indexTools } from "../src/tools/index-tools.ts";
import { marketTools } from "../src/tools/market-tools.ts";
import { researchTools } from "../src/tools/research-tools.ts";
import { worldTools } from "../src/tools/world-tools.ts";
import type { MarketRow } from "../src/venue/market.ts";
import type { VenueReader } from "../src/venue/venue-reader.ts";
import { openWorld } from "../src/world/open-world.ts";
import type { VenueRows } from "../src/world/rows-by-tick.ts";

export const noon = Date.UTC(2026, 0, 2, 12);
export const hour = 3_600_000;
export const day = 24 * hour;

export function sampleRow(over: Partial<MarketRow> = {}): MarketRow {
  return {
    venue: "embedded",
    ticker: "RAIN",
    event: `${over.ticker ?? "RAIN"}-EVENT`,
    title: "Will it rain in Lisbon?",
    category: "weather",
    region: "europe",
    tags: ["rain"],
    opensAt: noon - 7 * day,
    closesAt: noon + 7 * day,
    synthetic: true,
    bidCents: 40,
    askCents: 42,
    lastCents: 41,
    dayAgoCents: 41,
    dayVolume: 100,
    status: "open",
    ...over,
  };
}

/** Rows of one venue that differ in their tickers and in what is given for each. */
export function sampleRows(...overs: readonly Partial<MarketRow>[]): MarketRow[] {
  return overs.map((over, place) => sampleRow({ ticker: `T${place}`, ...over }));
}

export function venueRows(rows: readonly MarketRow[], over: Partial<VenueRows> = {}): VenueRows {
  return { at: noon, rows, unavailable: [], synthetic: rows.every(({ synthetic }) => synthetic), ...over };
}

/** A venue that answers from memory and counts how often it is asked. */
export function sampleReader(
  venue: string,
  rows: readonly MarketRow[],
  over: Partial<VenueReader> = {},
): VenueReader & { readonly asked: { rows: number; market: number } } {
  const asked = { rows: 0, market: 0 };
  return {
    venue,
    synthetic: true,
    asked,
    rows: async () => {
      asked.rows += 1;
      return rows;
    },
    market: async (ticker) => {
      asked.market += 1;
      const found = rows.find((row) => row.ticker === ticker);
      return found && { ...found, depth: { bids: [], asks: [] }, rules: "It pays if it rains. Nobody else." };
    },
    candles: async () => undefined,
    ...over,
  };
}

export function failingReader(venue: string, fault: unknown, over: Partial<VenueReader> = {}): VenueReader {
  const fail = async () => {
    throw fault;
  };
  return { ...sampleReader(venue, []), rows: fail, market: fail, candles: fail, ...over };
}

/** The read tools over some venues, under law. */
export function sampleSeat(
  readers: readonly VenueReader[],
  clock = new ManualClock(noon),
  { isTended = true } = {},
) {
  const world = openWorld({ readers, clock, search: createMemorySearchIndex() });
  const seat = new Seat({
    packs: [worldTools(world), marketTools(world), indexTools(world), researchTools(world)],
    levels: [{ level: "agent", policy: {} }],
    principal: { accountId: "acct_1", keyId: "key_1", scopes: ["read"], kind: "local" },
    origin: "direct",
    surface: "plain",
    clock,
  });
  return {
    clock,
    world,
    manifest: seat.manifest,
    /** The output of a call, or its code, path and reason. */
    call: async (tool: string, input: unknown = {}): Promise<unknown> => {
      // As whoever tends the markets does.
      if (isTended) await world.rows.current().catch(() => undefined);
      const outcome = await seat.call({ tool, input });
      if (outcome.type === "completed") return outcome.result.output;
      const { code, details } = outcome.error;
      return { code, path: details?.path, reason: details?.reason };
    },
  };
}

const maybeCents = fc.option(fc.integer({ min: 1, max: 99 }));
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom("", "\u0000".repeat(200), '"\\'.repeat(150), "\ud800", "🙂".repeat(200), "rain in Lisbon"),
);
const word = fc.oneof(fc.constantFrom("weather", "europe", "politics"), text);

/** Rows that a careless venue could give: any text, and any price that there is. */
export const anyRow: fc.Arbitrary<MarketRow> = fc.record({
  venue: fc.constantFrom("embedded", "other", "third"),
  ticker: fc.oneof(fc.string({ minLength: 1, maxLength: 8 }), text),
  event: word,
  title: text,
  category: word,
  region: word,
  tags: fc.array(word, { maxLength: 3 }),
  opensAt: fc.constant(noon - day),
  closesAt: fc.oneof(fc.integer({ min: 0, max: 4e12 }), fc.constant(Number.MAX_SAFE_INTEGER)),
  synthetic: fc.boolean(),
  bidCents: maybeCents,
  askCents: maybeCents,
  lastCents: maybeCents,
  dayAgoCents: maybeCents,
  dayVolume: fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.constant(Number.MAX_SAFE_INTEGER)),
  status: fc.constant("open"),
});

export const anyRows = fc.array(anyRow, { maxLength: 40 });
