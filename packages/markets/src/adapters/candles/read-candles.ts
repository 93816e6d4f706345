import { type Candle, intervalMs } from "../../venue/market.ts";
import type { CandleRange } from "../../venue/venue-reader.ts";
import { type CandleBounds, candleWindows, type Window } from "./candle-windows.ts";
import { gatherCandles } from "./gather-candles.ts";

/** The candles of a range, from as many requests as the venue needs for it. */
export async function readCandles(
  range: CandleRange,
  bounds: CandleBounds,
  readWindow: (window: Window) => Promise<readonly Candle[]>,
): Promise<readonly Candle[]> {
  const windows = candleWindows(range, bounds);
  const parts: (readonly Candle[])[] = [];
  for (const window of windows) {
    // oxlint-disable-next-line no-await-in-loop -- one request after the other: a venue counts them
    parts.push(await readWindow(window));
  }
  const [first, last] = [windows[0], windows.at(-1)];
  if (first === undefined || last === undefined) return [];
  return gatherCandles(parts.flat(), intervalMs[range.interval], { from: first.from, to: last.to });
}
