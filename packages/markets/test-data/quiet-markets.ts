import type { SimulatedMarket, TickOrders } from "../src/simulation/simulated-market.ts";

export const day = 86_400_000;
/** When the markets of these tests open. */
export const opening = Date.UTC(2026, 10, 16);

/** A market as the tests need it, open for a day. */
export function marketNamed(ticker: string, terms: Partial<SimulatedMarket> = {}): SimulatedMarket {
  return {
    venue: "embedded",
    ticker,
    event: ticker,
    title: `Will ${ticker} be?`,
    category: "tests",
    region: "global",
    tags: [],
    opensAt: opening,
    closesAt: opening + day,
    synthetic: true,
    rules: "It settles as the test says.",
    outcome: "yes",
    ...terms,
  };
}

const nobody: TickOrders = { quotes: [], taker: undefined };

/** Markets in which the simulated participants do only what a test says. */
export function quietMarkets(
  markets: readonly SimulatedMarket[],
  ordersAt: (market: SimulatedMarket, tick: number) => TickOrders = () => nobody,
) {
  const byTicker = new Map(markets.map((market) => [market.ticker, market]));
  return { find: (ticker: string) => byTicker.get(ticker), ordersAt };
}
