import { InvalidInputError, keyForMessage, nearest } from "@spfunctions/contracts";

/** setTimeout takes no longer time: it would fire at once. */
const longestMs = 2 ** 31 - 1;

/** A misspelt `idempotencyKey` must not become a call without one. */
export function refuseUnknownOptions(given: object, known: readonly string[], what: string): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const suggestions = nearest(key, known);
    const meant =
      suggestions[0] === undefined ? `known are ${known.join(", ")}` : `did you mean ${suggestions[0]}?`;
    throw new InvalidInputError(`unknown ${what} option ${keyForMessage(key)}; ${meant}`, {
      details: { reason: "unknown_option", suggestions },
    });
  }
}

export function requireWhole(value: number, name: string, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= longestMs) return value;
  throw new InvalidInputError(`${name} is a whole number from ${least} to ${longestMs}`, {
    details: { path: `/${name}`, reason: "out_of_range" },
  });
}

export function malformed(name: string, rule: string): InvalidInputError {
  return new InvalidInputError(`${name} ${rule}`, { details: { path: `/${name}`, reason: "malformed" } });
}
