import { InvalidInputError } from "@spfunctions/contracts";
import { intervalMs } from "../venue/market.ts";
import type { CandleRange } from "../venue/venue-reader.ts";

/**
 * Candles of one answer.
 * @limit market.candles | `invalid_input`, reason `range_too_long` | fixed: one answer
 */
const mostCandles = 500;
/**
 * Candles of an answer whose call says no range.
 * @limit market.usualCandles | the range begins there | `from` and `to` of the call
 */
const usualCandles = 100;

type GivenRange = {
  readonly interval: CandleRange["interval"];
  readonly from: string | undefined;
  readonly to: string | undefined;
};

/** The range asked for; the last candles up to its end where it says no beginning. */
export function readCandleRange(given: GivenRange, now: number): CandleRange {
  const { interval } = given;
  const width = intervalMs[interval];
  const to = given.to === undefined ? now : Date.parse(given.to);
  const from =
    given.from === undefined ? (Math.ceil(to / width) - usualCandles) * width : Date.parse(given.from);
  if (from >= to) throw badRange("not_before_to", "from is not before to; give an earlier one");
  if (Math.ceil(to / width) - Math.floor(from / width) > mostCandles) {
    throw badRange(
      "range_too_long",
      `from and to are more than ${mostCandles} candles apart; ask for less, or for a longer interval`,
    );
  }
  return { interval, from, to };
}

function badRange(reason: string, message: string): InvalidInputError {
  return new InvalidInputError(message, { details: { path: "/from", reason } });
}
