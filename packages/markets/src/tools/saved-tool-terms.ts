import { strictObject, withoutSecret } from "@spfunctions/contracts";
import { z } from "zod";
import { embeddedVenueOf, requireKnownVenue } from "../intents/trading-venue.ts";
import type { MarketsHost } from "./markets-host.ts";

export type SavedHost = Pick<MarketsHost, "store" | "clock" | "ids" | "readers">;

export const savedVenueSchema = withoutSecret(z.string().min(1).max(64), "venue");
export const savedPageSchema = strictObject({
  after: z
    .string()
    .regex(/^(?:wl|alr)_[\w-]{1,64}$/, "expected the `next` of a page before")
    .optional(),
  limit: z.int().min(1).max(100).optional(),
});

/** It names something of its account and opens nothing: records show it. */
export const shownId = z.string().meta({ "x-sf-public": true });

/** What an account has saved is its own. */
export const listing = {
  sideEffect: "none",
  costEffect: "api_cost",
  risk: ["account_context", "user_data"],
  stability: "beta",
} as const;

export const saving = {
  sideEffect: "user_write",
  stability: "beta",
  // What it changes is written with the record of its end: without that record nothing has happened.
  reconcile: () => ({ status: "failed" }) as const,
} as const;

/** The embedded venue unless another is named. */
export function savedVenue(host: SavedHost, venue: string | undefined): string {
  if (venue === undefined) return embeddedVenueOf(host).venue;
  requireKnownVenue(host, venue);
  return venue;
}
