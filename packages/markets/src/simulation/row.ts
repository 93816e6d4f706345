import type { Market, MarketRow, Outcome } from "../venue/market.ts";
import { isOpenAt, type MarketLife } from "./market-life.ts";
import { lastPrice, quoteOf, tradePrice } from "./participants.ts";
import { dayTicks, dayVolumeAt } from "./volume.ts";

/** A market as it is, or was, at a tick. Its outcome is told once it has closed, and not before. */
export function rowAt(
  market: Market & { readonly outcome: Outcome },
  life: MarketLife,
  tick: number,
): MarketRow {
  const quote = quoteOf(life, tick);
  const isOver = tick >= life.closeTick;
  const row: MarketRow = {
    venue: market.venue,
    ticker: market.ticker,
    event: market.event,
    title: market.title,
    category: market.category,
    region: market.region,
    tags: market.tags,
    opensAt: market.opensAt,
    closesAt: market.closesAt,
    synthetic: market.synthetic,
    bidCents: quote?.bidCents ?? null,
    askCents: quote?.askCents ?? null,
    lastCents: isOver ? tradePrice(life, life.closeTick - 1) : (quote?.lastCents ?? null),
    dayAgoCents: isOpenAt(life, tick - dayTicks) ? lastPrice(life, tick - dayTicks) : null,
    dayVolume: dayVolumeAt(life, tick),
    status: isOver ? "settled" : tick < life.openTick ? "upcoming" : "open",
  };
  return isOver ? { ...row, outcome: market.outcome } : row;
}
