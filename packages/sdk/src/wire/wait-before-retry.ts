/**
 * How long a platform may ask to wait before a request is sent again.
 * @limit client.longestRetryAfterMs | the error is thrown, with `retryAfterMs` | fixed: a longer wait is the caller's to decide on
 */
const longestWaitMs = 30_000;
const firstWaitMs = 250;
const longestBackoffMs = 8000;

/** Exponential backoff with full jitter: clients that failed together do not come back together. */
export function backoffMs(failures: number, random: () => number): number {
  return random() * Math.min(longestBackoffMs, firstWaitMs * 2 ** Math.min(failures - 1, 16));
}

/** How long to wait before the next attempt, or nothing when the platform asks for more patience than a call has. */
export function waitBeforeRetry(
  failures: number,
  retryAfterMs: number | undefined,
  random: () => number,
): number | undefined {
  if (retryAfterMs !== undefined && retryAfterMs > longestWaitMs) return undefined;
  return Math.max(backoffMs(failures, random), retryAfterMs ?? 0);
}
