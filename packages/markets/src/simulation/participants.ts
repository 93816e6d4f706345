import type { Depth } from "../venue/market.ts";
import { isOpenAt, type MarketLife } from "./market-life.ts";
import { mix } from "./noise.ts";
import type { SimulatedOrder, TickOrders } from "./simulated-market.ts";
import { lastTradeTick, quantityAt } from "./volume.ts";

/** The best prices of a tick, and the price of the last trade up to it. */
export type TickQuote = { readonly bidCents: number; readonly askCents: number; readonly lastCents: number };

const levels = 5;
const nobody: TickOrders = { quotes: [], taker: undefined };

/** What the participants of a market do in a tick. The taker never wants more than stands at the best price. */
export function ordersOf(life: MarketLife, tick: number): TickOrders {
  if (!isOpenAt(life, tick)) return nobody;
  const wanted = quantityAt(life, tick);
  const side = takerSide(life, tick);
  const { bidCents, askCents } = bestPrices(life, tick);
  const quotes = [
    ...ladder(life, tick, "bid", bidCents, side === "ask" ? wanted : 0),
    ...ladder(life, tick, "ask", askCents, side === "bid" ? wanted : 0),
  ];
  const taker = { side, priceCents: side === "bid" ? askCents : bidCents, quantity: wanted };
  return { quotes, taker: wanted > 0 ? taker : undefined };
}

/** The same as `ordersOf` says, without the orders; nothing while the market is not open. */
export function quoteOf(life: MarketLife, tick: number): TickQuote | undefined {
  if (!isOpenAt(life, tick)) return undefined;
  const { bidCents, askCents } = bestPrices(life, tick);
  return { bidCents, askCents, lastCents: lastPrice(life, tick) };
}

/** The price of the last trade up to a tick in which the market is open. */
export function lastPrice(life: MarketLife, tick: number): number {
  return tradePrice(life, lastTradeTick(life, tick) ?? tick);
}

/** The price at which a tick's taker trades. */
export function tradePrice(life: MarketLife, tick: number): number {
  const { bidCents, askCents } = bestPrices(life, tick);
  return takerSide(life, tick) === "bid" ? askCents : bidCents;
}

/** What is left standing once the taker of a tick has taken. */
export function depthOf({ quotes, taker }: TickOrders): Depth {
  const left = (side: SimulatedOrder["side"]) =>
    quotes
      .filter((quote) => quote.side === side)
      .map(({ priceCents, quantity }) => ({
        priceCents,
        quantity:
          taker !== undefined && taker.side !== side && taker.priceCents === priceCents
            ? quantity - taker.quantity
            : quantity,
      }));
  return { bids: left("bid"), asks: left("ask") };
}

function bestPrices(
  life: MarketLife,
  tick: number,
): { readonly bidCents: number; readonly askCents: number } {
  const fair = life.fairAt(tick);
  const width = life.width + (mix(life.widthKey, tick) % 8 === 0 ? 1 : 0);
  const below = fair - (width >> 1);
  return { bidCents: Math.max(1, below), askCents: Math.min(99, below + width) };
}

function takerSide(life: MarketLife, tick: number): SimulatedOrder["side"] {
  return mix(life.key ^ 0x9000, tick) % 2 === 0 ? "bid" : "ask";
}

function ladder(
  life: MarketLife,
  tick: number,
  side: SimulatedOrder["side"],
  best: number,
  wanted: number,
): readonly SimulatedOrder[] {
  const key = mix(life.key ^ (side === "bid" ? 0x9100 : 0x9200), tick);
  const quotes: SimulatedOrder[] = [];
  let priceCents = best;
  for (let level = 0; level < levels && priceCents >= 1 && priceCents <= 99; level += 1) {
    const draw = mix(key, level);
    const size = 1 + (draw % (20 + Math.floor(life.liquidity) * (level + 1)));
    quotes.push({ side, priceCents, quantity: level === 0 ? size + wanted : size });
    priceCents += (side === "bid" ? -1 : 1) * (draw >>> 28 < 5 ? 2 : 1);
  }
  return quotes;
}
