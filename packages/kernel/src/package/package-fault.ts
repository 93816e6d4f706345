import type { ErrorOptions, SimpleFunctionsError } from "@spfunctions/contracts";

type ErrorClass = new (message: string, options?: ErrorOptions) => SimpleFunctionsError;

/** What is wrong with a runtime package: where, why as a stable word, and what to do now. */
export type PackageProblem = {
  readonly path: string;
  readonly reason: string;
  readonly message: string;
  readonly tool?: string;
  readonly suggestions?: readonly string[];
};

export function packageFault(
  Failure: ErrorClass,
  { message, ...details }: PackageProblem,
  cause?: unknown,
): SimpleFunctionsError {
  return new Failure(`invalid runtime package: ${message}`, { details, cause });
}
