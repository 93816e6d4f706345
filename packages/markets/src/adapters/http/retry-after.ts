/** How long an answer asks to be left alone: seconds, or a date. Nothing where it does not say, or cannot be read. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^[0-9]{1,9}$/.test(header)) return Number(header) * 1_000;
  // Without a weekday in front it is no date of HTTP, and what Date.parse makes of it is anybody's guess.
  const at = /^[A-Z][a-z]{2,8},? /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
