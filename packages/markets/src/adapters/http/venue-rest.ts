import { isSimpleFunctionsError } from "@spfunctions/contracts";
import type { Clock } from "@spfunctions/kernel";

/** However long a venue asks to be left alone, it is asked again after an hour. */
const longestRestMs = 3_600_000;

/** How long the venue that a fault is of wants to be left alone; 0 where it does not say. */
export function restMsOf(fault: unknown): number {
  const asked = isSimpleFunctionsError(fault) ? fault.details?.retryAfterMs : undefined;
  return typeof asked === "number" ? Math.min(asked, longestRestMs) : 0;
}

/** The time for which a venue has asked to be left alone: it holds for everybody, whatever they would read there. */
export type VenueRest = {
  readonly leftMs: () => number;
  /** A longer one that it asked for before still holds. */
  readonly begin: (fault: unknown) => void;
};

export function venueRest({ elapsed }: Clock): VenueRest {
  let until = Number.NEGATIVE_INFINITY;
  return {
    leftMs: () => Math.max(0, Math.ceil(until - elapsed())),
    begin: (fault) => {
      until = Math.max(until, elapsed() + restMsOf(fault));
    },
  };
}
