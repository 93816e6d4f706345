/** `Retry-After` as milliseconds from now: seconds or a date. What is neither says nothing. */
export function readRetryAfter(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined) return undefined;
  if (/^\d{1,10}(?:\.\d{1,6})?$/.test(header)) return Math.ceil(Number(header) * 1000);
  const date = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
