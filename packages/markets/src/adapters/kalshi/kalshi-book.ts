import type { JsonValue } from "@spfunctions/contracts";
import { z } from "zod";
import type { Depth } from "../../venue/market.ts";
import { depthOf, type VenueLevel } from "../depth/depth-of.ts";
import { one, subtract } from "../fields/decimal.ts";
import { centsField, countField, dollarsField, firstOf } from "../fields/venue-fields.ts";

const inDollars = z.array(z.tuple([dollarsField, countField])).nullish();
const inCents = z.array(z.tuple([centsField, countField])).nullish();

const sides = z.object({ yes_dollars: inDollars, no_dollars: inDollars, yes: inCents, no: inCents });

const bookSchema = z.object({ orderbook_fp: sides.nullish(), orderbook: sides.nullish() });

/** Its books hold bids alone: who bids for no at 40 cents asks 60 for yes. Nothing where the answer is no book. */
export function readKalshiBook(answer: JsonValue): Depth | undefined {
  const result = bookSchema.safeParse(answer);
  const book = firstOf(result.data?.orderbook_fp, result.data?.orderbook);
  if (book === undefined) return undefined;
  const no = firstOf(book.no_dollars, book.no) ?? [];
  return depthOf(
    firstOf(book.yes_dollars, book.yes) ?? [],
    no.map(([dollars, quantity]): VenueLevel => [subtract(one, dollars), quantity]),
  );
}
