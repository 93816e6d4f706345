import { HostConfigurationNeededError, InvalidInputError } from "@spfunctions/contracts";
import type { MarketsHost } from "../tools/markets-host.ts";
import { realVenues } from "../venue/real-venues.ts";
import type { VenueReader } from "../venue/venue-reader.ts";

/** The venue that orders are sent to here. */
export function embeddedVenueOf({ readers }: Pick<MarketsHost, "readers">): VenueReader {
  const [embedded] = readers;
  if (embedded !== undefined) return embedded;
  throw new HostConfigurationNeededError("no venue is configured; give the host its embedded venue first");
}

/** Orders go to the embedded venue alone: for any other nobody has given credentials, and nothing is sent. */
export function requireTradingVenue(host: Pick<MarketsHost, "readers">, venue: string): VenueReader {
  const embedded = embeddedVenueOf(host);
  if (venue === embedded.venue) return embedded;
  requireKnownVenue(host, venue);
  throw new HostConfigurationNeededError(
    `no credentials are configured for trading at ${venue}; nothing was sent: order at ${embedded.venue}`,
    { details: { venue, reason: "not_configured_here" } },
  );
}

/** The real venues are known by name, whether or not this host reads them. */
export function requireKnownVenue({ readers }: Pick<MarketsHost, "readers">, venue: string): void {
  const known = [...new Set([...readers.map((reader) => reader.venue), ...realVenues])];
  if (known.includes(venue)) return;
  throw new InvalidInputError(`the venue is none of ${known.join(", ")}`, {
    details: { path: "/venue", reason: "unknown_venue" },
  });
}
