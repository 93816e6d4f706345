import { InvalidInputError } from "@spfunctions/contracts";

export function requireOneOf(what: string, given: unknown, known: readonly string[]): void {
  if (typeof given === "string" && known.includes(given)) return;
  throw new InvalidInputError(`unknown ${what}; there are: ${known.join(", ")}`, {
    details: { reason: "unknown" },
  });
}
