import type { Market, Outcome } from "../venue/market.ts";

/** One tick of a simulated market. */
export const tickMs = 60_000;

export function tickAt(ms: number): number {
  return Math.floor(ms / tickMs);
}

/** A market whose history is a function of the seed, the market and the tick. */
export type SimulatedMarket = Market & {
  readonly rules: string;
  /** How it will end; nothing shows it before it has closed. */
  readonly outcome: Outcome;
};

/** An order of the simulated participants, as a price of yes. */
export type SimulatedOrder = {
  readonly side: "bid" | "ask";
  readonly priceCents: number;
  readonly quantity: number;
};

/**
 * What the simulated participants do in a tick: they withdraw what they had standing, quote anew, and then one of them may take.
 * Quotes never cross each other, and come best first, bids before asks.
 */
export type TickOrders = {
  readonly quotes: readonly SimulatedOrder[];
  readonly taker: SimulatedOrder | undefined;
};
