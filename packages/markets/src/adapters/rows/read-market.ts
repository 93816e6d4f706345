import type { UpstreamError } from "@spfunctions/contracts";
import type { z } from "zod";
import type { Quote } from "../../venue/market.ts";
import { upstream } from "../http/venue-faults.ts";
import type { ReadMarket } from "./gather-pages.ts";

/** Reads one market by its schema. Only the schema's own names are told, never one from the answer. */
export function readBy<Schema extends z.ZodType, T>(
  schema: Schema,
  item: unknown,
  build: (fields: z.output<Schema>) => ReadMarket<T>,
): ReadMarket<T> {
  const result = schema.safeParse(item);
  if (result.success) return build(result.data);
  const [name] = result.error.issues[0]?.path ?? [];
  return { wrong: typeof name === "string" ? name : "market" };
}

/** The one market that was asked for; whatever else came is the venue's fault. */
export function marketAsked<T>(
  venue: string,
  market: ReadMarket<T>,
  isAsked: (read: T) => boolean = () => true,
): T {
  if ("wrong" in market) {
    throw upstream(venue, `answered with a market whose ${market.wrong} cannot be read`, "wrong_shape");
  }
  if (!isAsked(market.read)) throw otherMarket(venue);
  return market.read;
}

export function otherMarket(venue: string): UpstreamError {
  return upstream(venue, "answered with another market than the one that was asked for", "other_market");
}

/** A bid at or over the ask is none that somebody could still meet: the two are not of one moment. */
export function isCrossed({ bidCents, askCents }: Pick<Quote, "bidCents" | "askCents">): boolean {
  return bidCents !== null && askCents !== null && bidCents >= askCents;
}
