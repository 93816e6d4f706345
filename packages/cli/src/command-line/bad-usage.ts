import { InvalidInputError } from "@spfunctions/contracts";

/** What is wrong with the command line itself. */
export function badUsage(message: string): InvalidInputError {
  return new InvalidInputError(message, { details: { reason: "bad_usage" } });
}
