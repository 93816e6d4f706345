import { intervalMs, type MarketRow } from "../venue/market.ts";
import { highestFirst } from "./row-order.ts";

export type CalendarQuery = {
  readonly days: number;
  readonly category?: string | undefined;
  readonly limit: number;
};

export function byClosing(rows: readonly MarketRow[]): MarketRow[] {
  return highestFirst(rows, ({ closesAt }) => -closesAt);
}

/** What closes within some days, of markets in the order of their closing. */
export function closingMarkets(
  ordered: readonly MarketRow[],
  { days, category, limit }: CalendarQuery,
  now: number,
): MarketRow[] {
  const until = now + days * intervalMs["1d"];
  const closing: MarketRow[] = [];
  for (const row of ordered) {
    if (row.closesAt > until || closing.length === limit) break;
    const isAsked = category === undefined || row.category === category;
    if (row.closesAt >= now && isAsked) closing.push(row);
  }
  return closing;
}
