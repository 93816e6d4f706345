/** A limit as a database takes it, for which a negative one would be none or an error. */
export function rowsFor(limit: number): number {
  return Math.max(0, Math.min(Math.trunc(limit), Number.MAX_SAFE_INTEGER));
}
