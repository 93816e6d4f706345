import { InvalidInputError } from "@spfunctions/contracts";

/** setTimeout takes no longer time: it would fire at once. */
const longestMs = 2 ** 31 - 1;

export function requireWhole(value: number, name: string, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= longestMs) return value;
  throw new InvalidInputError(`${name} is a whole number from ${least} to ${longestMs}`, {
    details: { path: `/${name}`, reason: "out_of_range" },
  });
}

export function malformed(name: string, rule: string): InvalidInputError {
  return new InvalidInputError(`${name} ${rule}`, { details: { path: `/${name}`, reason: "malformed" } });
}
