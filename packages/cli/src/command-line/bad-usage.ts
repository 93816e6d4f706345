import { InvalidInputError, type SimpleFunctionsError } from "@spfunctions/contracts";

/** Kept here and not in the error: what a tool says about its own failure never passes for a mistake of whoever called it. */
const mistakes = new WeakSet<SimpleFunctionsError>();

/** What is wrong with the command line itself. */
export function badUsage(message: string): InvalidInputError {
  return asBadUsage(new InvalidInputError(message, { details: { reason: "bad_usage" } }));
}

/** The same error, as one that whoever wrote the command line has to mend. */
export function asBadUsage<Mistake extends SimpleFunctionsError>(error: Mistake): Mistake {
  mistakes.add(error);
  return error;
}

export function isBadUsage(error: SimpleFunctionsError): boolean {
  return mistakes.has(error);
}
