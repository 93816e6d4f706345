import {
  cutText,
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
    const kept = safeParts({ message, details, cause }, options);
    return errorFor(code, kept.message, {
      ...(kept.details && { details: kept.details }),
      ...(isRetry(retry) && { retry }),
      cause: kept.cause,
    });
  } catch {
    return undefined;
  }
}

type Parts = {
  readonly message: string;
  readonly details?: ErrorDetails | undefined;
  readonly cause?: unknown;
};

/** The parts of an error as they may be kept: what is found in one of them is hidden in the others. */
export function safeParts(parts: Parts, options: RedactOptions = {}): Parts {
  const kept = redact(parts, { ...options, maxTextChars: maxReadChars }) as Parts;
  const isRead = parts.message.length <= maxReadChars;
  return {
    ...kept,
    message: isRead ? cutText(kept.message, maxErrorChars) : safeText(parts.message, maxErrorChars, options),
  };
}

const maxReadChars = 10 * maxErrorChars;

const retries = new Set<unknown>(["never", "safe", "after_wait", "after_user_action"]);

function isRetry(value: unknown): boolean {
  return retries.has(value);
}
