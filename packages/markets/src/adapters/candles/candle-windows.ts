import { intervalMs } from "../../venue/market.ts";
import { type CandleRange, mostCandles } from "../../venue/venue-reader.ts";

export type CandleBounds = {
  readonly opensAt: number;
  readonly now: number;
  /** How much time a venue answers for at once. */
  readonly longestMs: number;
  /** How often it is asked. */
  readonly maxPages: number;
};

export type Window = { readonly from: number; readonly to: number };

/**
 * The times to ask a venue for, each no longer than it answers for: from the interval in which the range or the market begins, to where
 * the range ends or now is. Past `maxPages` the latest are left out.
 */
export function candleWindows(
  { interval, from, to }: CandleRange,
  { opensAt, now, longestMs, maxPages }: CandleBounds,
): readonly Window[] {
  const span = intervalMs[interval];
  const first = Math.floor(Math.max(from, opensAt) / span) * span;
  const end = Math.min(to, now, first + mostCandles * span);
  // A window ends where an interval does, or else the halves of a candle would come from two of them.
  const length = Math.max(span, Math.floor(longestMs / span) * span);
  const windows: Window[] = [];
  for (let at = first; at < end && windows.length < maxPages; at += length) {
    windows.push({ from: at, to: Math.min(at + length, end) });
  }
  return windows;
}
