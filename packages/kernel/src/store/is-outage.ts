import { isSimpleFunctionsError } from "@spfunctions/contracts";

/** Whether a store does not answer for a while: whoever waits looks again. Not where nobody can say any more what is written. */
export function isOutage(error: unknown): boolean {
  if (!isSimpleFunctionsError(error) || error.details?.["reason"] === "in_doubt") return false;
  // A database that cannot be reached says so when it is read.
  const isAway = error.code === "host_configuration_needed" && error.retry === "after_wait";
  return isAway || error.code === "journal_append_failed";
}

/** Whether what was stopped by this goes on by itself once the store answers again: nothing but the store was in its way. */
export function isPassingOutage(error: unknown): boolean {
  if (!isSimpleFunctionsError(error)) return false;
  // How a tool ended could not be written, or whether one may start could not be asked.
  if (error.code === "recovery_needed" || (error.code === "lease_lost" && error.cause !== undefined))
    return isPassingOutage(error.cause);
  return isOutage(error) || error.code === "journal_append_failed";
}

/** Whether something was not written here, and is to be by whoever comes next. */
export function isUnwritten(error: unknown): boolean {
  if (!isSimpleFunctionsError(error)) return false;
  const { code } = error;
  return (
    isOutage(error) || code === "journal_append_failed" || code === "lease_lost" || code === "recovery_needed"
  );
}
