import { errorFor, type SimpleFunctionsError } from "@spfunctions/contracts";
import { refuseKeyInBrowser } from "../identity/require-credential.ts";
import type { Limits } from "../options/limits.ts";
import { attempt } from "./attempt.ts";
import type { Connection } from "./connection.ts";
import type { Deadline } from "./deadline.ts";
import { earlyFault, unrepeatable } from "./faults.ts";
import type { Errand } from "./outcome.ts";
import { waitBeforeRetry } from "./wait-before-retry.ts";

/**
 * Sends a request until it is answered, or until trying again cannot help, may not be done, or would not end in time.
 * What is not repeatable is sent once.
 */
export async function deliver<Value>(
  connection: Connection,
  { retries, timing }: Limits,
  errand: Errand<Value>,
  deadline: Deadline,
): Promise<Value> {
  let wasUnanswered = false;
  for (let failures = 0; ; ) {
    // The code may have been moved into a page since the client was made.
    refuseKeyInBrowser(connection.credential);
    if (deadline.early !== undefined) throw earlyFault(errand, deadline.early, failures > 0);
    // oxlint-disable-next-line no-await-in-loop -- each attempt depends on how the last one ended
    const outcome = await attempt(connection, errand, deadline, timing.now);
    if (outcome.type === "answered") return outcome.value;
    failures++;
    const { mayHelp, retryAfterMs } = outcome;
    const error = wasUnanswered && outcome.isUnanswered !== true ? inDoubt(outcome.error) : outcome.error;
    wasUnanswered ||= outcome.isUnanswered === true;
    if (!errand.isRepeatable) throw unrepeatable(error);
    if (!mayHelp || failures > retries) throw error;
    const waitMs = waitBeforeRetry(failures, retryAfterMs, timing.random);
    // A wait that ends after the call's time is not begun: what went wrong says more than a timeout.
    if (waitMs === undefined || waitMs >= deadline.left()) throw error;
    // oxlint-disable-next-line no-await-in-loop -- the wait is what it is for
    await deadline.sleep(waitMs).catch(() => {});
  }
}

/** X1: what is said of the last attempt is not said of one before it that was never answered. */
function inDoubt({ code, message, details, retry, cause }: SimpleFunctionsError): SimpleFunctionsError {
  return errorFor(code, message, { details: { ...details, earlier: "outcome_unknown" }, retry, cause });
}
