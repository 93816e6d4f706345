import { errorFor, type SimpleFunctionsError } from "@spfunctions/contracts";
import { asCommands } from "./as-commands.ts";

/** The same error, told in commands; `options` is what finds the place that it is about. */
export function inCommands(error: SimpleFunctionsError, options = ""): SimpleFunctionsError {
  const { code, details, message, retry } = error;
  return errorFor(code, asCommands(message, options), { ...(details && { details }), retry, cause: error });
}
