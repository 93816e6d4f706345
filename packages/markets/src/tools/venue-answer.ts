import { timestampSchema } from "@spfunctions/contracts";
import { z } from "zod";
import { areSynthetic } from "../world/gather-rows.ts";
import type { VenueRows } from "../world/rows-by-tick.ts";
import { isoTime, listOf, unavailableSchema } from "./market-view.ts";

/** What a list over all venues says beside its items: when, whether nobody real is in it, and who could not be read. */
export function answerShape<Item extends z.ZodType>(item: Item) {
  return {
    at: timestampSchema,
    synthetic: z.boolean(),
    items: listOf(item),
    unavailable: unavailableSchema,
  } as const;
}

export function answerOf<Item extends { readonly synthetic: boolean }>(
  venues: Omit<VenueRows, "rows">,
  items: readonly Item[],
) {
  const { at, unavailable } = venues;
  return { at: isoTime(at), synthetic: areSynthetic(items, [venues]), items, unavailable };
}
