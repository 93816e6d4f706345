import { type Interval, intervalMs, intervals } from "../venue/market.ts";
import type { VenueReader } from "../venue/venue-reader.ts";

/** How many candles further back it looks where nobody traded. */
const furtherBack = 10;

/** The candles to look through for a price some time ago: the longest that are no more than a tenth of that time. */
export function candlesFor(
  minutes: number,
  now: number,
): { readonly interval: Interval; readonly at: number } {
  const ago = minutes * 60_000;
  const interval = intervals.findLast((one) => intervalMs[one] * 10 <= ago) ?? "1m";
  const span = intervalMs[interval];
  return { interval, at: Math.floor((now - ago) / span) * span };
}

/** What a market cost when the candle at this time began, or last before that; nothing where nobody had traded. */
export async function priceAt(
  reader: VenueReader,
  ticker: string,
  { interval, at }: ReturnType<typeof candlesFor>,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const span = intervalMs[interval];
  const range = { interval, from: at - furtherBack * span, to: at + span };
  const candles = await reader.candles(ticker, range, signal);
  const last = candles?.findLast((candle) => candle.at <= at);
  return last?.at === at ? last.openCents : last?.closeCents;
}
