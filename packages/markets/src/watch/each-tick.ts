import type { Clock } from "@spfunctions/kernel";
import { nextTick } from "./next-tick.ts";

/**
 * What there is to read, now and with every tick, until the signal says that nobody waits any more. What cannot be read is thrown,
 * and ends it.
 */
export async function* eachTick<Read>(
  clock: Clock,
  signal: AbortSignal | undefined,
  read: () => Promise<Read>,
): AsyncGenerator<Read, void, void> {
  for (let goesOn = signal?.aborted !== true; goesOn; ) {
    let found: Read;
    try {
      // oxlint-disable-next-line no-await-in-loop -- tick by tick
      found = await read();
    } catch (error) {
      if (signal?.aborted === true) return;
      throw error;
    }
    if (signal?.aborted === true) return;
    yield found;
    // oxlint-disable-next-line no-await-in-loop
    goesOn = await nextTick(clock, signal);
  }
}
