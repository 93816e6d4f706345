import { isSimpleFunctionsError } from "@spfunctions/contracts";
import type { Clock } from "@spfunctions/kernel";
import type { VenueReader } from "../venue/venue-reader.ts";

/** How much a round asks of one venue: so often, and for so long. */
export const mostAsked = 100;
export const longestAskedMs = 10_000;

/**
 * Asks a venue in one round. Once it has said no, by a word or by giving no answer, it is not asked again: whatever else would be
 * is answered alike. One that is simulated here is never asked too much.
 */
export function venuePatience({ synthetic }: Pick<VenueReader, "synthetic">, { elapsed }: Clock) {
  let [asked, askedMs] = [0, 0];
  let refusal: unknown;
  return {
    isSpent: (): boolean => !synthetic && (asked >= mostAsked || askedMs >= longestAskedMs),
    asking: async <Answer>(read: () => Promise<Answer>): Promise<Answer> => {
      if (refusal !== undefined) throw refusal;
      const began = elapsed();
      asked += 1;
      try {
        return await read();
      } catch (fault) {
        if (isRefusal(fault)) refusal = fault;
        throw fault;
      } finally {
        askedMs += elapsed() - began;
      }
    },
  };
}

/** What is wrong with one market alone; another may well be read. */
const faultsOfOneMarket = new Set<unknown>(["wrong_shape", "other_market"]);

function isRefusal(fault: unknown): boolean {
  if (!isSimpleFunctionsError(fault)) return false;
  const { code, details } = fault;
  if (code === "upstream_error") return !faultsOfOneMarket.has(details?.reason);
  return code === "rate_limited" || code === "timeout";
}
