import type { Depth, Level } from "../../venue/market.ts";
import type { Decimal } from "../fields/decimal.ts";
import { priceCents } from "../fields/price-cents.ts";

/** A level as a venue tells it: a price of yes in dollars, and whole contracts. */
export type VenueLevel = readonly [dollars: Decimal, quantity: number];

/** A book in whole cents, best first: a bid is rounded down and an ask up, and what meets at a cent is one level. */
export function depthOf(bids: readonly VenueLevel[], asks: readonly VenueLevel[]): Depth {
  return {
    bids: levelsOf(bids, "down").toSorted((a, b) => b.priceCents - a.priceCents),
    asks: levelsOf(asks, "up").toSorted((a, b) => a.priceCents - b.priceCents),
  };
}

function levelsOf(levels: readonly VenueLevel[], rounding: "down" | "up"): Level[] {
  const quantities = new Map<number, number>();
  for (const [dollars, quantity] of levels) {
    const cents = priceCents(dollars, rounding);
    if (cents !== null && quantity > 0) quantities.set(cents, (quantities.get(cents) ?? 0) + quantity);
  }
  return [...quantities].map(([cents, quantity]) => ({ priceCents: cents, quantity }));
}

/** The book is read after the market, so its best prices are the market's. */
export function bestOf({ bids, asks }: Depth): { bidCents: number | null; askCents: number | null } {
  return { bidCents: bids[0]?.priceCents ?? null, askCents: asks[0]?.priceCents ?? null };
}
