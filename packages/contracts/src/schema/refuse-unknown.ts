import { InvalidInputError } from "../error/error-classes.ts";
import { keyForMessage } from "../json/path-for-message.ts";
import { nearest } from "../text/nearest.ts";

/** G1: an option that is not known is not ignored. A misspelt `idempotencyKey` must not become a call without one. */
export function refuseUnknown(given: unknown, known: readonly string[], what: string): void {
  if (typeof given !== "object" || given === null)
    throw new InvalidInputError(`each ${what} stands in an object: { ${known.join(", ")} }`, {
      details: { path: "", reason: "bad_option" },
    });
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const suggestions = nearest(key, known);
    const hint =
      suggestions[0] === undefined ? `known are ${known.join(", ")}` : `did you mean ${suggestions[0]}?`;
    throw new InvalidInputError(`unknown ${what} ${keyForMessage(key)}; ${hint}`, {
      details: { reason: "unknown_option", suggestions },
    });
  }
}
