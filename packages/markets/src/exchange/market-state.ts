// What the exchange knows about one market. Money and contracts are conserved: while it is open there are as many yes contracts as no
// contracts, and the escrow holds 100 cents for each pair; afterwards it holds 100 for each that is still to be paid.
import { strictObject } from "@spfunctions/contracts";
import { z } from "zod";
import { orderActions, orderSides } from "./exchange.ts";

const count = z.int().min(1);
const cents = z.int();
const price = z.int().min(1).max(99);

const standingSchema = strictObject({
  accountId: z.string(),
  orderId: z.string(),
  action: z.enum(orderActions),
  side: z.enum(orderSides),
  priceCents: price,
  quantity: count,
});

/** Contracts that are free: what stands for sale is in its order. */
export type Holding = { readonly yes: number; readonly no: number };

const holdingSchema = strictObject({ accountId: z.string(), yes: z.int().min(0), no: z.int().min(0) });

export const marketStateSchema = strictObject({
  /** The last tick that the simulated participants have acted in; -1 before the first. */
  tick: z.int().min(-1),
  phase: z.enum(["open", "settling", "settled"]),
  bids: z.array(standingSchema).readonly(),
  asks: z.array(standingSchema).readonly(),
  holdings: z.array(holdingSchema).readonly(),
  escrowCents: z.int().min(0),
  feeCents: z.int().min(0),
  /** What the simulated participants have gained or lost; they have as much credit as they need. */
  simulatedCents: cents,
  /** The last minutes that somebody real has traded in, oldest first. */
  prints: z
    .array(strictObject({ at: z.int(), lowCents: price, highCents: price, quantity: count }))
    .readonly(),
});
export type MarketState = z.infer<typeof marketStateSchema>;

export const newMarketState: MarketState = {
  tick: -1,
  phase: "open",
  bids: [],
  asks: [],
  holdings: [],
  escrowCents: 0,
  feeCents: 0,
  simulatedCents: 0,
  prints: [],
};
