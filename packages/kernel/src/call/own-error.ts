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
 * What somebody else threw, if it is an error with one of our codes: made anew, so that nothing of the one that was thrown is passed
 * on unread. Not one that only looks like it, or cannot be read.
 */
export function ownErrorOf(
  thrown: unknown,
  maxChars: number,
  options?: RedactOptions,
): SimpleFunctionsError | undefined {
  if (!isSimpleFunctionsError(thrown)) return undefined;
  try {
    const { code, message, details, cause, retry } = thrown;
    if (!isErrorCode(code) || typeof message !== "string") return undefined;
    const words = safeText(message, maxChars, options);
    const kept = redact({ details, cause }, { ...options, maxTextChars: 10 * maxChars }) as {
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
