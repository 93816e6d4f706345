// How markets look at the doors of the tools: times are ISO, and what can be computed from a row is computed.
import { errorCodeSchema, strictObject, timestampSchema } from "@spfunctions/contracts";
import { z } from "zod";
import {
  type Candle,
  type Depth,
  intervals,
  type MarketDetail,
  type MarketRow,
  marketStatuses,
} from "../venue/market.ts";
import { moveOf, priceOf, spreadOf } from "../world/row-figures.ts";

/** A list that is only read, as everything inside is. */
export function listOf<Item extends z.ZodType>(item: Item): z.ZodType<readonly z.output<Item>[]> {
  return z.array(item);
}

const cents = z.int().min(0).max(100);
const change = z.int().min(-100).max(100);

/** What names a market, wherever one is spoken of. */
export const nameShape = { venue: z.string(), ticker: z.string() } as const;

export const shortMarketSchema = strictObject({ ...nameShape, title: z.string(), synthetic: z.boolean() });

const rowShape = {
  ...nameShape,
  event: z.string(),
  title: z.string(),
  category: z.string(),
  region: z.string(),
  tags: listOf(z.string()),
  status: z.enum(marketStatuses),
  outcome: z.enum(["yes", "no"]).optional(),
  opensAt: timestampSchema,
  closesAt: timestampSchema,
  bidCents: cents.nullable(),
  askCents: cents.nullable(),
  lastCents: cents.nullable(),
  dayAgoCents: cents.nullable(),
  dayVolume: z.number().min(0),
  priceCents: cents.nullable(),
  moveCents: change.nullable(),
  spreadCents: change.nullable(),
  synthetic: z.boolean(),
} as const;

export const rowSchema = strictObject(rowShape);
export type RowView = z.infer<typeof rowSchema>;

const levelsSchema = listOf(strictObject({ priceCents: cents, quantity: z.number().min(0) }));

export const detailSchema = strictObject({
  ...rowShape,
  depth: strictObject({ bids: levelsSchema, asks: levelsSchema }),
  rules: z.string(),
});

export const intervalSchema = z.enum(intervals);

export const candleSchema = strictObject({
  at: timestampSchema,
  openCents: cents,
  highCents: cents,
  lowCents: cents,
  closeCents: cents,
  volume: z.number().min(0),
});

/** The venues that could not be read, and why. */
export const unavailableSchema = listOf(strictObject({ venue: z.string(), code: errorCodeSchema }));

/** How many of a list. */
export const limitSchema = z.int().min(1).max(100);

/** A word of the venues' own: a category, a region, a venue. */
export const wordSchema = z.string().min(1).max(100);

const lastTime = Date.parse("9999-12-31T23:59:59.999Z");

/** A venue may say that something never ends; what a time can be written as ends with the year 9999. */
export function isoTime(ms: number): string {
  return new Date(Math.min(lastTime, Math.max(0, ms))).toISOString();
}

export function rowView(row: MarketRow): RowView {
  return {
    venue: row.venue,
    ticker: row.ticker,
    event: row.event,
    title: row.title,
    category: row.category,
    region: row.region,
    tags: row.tags,
    status: row.status,
    ...(row.outcome !== undefined && { outcome: row.outcome }),
    opensAt: isoTime(row.opensAt),
    closesAt: isoTime(row.closesAt),
    bidCents: row.bidCents,
    askCents: row.askCents,
    lastCents: row.lastCents,
    dayAgoCents: row.dayAgoCents,
    dayVolume: row.dayVolume,
    priceCents: priceOf(row),
    moveCents: moveOf(row),
    spreadCents: spreadOf(row),
    synthetic: row.synthetic,
  };
}

export function detailView({ depth, rules, ...row }: MarketDetail): z.infer<typeof detailSchema> {
  return {
    ...rowView(row),
    depth: { bids: levelsView(depth.bids), asks: levelsView(depth.asks) },
    rules,
  };
}

function levelsView(levels: Depth["bids"]): z.infer<typeof levelsSchema> {
  return levels.map(({ priceCents, quantity }) => ({ priceCents, quantity }));
}

export function candleView(candle: Candle): z.infer<typeof candleSchema> {
  const { openCents, highCents, lowCents, closeCents, volume } = candle;
  return { at: isoTime(candle.at), openCents, highCents, lowCents, closeCents, volume };
}
