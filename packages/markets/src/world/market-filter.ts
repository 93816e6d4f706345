import type { MarketRow } from "../venue/market.ts";
import { priceOf } from "./row-figures.ts";

/** Which markets; what is not said does not matter. */
export type MarketFilter = {
  readonly category?: string | undefined;
  readonly region?: string | undefined;
  readonly venue?: string | undefined;
  readonly minPriceCents?: number | undefined;
  readonly maxPriceCents?: number | undefined;
  readonly closesBefore?: number | undefined;
};

export function passes(row: MarketRow, filter: MarketFilter): boolean {
  const price = priceOf(row);
  return (
    isSame(row.category, filter.category) &&
    isSame(row.region, filter.region) &&
    isSame(row.venue, filter.venue) &&
    isAtLeast(price, filter.minPriceCents) &&
    isAtMost(price, filter.maxPriceCents) &&
    (filter.closesBefore === undefined || row.closesAt < filter.closesBefore)
  );
}

function isSame(value: string, wanted: string | undefined): boolean {
  return wanted === undefined || value === wanted;
}

/** What is not known passes no limit. */
export function isAtLeast(value: number | null, limit: number | undefined): boolean {
  return limit === undefined || (value !== null && value >= limit);
}

export function isAtMost(value: number | null, limit: number | undefined): boolean {
  return limit === undefined || (value !== null && value <= limit);
}
