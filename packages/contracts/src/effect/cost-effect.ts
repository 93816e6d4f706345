import { z } from "zod";
import { rankIn } from "./rank-in.ts";

/** Cost classes, cheapest first: the position is the rank. */
export const costEffects = [
  /** It costs nobody anything that is counted. */
  "none",
  /** A request of an interface that somebody pays for or counts. */
  "api_cost",
  /** A search. */
  "search_cost",
  /** A request of a trading venue, of which there are only so many. */
  "venue_request_cost",
  /** A model is asked. */
  "llm_cost",
] as const;

export const costEffectSchema = z.enum(costEffects, {
  error: `expected a costEffect: one of ${costEffects.join(", ")}`,
});
/** What kind of money or quota a call consumes. It is a category, not an amount. */
export type CostEffect = z.infer<typeof costEffectSchema>;

/** The rank of a class. An unknown one has none: it would pass under a ceiling or lift it (G1). */
export function costEffectRank(effect: CostEffect): number {
  return rankIn(costEffects, effect);
}
