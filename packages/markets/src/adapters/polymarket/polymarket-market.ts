import { z } from "zod";
import type { MarketRow, MarketStatus, Outcome } from "../../venue/market.ts";
import { compareDecimals, type Decimal, one, subtract, zero } from "../fields/decimal.ts";
import { priceCents } from "../fields/price-cents.ts";
import {
  countField,
  decimalField,
  dollarsField,
  firstOf,
  labelField,
  listField,
  rulesField,
  tickerField,
  timeField,
  titleField,
} from "../fields/venue-fields.ts";
import type { ReadMarket } from "../rows/gather-pages.ts";
import { placeMarket } from "../rows/place-market.ts";
import { isCrossed, readBy } from "../rows/read-market.ts";

const minusOne: Decimal = { digits: -1n, scale: 0 };

const flag = z.boolean().nullish();

const eventSchema = z.object({ slug: tickerField.nullish() });

/** A label is one of two things, and worth no market. */
const tagsField = z
  .array(z.object({ label: labelField }))
  .max(100)
  .nullish()
  .catch(undefined);

const marketSchema = z.object({
  slug: tickerField,
  question: titleField,
  outcomes: listField(labelField),
  outcomePrices: listField(dollarsField).nullish(),
  clobTokenIds: listField(z.string().regex(/^[0-9]{1,100}$/)).nullish(),
  active: flag,
  closed: flag,
  archived: flag,
  acceptingOrders: flag,
  umaResolutionStatus: z.string().max(100).nullish(),
  startDate: timeField.nullish(),
  createdAt: timeField.nullish(),
  endDate: timeField.nullish(),
  endDateIso: timeField.nullish(),
  bestBid: dollarsField.nullish(),
  bestAsk: dollarsField.nullish(),
  lastTradePrice: dollarsField.nullish(),
  oneDayPriceChange: decimalField(minusOne, one).nullish(),
  volume24hr: countField.nullish(),
  description: rulesField.nullish(),
  category: labelField.nullish().catch(undefined),
  tags: tagsField,
  events: z.array(eventSchema).max(100).nullish(),
});

type Fields = z.output<typeof marketSchema>;

export type PolymarketMarket = {
  readonly row: MarketRow;
  readonly rules: string;
  /** What a contract of yes is called where it is traded. */
  readonly yesToken: string | undefined;
};

/** Its first outcome is yes here: that is the one its prices are of. */
export function readPolymarketMarket(item: unknown): ReadMarket<PolymarketMarket> {
  return readBy(marketSchema, item, (fields): ReadMarket<PolymarketMarket> => {
    const [yes, no] = fields.outcomes;
    if (fields.outcomes.length !== 2 || yes === undefined || yes === no || /^no$/i.test(yes)) {
      return { wrong: "outcomes" };
    }
    const opensAt = firstOf(fields.startDate, fields.createdAt);
    const closesAt = firstOf(fields.endDate, fields.endDateIso);
    if (opensAt === undefined) return { wrong: "startDate" };
    if (closesAt === undefined || closesAt < opensAt) return { wrong: "endDate" };
    const row = rowOf(fields, yes, { opensAt, closesAt });
    if (isCrossed(row)) return { wrong: "bestBid" };
    return { read: { row, rules: fields.description ?? "", yesToken: fields.clobTokenIds?.[0] } };
  });
}

function rowOf(fields: Fields, yes: string, times: { opensAt: number; closesAt: number }): MarketRow {
  const title = /^yes$/i.test(yes) ? fields.question : `${fields.question}: ${yes}`;
  const labels = (fields.tags ?? []).map(({ label }) => label);
  const status = statusOf(fields);
  const outcome = status === "settled" ? outcomeOf(fields) : undefined;
  return {
    venue: "polymarket",
    ticker: fields.slug,
    event: fields.events?.[0]?.slug ?? fields.slug,
    title,
    ...placeMarket(title, fields.category ?? undefined, labels),
    ...times,
    synthetic: false,
    bidCents: priceCents(firstOf(fields.bestBid), "down"),
    askCents: priceCents(firstOf(fields.bestAsk), "up"),
    lastCents: priceCents(firstOf(fields.lastTradePrice), "nearest"),
    dayAgoCents: priceCents(dayAgoOf(fields), "nearest"),
    // It tells dollars, and a contract costs less than one: at least so many were traded.
    dayVolume: fields.volume24hr ?? 0,
    status,
    ...(outcome === undefined ? {} : { outcome }),
  };
}

function dayAgoOf({ lastTradePrice, oneDayPriceChange }: Fields): Decimal | undefined {
  if (!lastTradePrice || !oneDayPriceChange) return undefined;
  return subtract(lastTradePrice, oneDayPriceChange);
}

function statusOf(fields: Fields): MarketStatus {
  if (fields.closed) return fields.umaResolutionStatus === "resolved" ? "settled" : "closed";
  if (fields.archived) return "closed";
  if (!fields.active) return "upcoming";
  return fields.acceptingOrders === false ? "closed" : "open";
}

/** Once it is resolved, its prices are what it paid; where that was a half to each side, neither has won. */
function outcomeOf({ outcomePrices }: Fields): Outcome | undefined {
  const [paid] = outcomePrices ?? [];
  if (paid === undefined) return undefined;
  if (compareDecimals(paid, one) === 0) return "yes";
  return compareDecimals(paid, zero) === 0 ? "no" : undefined;
}
