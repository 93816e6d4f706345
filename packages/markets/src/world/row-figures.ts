import type { MarketRow } from "../venue/market.ts";

/** The middle of the book, in cents and possibly a half; null where one side is missing. */
export function midOf({ bidCents, askCents }: MarketRow): number | null {
  return bidCents === null || askCents === null ? null : (bidCents + askCents) / 2;
}

/** What a market costs: the last trade, or else the middle of the book in whole cents. */
export function priceOf(row: MarketRow): number | null {
  if (row.lastCents !== null) return row.lastCents;
  const mid = midOf(row);
  return mid === null ? null : Math.round(mid);
}

/** How far the price went within the last day; null where either end is unknown. */
export function moveOf(row: MarketRow): number | null {
  const price = priceOf(row);
  return price === null || row.dayAgoCents === null ? null : price - row.dayAgoCents;
}

export function spreadOf({ bidCents, askCents }: MarketRow): number | null {
  return bidCents === null || askCents === null ? null : askCents - bidCents;
}

/** With one decimal; never a negative zero. */
export function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10 + 0;
}

export function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
