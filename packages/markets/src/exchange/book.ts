import type { Depth, Level } from "../venue/market.ts";
import type { WantedOrder } from "./exchange.ts";

/** Whose the orders of the simulated participants are. No principal can have this account id. */
export const simulatedAccount = "";

/** Whether somebody's, and not the simulated participants'. */
export function isReal({ accountId }: { readonly accountId: string }): boolean {
  return accountId !== simulatedAccount;
}

export type BookSide = "bid" | "ask";

/** What an order is for its owner, as it meets others: in prices of yes. */
export type StandingOrder = {
  readonly accountId: string;
  readonly orderId: string;
  readonly action: WantedOrder["action"];
  readonly side: WantedOrder["side"];
  readonly priceCents: number;
  /** What is left of it. */
  readonly quantity: number;
};

/** Best first, and of one price the oldest first: the place in the list is the priority. */
export type Book = { readonly bids: readonly StandingOrder[]; readonly asks: readonly StandingOrder[] };

/** Who buys yes or sells no bids for yes; who sells yes or buys no offers it. */
export function bookSideOf({ action, side }: Pick<StandingOrder, "action" | "side">): BookSide {
  return (action === "buy") === (side === "yes") ? "bid" : "ask";
}

/** A price of one side as a price of yes, and the other way round. */
export function priceOf(side: StandingOrder["side"], cents: number): number {
  return side === "yes" ? cents : 100 - cents;
}

export function depthOf({ bids, asks }: Book): Depth {
  return { bids: levelsOf(bids), asks: levelsOf(asks) };
}

function levelsOf(orders: readonly StandingOrder[]): Level[] {
  const levels: { priceCents: number; quantity: number }[] = [];
  for (const { priceCents, quantity } of orders) {
    const last = levels.at(-1);
    if (last?.priceCents === priceCents) last.quantity += quantity;
    else levels.push({ priceCents, quantity });
  }
  return levels;
}
