import {
  errorFor,
  type ErrorDetails,
  isErrorCode,
  isSimpleFunctionsError,
  redact,
  type RedactOptions,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { safeText } from "./safe-text.ts";

/**
 * The words of an error that a tool or a model throws.
 * @limit call.errorChars | it is cut | fixed: a record is no place for a log
 */
export const maxErrorChars = 2000;

/**
 * What somebody else threw, if it is an error with one of our codes: made anew, so that nothing of the one that was thrown is passed
 * on unread. Not one that only looks like it, or cannot be read.
 */
export function ownErrorOf(thrown: unknown, options?: RedactOptions): SimpleFunctionsError | undefined {
  if (!isSimpleFunctionsError(thrown)) return undefined;
  try {
    const { code, message, details, cause, retry } = thrown;
    if (!isErrorCode(code) || typeof message !== "string") return undefined;
    const words = safeText(message, maxErrorChars, options);
    const kept = redact({ details, cause }, { ...options, maxTextChars: 10 * maxErrorChars }) as {
      details?: ErrorDetails;
      cause?: unknown;
    };
    return errorFor(code, words, {
      ...(kept.details && { details: kept.details }),
      ...(isRetry(retry) && { retry }),
      cause: kept.cause,
    });
  } catch {
    return undefined;
  }
}

const retries = new Set<unknown>(["never", "safe", "after_wait", "after_user_action"]);

function isRetry(value: unknown): boolean {
  return retries.has(value);
}
