import { strictObject } from "@spfunctions/contracts";
import { z } from "zod";
import type { Depth } from "../venue/market.ts";

export const priceCentsSchema = z.int().min(1).max(99);

export const triggerKinds = [
  "bid_at_or_above",
  "bid_at_or_below",
  "ask_at_or_above",
  "ask_at_or_below",
] as const;

export const triggerSchema = strictObject({
  when: z.enum(triggerKinds),
  priceCents: priceCentsSchema.meta({ description: "Cents for a yes contract, whichever side is ordered." }),
});
export type Trigger = z.infer<typeof triggerSchema>;

/** Whether a book is where a trigger waits for it. Where nobody bids or asks, no price is anywhere. */
export function triggerHolds({ when, priceCents }: Trigger, { bids, asks }: Depth): boolean {
  const best = (when.startsWith("bid") ? bids : asks)[0]?.priceCents;
  if (best === undefined) return false;
  return when.endsWith("above") ? best >= priceCents : best <= priceCents;
}
