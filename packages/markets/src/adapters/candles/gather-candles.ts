import type { Candle } from "../../venue/market.ts";

/**
 * Shorter candles, in any order, as candles of one length, in order. What lies outside of the windows asked for is left out, and
 * what comes twice counts once. Between two candles in which somebody traded, one in which nobody did stays at the last price.
 */
export function gatherCandles(
  parts: readonly Candle[],
  span: number,
  { from, to }: { readonly from: number; readonly to: number },
): readonly Candle[] {
  const once = new Map(parts.filter(({ at }) => at >= from && at < to).map((part) => [part.at, part]));
  const candles: Candle[] = [];
  for (const part of [...once.values()].toSorted((a, b) => a.at - b.at)) {
    const at = Math.floor(part.at / span) * span;
    let last = candles.at(-1);
    while (last !== undefined && last.at + span < at) {
      last = flatAfter(last, span);
      candles.push(last);
    }
    if (last?.at === at) candles[candles.length - 1] = joined(last, part);
    else candles.push({ ...part, at });
  }
  return candles;
}

function flatAfter({ at, closeCents }: Candle, span: number): Candle {
  return {
    at: at + span,
    openCents: closeCents,
    highCents: closeCents,
    lowCents: closeCents,
    closeCents,
    volume: 0,
  };
}

function joined(candle: Candle, later: Candle): Candle {
  return {
    at: candle.at,
    openCents: candle.openCents,
    highCents: Math.max(candle.highCents, later.highCents),
    lowCents: Math.min(candle.lowCents, later.lowCents),
    closeCents: later.closeCents,
    volume: candle.volume + later.volume,
  };
}
