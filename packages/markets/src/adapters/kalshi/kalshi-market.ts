import { z } from "zod";
import type { MarketRow, MarketStatus } from "../../venue/market.ts";
import { priceCents } from "../fields/price-cents.ts";
import {
  centsField,
  countField,
  dollarsField,
  firstOf,
  labelField,
  rulesField,
  tickerField,
  timeField,
  titleField,
} from "../fields/venue-fields.ts";
import type { ReadMarket } from "../rows/gather-pages.ts";
import { placeMarket } from "../rows/place-market.ts";
import { isCrossed, readBy } from "../rows/read-market.ts";

/** Its words for a market's state. One that is paused cannot be traded, and one that is determined has not paid yet. */
const statuses = {
  initialized: "upcoming",
  unopened: "upcoming",
  active: "open",
  open: "open",
  inactive: "closed",
  paused: "closed",
  closed: "closed",
  determined: "closed",
  disputed: "closed",
  amended: "closed",
  finalized: "settled",
  settled: "settled",
} as const satisfies Record<string, MarketStatus>;

const statusWords = Object.keys(statuses) as readonly (keyof typeof statuses)[];

/** Prices come in dollars, and in its older form in cents. */
const marketSchema = z.object({
  ticker: tickerField,
  event_ticker: tickerField,
  market_type: z.literal("binary").nullish(),
  title: titleField,
  yes_sub_title: z.union([titleField, z.literal("")]).nullish(),
  category: labelField.nullish().catch(undefined),
  status: z.enum(statusWords),
  result: z.string().max(20).nullish(),
  open_time: timeField,
  close_time: timeField,
  yes_bid: centsField.nullish(),
  yes_bid_dollars: dollarsField.nullish(),
  yes_ask: centsField.nullish(),
  yes_ask_dollars: dollarsField.nullish(),
  last_price: centsField.nullish(),
  last_price_dollars: dollarsField.nullish(),
  previous_price: centsField.nullish(),
  previous_price_dollars: dollarsField.nullish(),
  volume_24h: countField.nullish(),
  volume_24h_fp: countField.nullish(),
  rules_primary: rulesField.nullish(),
  rules_secondary: rulesField.nullish(),
});

type Fields = z.output<typeof marketSchema>;

export type KalshiMarket = { readonly row: MarketRow; readonly rules: string };

export function readKalshiMarket(item: unknown): ReadMarket<KalshiMarket> {
  return readBy(marketSchema, item, (fields): ReadMarket<KalshiMarket> => {
    const row = rowOf(fields);
    if (isCrossed(row)) return { wrong: "yes_bid" };
    if (row.closesAt < row.opensAt) return { wrong: "close_time" };
    const rules = [fields.rules_primary, fields.rules_secondary].filter(Boolean).join("\n\n");
    return { read: { row, rules } };
  });
}

function rowOf(fields: Fields): MarketRow {
  const title = titleOf(fields);
  const status = statuses[fields.status];
  const outcome = fields.result === "yes" || fields.result === "no" ? fields.result : undefined;
  return {
    venue: "kalshi",
    ticker: fields.ticker,
    event: fields.event_ticker,
    title,
    ...placeMarket(title, fields.category ?? undefined, [seriesOf(fields.event_ticker)]),
    opensAt: fields.open_time,
    closesAt: fields.close_time,
    synthetic: false,
    bidCents: priceCents(firstOf(fields.yes_bid_dollars, fields.yes_bid), "down"),
    askCents: priceCents(firstOf(fields.yes_ask_dollars, fields.yes_ask), "up"),
    lastCents: priceCents(firstOf(fields.last_price_dollars, fields.last_price), "nearest"),
    dayAgoCents: priceCents(firstOf(fields.previous_price_dollars, fields.previous_price), "nearest"),
    dayVolume: firstOf(fields.volume_24h_fp, fields.volume_24h) ?? 0,
    status,
    ...(status === "settled" && outcome !== undefined ? { outcome } : {}),
  };
}

/** The markets of one event can share a title, and differ in what yes stands for. */
function titleOf({ title, yes_sub_title: answer }: Fields): string {
  const isTold = !answer || title.toLowerCase().includes(answer.toLowerCase());
  return isTold ? title : `${title}: ${answer}`;
}

/** An event is named after its series, and what comes after the first dash is its own. */
export function seriesOf(eventTicker: string): string {
  return eventTicker.split("-", 1)[0] ?? eventTicker;
}
