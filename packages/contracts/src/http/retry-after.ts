/** A timer that is set for longer ends at once. */
const longestTimerMs = 2 ** 31 - 1;

const seconds = /^\d+(?:\.\d+)?$/;
/** The three ways in which HTTP writes a date (RFC 9110, 5.6.7). What else `Date.parse` would make a date of is anybody's guess. */
const dates = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

/**
 * `Retry-After` as milliseconds from now: seconds, also parts of one, as some providers say them, or a date. No more than a timer can
 * wait; what is neither says nothing.
 */
export function readRetryAfter(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined || header.length > 64) return undefined;
  const ms = seconds.test(header) ? Math.ceil(Number(header) * 1000) : msUntil(header, now);
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), longestTimerMs);
}

function msUntil(date: string, now: number): number {
  if (!dates.some((form) => form.test(date))) return Number.NaN;
  // The oldest of the three names no zone, and means this one.
  return Date.parse(date.endsWith("GMT") ? date : `${date} GMT`) - now;
}
