import type { JsonValue } from "@spfunctions/contracts";
import { z } from "zod";
import type { Candle } from "../../venue/market.ts";
import { priceCents } from "../fields/price-cents.ts";
import { centsField, countField, dollarsField, firstOf, itemsField } from "../fields/venue-fields.ts";

const traded = z.object({
  open: centsField.nullish(),
  open_dollars: dollarsField.nullish(),
  high: centsField.nullish(),
  high_dollars: dollarsField.nullish(),
  low: centsField.nullish(),
  low_dollars: dollarsField.nullish(),
  close: centsField.nullish(),
  close_dollars: dollarsField.nullish(),
});

const candleSchema = z.object({
  end_period_ts: z.int().min(0).max(253_402_300_800),
  price: traded.nullish(),
  volume: countField.nullish(),
  volume_fp: countField.nullish(),
});

const answerSchema = z.object({ ticker: z.string().nullish(), candlesticks: itemsField });

/**
 * The candles of a market in which somebody traded, or nothing where the answer is none for this market; one that is wrong is
 * left out.
 */
export function readKalshiCandles(
  answer: JsonValue,
  ticker: string,
  spanMs: number,
): readonly Candle[] | undefined {
  const { data } = answerSchema.safeParse(answer);
  if ((data?.ticker ?? ticker) !== ticker) return undefined;
  return data?.candlesticks.flatMap((item) => candleOf(item, spanMs) ?? []);
}

function candleOf(item: unknown, spanMs: number): Candle | undefined {
  const { data } = candleSchema.safeParse(item);
  const price = data?.price;
  if (!data || !price) return undefined;
  const openCents = priceCents(firstOf(price.open_dollars, price.open), "nearest");
  const highCents = priceCents(firstOf(price.high_dollars, price.high), "nearest");
  const lowCents = priceCents(firstOf(price.low_dollars, price.low), "nearest");
  const closeCents = priceCents(firstOf(price.close_dollars, price.close), "nearest");
  if (openCents === null || highCents === null || lowCents === null || closeCents === null) return undefined;
  if (highCents < Math.max(openCents, closeCents) || lowCents > Math.min(openCents, closeCents)) {
    return undefined;
  }
  // It names a candle by its end.
  const at = data.end_period_ts * 1_000 - spanMs;
  return {
    at,
    openCents,
    highCents,
    lowCents,
    closeCents,
    volume: firstOf(data.volume_fp, data.volume) ?? 0,
  };
}
