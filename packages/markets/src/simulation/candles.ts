import { type Candle, intervalMs } from "../venue/market.ts";
import { type CandleRange, mostCandles } from "../venue/venue-reader.ts";
import type { MarketLife } from "./market-life.ts";
import { tradePrice } from "./participants.ts";
import { tickMs } from "./simulated-market.ts";
import { lastTradeTick, quantityAt } from "./volume.ts";

/**
 * A market's trades by interval: those that its open time touches, from the one in which `from` lies to the one before `to`. One
 * opens at the last price before it, and where nobody traded it stays there. What is traded at `to` or later is not in it.
 */
export function candlesOf(life: MarketLife, { interval, from, to }: CandleRange): readonly Candle[] {
  const span = intervalMs[interval];
  const startOf = (ms: number) => Math.floor(ms / span) * span;
  const first = Math.max(startOf(from), startOf(life.openTick * tickMs));
  const end = Math.min(to, life.closeTick * tickMs, first + mostCandles * span);
  const candles: Candle[] = [];
  for (let at = first; at < end; at += span) candles.push(candleOf(life, at, Math.min(at + span, to)));
  return candles;
}

function candleOf(life: MarketLife, at: number, until: number): Candle {
  const fromTick = Math.max(at / tickMs, life.openTick);
  const toTick = Math.min(until / tickMs, life.closeTick);
  const openCents = tradePrice(life, lastTradeTick(life, fromTick - 1) ?? life.openTick);
  let highCents = openCents;
  let lowCents = openCents;
  let closeCents = openCents;
  let volume = 0;
  for (let tick = fromTick; tick < toTick; tick += 1) {
    const quantity = quantityAt(life, tick);
    if (quantity === 0) continue;
    volume += quantity;
    closeCents = tradePrice(life, tick);
    if (closeCents > highCents) highCents = closeCents;
    if (closeCents < lowCents) lowCents = closeCents;
  }
  return { at, openCents, highCents, lowCents, closeCents, volume };
}
