import { errorFor, isSimpleFunctionsError } from "@spfunctions/contracts";
import { asBadUsage } from "../command-line/bad-usage.ts";

/** What was thrown; where a file is not there, with what to do about it. */
export function withFileHint(thrown: unknown, hint: string): unknown {
  if (!isSimpleFunctionsError(thrown) || thrown.details?.reason !== "no_file") return thrown;
  const { code, message, details } = thrown;
  return asBadUsage(errorFor(code, `${message}; ${hint}`, { details, cause: thrown }));
}
