import {
  cutText,
  errorFor,
  isErrorCode,
  isSimpleFunctionsError,
  redactText,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";

/**
 * What somebody else threw, if it is an error with one of our codes: made anew, so that nothing of the one that was thrown is passed
 * on unread. Not one that only looks like it, or cannot be read.
 */
export function ownErrorOf(thrown: unknown, maxChars: number): SimpleFunctionsError | undefined {
  if (!isSimpleFunctionsError(thrown)) return undefined;
  try {
    const { code, message, details, cause, retry } = thrown;
    if (!isErrorCode(code) || typeof message !== "string") return undefined;
    // Before it is cut: half a secret is one nobody would know again.
    const words = cutText(redactText(message), maxChars);
    return errorFor(code, words, { ...(details && { details }), ...(isRetry(retry) && { retry }), cause });
  } catch {
    return undefined;
  }
}

const retries = new Set<unknown>(["never", "safe", "after_wait", "after_user_action"]);

function isRetry(value: unknown): boolean {
  return retries.has(value);
}
