import type { Market, MarketRow, Outcome } from "../venue/market.ts";
import type { MarketLife } from "./market-life.ts";
import { quoteOf, tradePrice } from "./participants.ts";
import { dayTicks, dayVolumeAt } from "./volume.ts";

/** A market as it is, or was, at a tick. Its outcome is told once it has closed, and not before. */
export function rowAt(
  market: Market & { readonly outcome: Outcome },
  life: MarketLife,
  tick: number,
): MarketRow {
  const row = {
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
    bidCents: null,
    askCents: null,
    lastCents: null,
    dayAgoCents: quoteOf(life, tick - dayTicks)?.lastCents ?? null,
    dayVolume: dayVolumeAt(life, tick),
  };
  if (tick < life.openTick) return { ...row, status: "upcoming" };
  if (tick < life.closeTick) return { ...row, ...quoteOf(life, tick), status: "open" };
  const lastCents = tradePrice(life, life.closeTick - 1);
  return { ...row, lastCents, status: "settled", outcome: market.outcome };
}
