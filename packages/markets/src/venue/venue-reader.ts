import type { Candle, Interval, MarketDetail, MarketRow } from "./market.ts";

export type CandleRange = { readonly interval: Interval; readonly from: number; readonly to: number };

/** How many candles a venue is read for at once at most, beginning with the earliest. */
export const mostCandles = 1_500;

/** Reads one venue. What it cannot get is a fault (`upstream_error`, `rate_limited`, `timeout`); what is not there is nothing. */
export interface VenueReader {
  readonly venue: string;
  readonly synthetic: boolean;
  /** The markets that are open now. */
  rows(signal?: AbortSignal): Promise<readonly MarketRow[]>;
  market(ticker: string, signal?: AbortSignal): Promise<MarketDetail | undefined>;
  /** In order, from the interval in which `from` lies to the one before `to`. */
  candles(ticker: string, range: CandleRange, signal?: AbortSignal): Promise<readonly Candle[] | undefined>;
  /** The markets that were open at a time, as they were then; only where the venue can tell. */
  rowsAt?(at: number): Promise<readonly MarketRow[]>;
}
