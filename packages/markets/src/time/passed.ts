import type { Clock } from "@spfunctions/kernel";

/** Whether so much time has passed: false as soon as the signal says that nobody waits for it any more. */
export async function passed(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted === true) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const callOff = clock.after(ms, () => resolve(true));
  const giveUp = () => resolve(false);
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    return await promise;
  } finally {
    callOff();
    signal?.removeEventListener("abort", giveUp);
  }
}
