/** The real venues that can be read, by name. A host reads those that it is told to. */
export const realVenues = ["kalshi", "polymarket"] as const;
export type RealVenueName = (typeof realVenues)[number];
