import { errorFor, type RuntimeRunResult, type SimpleFunctionsError } from "@spfunctions/contracts";
import { printError } from "../io/report-error.ts";
import type { RunViewTerms } from "./run-view.ts";

/** Why a run has not completed, beside the answer. */
export function sayTrouble(
  { error }: Pick<RuntimeRunResult, "error">,
  { print, io, options }: RunViewTerms,
): void {
  if (error !== undefined) printError(print, errorFor(error.code, error.message), io.env, options);
}

/** The same of one that has not ended either: for whoever reads that nothing was completed. */
export function troubleOf({ runId, status, error }: RuntimeRunResult): SimpleFunctionsError | undefined {
  if (error !== undefined) return errorFor(error.code, error.message);
  if (status === "requires_approval")
    return errorFor("approval_required", `${runId} waits for a person, and is left as it is`);
  return status === "recovery_needed"
    ? errorFor("recovery_needed", `${runId} is left as it is until somebody says what became of an effect`)
    : undefined;
}
