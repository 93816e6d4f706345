// X1: never silently unknown. A thrown commit has written nothing or everything: whoever asked for it does not know, and to call that
// failed could be untrue.
import { type ErrorCode, isSimpleFunctionsError, RecoveryNeededError } from "@spfunctions/contracts";

const faultsOfCommits: ReadonlySet<ErrorCode> = new Set(["journal_append_failed", "lease_lost"]);

/** Whether a store has thrown where it should have said what became of a commit. */
export function isUnanswered(fault: unknown): boolean {
  return isSimpleFunctionsError(fault) && faultsOfCommits.has(fault.code);
}

/** `lookWith`: the tool that shows what became of it. */
export function unknownOutcome(lookWith: string, cause: unknown): RecoveryNeededError {
  return new RecoveryNeededError(
    `the store did not answer, and nobody knows whether this has happened: look with ${lookWith} before you do it again`,
    { details: { reason: "store_did_not_answer" }, cause },
  );
}

/** Does something that is written by the store itself; where the store does not answer, the outcome is unknown. */
export async function orUnknown<Value>(lookWith: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (fault) {
    throw isUnanswered(fault) ? unknownOutcome(lookWith, fault) : fault;
  }
}
