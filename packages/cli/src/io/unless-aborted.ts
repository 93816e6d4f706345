import { CancelledError } from "@spfunctions/contracts";

/**
 * What comes of some work, or a cancellation as soon as whoever waits wants no more; the work itself is then left to come to its
 * own end, unheard.
 */
export async function unlessAborted<Value>(
  signal: AbortSignal,
  state: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  // Nobody may be waiting for it when it comes.
  aborted.promise.catch(() => undefined);
  const abort = () => aborted.reject(new CancelledError(state));
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([aborted.promise, work()]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
