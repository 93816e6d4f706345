import type { SimpleFunctionsError } from "@spfunctions/contracts";

/** Why a request was not sent at all: nothing can have happened. */
export class NotSent extends Error {
  readonly error: SimpleFunctionsError;

  constructor(error: SimpleFunctionsError) {
    super(error.message, { cause: error });
    this.error = error;
  }
}
