import type { JsonValue } from "@spfunctions/contracts";
import { z } from "zod";
import type { Candle, Depth } from "../../venue/market.ts";
import { depthOf, type VenueLevel } from "../depth/depth-of.ts";
import { priceCents } from "../fields/price-cents.ts";
import { countField, dollarsField, itemsField } from "../fields/venue-fields.ts";

const side = z.array(
  z
    .object({ price: dollarsField, size: countField })
    .transform(({ price, size }): VenueLevel => [price, size]),
);

const bookSchema = z.object({ asset_id: z.string().nullish(), bids: side, asks: side });

/** Nothing where the answer is no book of this contract. */
export function readPolymarketBook(answer: JsonValue, token: string): Depth | undefined {
  const { data } = bookSchema.safeParse(answer);
  if ((data?.asset_id ?? token) !== token) return undefined;
  return data && depthOf(data.bids, data.asks);
}

const historySchema = z.object({ history: itemsField });
const pointSchema = z.object({ t: z.int().min(0).max(253_402_300_800), p: dollarsField });

/**
 * A history of prices, each as the candle of its moment, or nothing where the answer is no history. It does not tell how much was
 * traded, so that every volume is 0; a point that is wrong is left out.
 */
export function readPolymarketHistory(answer: JsonValue): readonly Candle[] | undefined {
  return historySchema.safeParse(answer).data?.history.flatMap((item) => candleAt(item) ?? []);
}

function candleAt(item: unknown): Candle | undefined {
  const { data } = pointSchema.safeParse(item);
  const cents = data === undefined ? null : priceCents(data.p, "nearest");
  if (data === undefined || cents === null) return undefined;
  return {
    at: data.t * 1_000,
    openCents: cents,
    highCents: cents,
    lowCents: cents,
    closeCents: cents,
    volume: 0,
  };
}
