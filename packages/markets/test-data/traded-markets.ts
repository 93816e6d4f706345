import { tickMs, type TickOrders } from "../src/simulation/simulated-market.ts";
import { marketNamed, opening, quietMarkets } from "./quiet-markets.ts";

/** Simulated participants that stand around 50 and take something every other tick. */
function ordersAt({ ticker }: { readonly ticker: string }, tick: number): TickOrders {
  const middle = 45 + ((tick * 7 + ticker.length) % 11);
  const isBid = tick % 4 === 0;
  return {
    quotes: [
      { side: "bid", priceCents: middle - 1, quantity: 5 },
      { side: "bid", priceCents: middle - 3, quantity: 9 },
      { side: "ask", priceCents: middle + 2, quantity: 4 },
      { side: "ask", priceCents: middle + 3, quantity: 7 },
    ],
    taker:
      tick % 2 === 0 ? { side: isBid ? "bid" : "ask", priceCents: isBid ? 99 : 1, quantity: 6 } : undefined,
  };
}

/** Two markets, one that ends after an hour as yes, and one after two hours as no. */
export const tradedMarkets = quietMarkets(
  [
    marketNamed("A", { closesAt: opening + 60 * tickMs, outcome: "yes" }),
    marketNamed("B", { closesAt: opening + 120 * tickMs, outcome: "no" }),
  ],
  ordersAt,
);
