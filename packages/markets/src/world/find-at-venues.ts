import { NotFoundError } from "@spfunctions/contracts";
import type { VenueReader } from "../venue/venue-reader.ts";

/** What one venue has of a market, and whose it is. */
export type FoundAtVenue<Found> = { readonly reader: VenueReader; readonly found: Found };

/**
 * Asks the venue named, or one after the other until one has it. Where none has and one could not say, its fault is thrown: what
 * was not looked for everywhere is not known to be missing.
 */
export async function findAtVenues<Found>(
  readers: readonly VenueReader[],
  venue: string | undefined,
  ask: (reader: VenueReader) => Promise<Found | undefined>,
): Promise<FoundAtVenue<Found>> {
  const asked = readers.filter((reader) => venue === undefined || reader.venue === venue);
  if (asked.length === 0) throw missing("/venue", "there is no such venue; leave it out to ask all of them");
  const faults: unknown[] = [];
  for (const reader of asked) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- a venue is asked only if those before it have nothing
      const found = await ask(reader);
      if (found !== undefined) return { reader, found };
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length > 0) throw faults[0];
  throw missing("/ticker", "there is no such market; markets.search finds the ones there are");
}

function missing(path: string, message: string): NotFoundError {
  return new NotFoundError(message, { details: { path, reason: "not_found" } });
}
