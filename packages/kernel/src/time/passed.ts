import { isAborted, onAbort } from "./abort-signal.ts";
import type { Clock } from "./clock.ts";

/** Whether so much time has passed: false as soon as one of the signals says that nobody waits for it any more. */
export async function passed(
  clock: Pick<Clock, "after">,
  ms: number,
  signals: readonly (AbortSignal | undefined)[],
): Promise<boolean> {
  if (signals.some(isAborted)) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stops = [
    clock.after(ms, () => resolve(true)),
    ...signals.map((one) => one && onAbort(one, () => resolve(false))),
  ];
  try {
    return await promise;
  } finally {
    for (const stop of stops) stop?.();
  }
}
