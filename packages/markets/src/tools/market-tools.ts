import { strictObject, timestampSchema } from "@spfunctions/contracts";
import { defineTool } from "@spfunctions/kernel";
import { z } from "zod";
import type { MarketRow } from "../venue/market.ts";
import { readCandleRange } from "../world/candle-range.ts";
import { choosePairs } from "../world/cross-venue-pairs.ts";
import { findAtVenues } from "../world/find-at-venues.ts";
import type { World } from "../world/open-world.ts";
import { sorts } from "../world/ranked-markets.ts";
import { screenMarkets, screens } from "../world/screen-markets.ts";
import {
  candleSchema,
  candleView,
  detailSchema,
  detailView,
  intervalSchema,
  isoTime,
  limitSchema,
  listOf,
  nameShape,
  rowSchema,
  rowView,
  wordSchema,
} from "./market-view.ts";
import { answerOf, answerShape } from "./venue-answer.ts";
import { tickerSchema } from "../venue/ticker.ts";

const reading = { permissions: ["markets:read"], sideEffect: "none", stability: "beta" } as const;
const cursorSchema = z.string().max(2_000).meta({ "x-sf-public": true });
const priceSchema = z.int().min(1).max(99);

const sideSchema = strictObject({
  ...nameShape,
  title: z.string(),
  bidCents: rowSchema.shape.bidCents,
  askCents: rowSchema.shape.askCents,
  closesAt: timestampSchema,
  synthetic: z.boolean(),
});

const pairSchema = strictObject({
  similarity: z.number().min(0).max(1),
  gapCents: z.int().min(0),
  cheaper: z.string().optional(),
  synthetic: z.boolean(),
  a: sideSchema,
  b: sideSchema,
});

/** Markets: found, looked at, screened and compared. */
export function marketTools(world: World) {
  return [searchTool(world), inspectTool(world), candlesTool(world), screenTool(world), pairsTool(world)];
}

function searchTool(world: World) {
  return defineTool({
    ...reading,
    name: "markets.search",
    title: "Search the markets",
    description:
      "Open markets by words of their titles, tags and categories, and by filters. Relevance also counts volume; without words the most traded come first. `next` leads to the next page of the same question.",
    costEffect: "search_cost",
    input: strictObject({
      query: z.string().max(200).optional(),
      category: wordSchema.optional(),
      region: wordSchema.optional(),
      venue: wordSchema.optional(),
      minPriceCents: priceSchema.optional(),
      maxPriceCents: priceSchema.optional(),
      closesBefore: timestampSchema.optional(),
      sort: z.enum(sorts).optional(),
      after: cursorSchema.optional(),
      limit: limitSchema.optional(),
    }),
    output: strictObject({ ...answerShape(rowSchema), next: cursorSchema.optional() }),
    http: { method: "GET", path: "/api/public/markets" },
    sdk: { package: "@spfunctions/sdk", method: "markets.search" },
    run: async ({ after, limit = 20, closesBefore, ...query }) => {
      const venues = await world.rows.known();
      const wanted = { ...query, ...(closesBefore && { closesBefore: Date.parse(closesBefore) }) };
      const { at, rows, next } = await world.search.find(venues, wanted, { after, limit });
      const answer = answerOf({ ...venues, at }, rows.map(rowView));
      return { ...answer, ...(next !== undefined && { next }) };
    },
  });
}

function inspectTool(world: World) {
  return defineTool({
    ...reading,
    name: "market.inspect",
    title: "Look at one market",
    description:
      "One market with its book and its rules. Without a venue, the venues are asked one after the other, the embedded one first.",
    costEffect: "venue_request_cost",
    input: strictObject({ ticker: tickerSchema, venue: wordSchema.optional() }),
    output: detailSchema,
    http: { method: "GET", path: "/api/public/market/{ticker}" },
    sdk: { package: "@spfunctions/sdk", method: "market.inspect" },
    run: async ({ ticker, venue }, { signal }) => {
      const { found } = await findAtVenues(world.readers, venue, (reader) => reader.market(ticker, signal));
      return detailView(found);
    },
  });
}

function candlesTool(world: World) {
  return defineTool({
    ...reading,
    name: "market.candles",
    title: "Read the candles of a market",
    description:
      "What was traded in each interval, the oldest first: the last 100 unless `from` or `to` is given, at most 500.",
    costEffect: "venue_request_cost",
    input: strictObject({
      ticker: tickerSchema,
      venue: wordSchema.optional(),
      interval: intervalSchema,
      from: timestampSchema.optional(),
      to: timestampSchema.optional(),
    }),
    output: strictObject({
      ...nameShape,
      interval: intervalSchema,
      synthetic: z.boolean(),
      items: listOf(candleSchema),
    }),
    http: { method: "GET", path: "/api/public/market/{ticker}/candles" },
    sdk: { package: "@spfunctions/sdk", method: "market.candles" },
    run: async ({ ticker, venue, interval, from, to }, { signal }) => {
      const range = readCandleRange({ interval, from, to }, world.now());
      const ask = (reader: World["readers"][number]) => reader.candles(ticker, range, signal);
      const { reader, found } = await findAtVenues(world.readers, venue, ask);
      const items = found.map(candleView);
      return { venue: reader.venue, ticker, interval, synthetic: reader.synthetic, items };
    },
  });
}

function screenTool(world: World) {
  return defineTool({
    ...reading,
    name: "markets.screen",
    title: "Screen the markets",
    description:
      "Open markets by the widest move, the most volume, the narrowest spread or the nearest close, within limits.",
    costEffect: "api_cost",
    input: strictObject({
      by: z.enum(screens),
      minMoveCents: z.int().min(0).max(99).optional(),
      minVolume: z.int().min(0).optional(),
      maxSpreadCents: z.int().min(0).max(99).optional(),
      closesWithinMs: z.int().min(1).optional(),
      category: wordSchema.optional(),
      region: wordSchema.optional(),
      direction: z.enum(["up", "down"]).optional(),
      limit: limitSchema.optional(),
    }),
    output: strictObject(answerShape(rowSchema)),
    http: { method: "GET", path: "/api/public/screen" },
    sdk: { package: "@spfunctions/sdk", method: "markets.screen" },
    run: async ({ limit = 20, ...screen }) => {
      const venues = await world.rows.known();
      const rows = screenMarkets(venues.rows, { ...screen, limit }, venues.at);
      return answerOf(venues, rows.map(rowView));
    },
  });
}

function pairsTool(world: World) {
  return defineTool({
    ...reading,
    name: "crossvenue.pairs",
    title: "Compare venues",
    description:
      "Markets of different venues about the same thing, by their titles and closing times, and the cents left between them after both spreads. The widest gap comes first. Likeness is no proof: read the rules of both.",
    costEffect: "venue_request_cost",
    input: strictObject({
      minGapCents: z.int().min(0).max(99).optional(),
      minSimilarity: z.number().min(0).max(1).optional(),
      limit: limitSchema.optional(),
    }),
    output: strictObject(answerShape(pairSchema)),
    http: { method: "GET", path: "/api/public/cross-venue/pairs" },
    sdk: { package: "@spfunctions/sdk", method: "crossvenue.pairs" },
    run: async ({ limit = 20, ...filter }) => {
      const venues = await world.rows.current();
      const pairs = choosePairs(world.matchesOf(venues.rows), { ...filter, limit });
      const items = pairs.map(({ a, b, ...pair }) => ({
        ...pair,
        synthetic: a.synthetic && b.synthetic,
        a: sideView(a),
        b: sideView(b),
      }));
      return answerOf(venues, items);
    },
  });
}

function sideView({ venue, ticker, title, bidCents, askCents, closesAt, synthetic }: MarketRow) {
  return { venue, ticker, title, bidCents, askCents, closesAt: isoTime(closesAt), synthetic };
}
