import { compareDecimals, type Decimal, one, type Rounding, timesHundred, wholeOf, zero } from "./decimal.ts";

/**
 * A price in dollars as whole cents from 1 to 99, or null where there is none: venues write no bid as 0 and no ask as 1.
 * A bid is rounded down and an ask up, so that nobody is shown a better price than there is; what is left of the range by
 * that is no price in whole cents. What has been paid is rounded to the nearest cent, a half to the even one, and stays
 * within 1 to 99: a trade at 99.9 cents was a trade.
 */
export function priceCents(dollars: Decimal | undefined, rounding: Rounding): number | null {
  if (dollars === undefined) return null;
  if (compareDecimals(dollars, zero) <= 0 || compareDecimals(dollars, one) >= 0) return null;
  const cents = wholeOf(timesHundred(dollars), rounding);
  if (rounding === "nearest") return Math.min(99, Math.max(1, cents));
  return cents >= 1 && cents <= 99 ? cents : null;
}
