import type { ManualClock } from "../../kernel/test-data/call-clock.ts";

/** Turns of the event loop until something is so; the test's own time limit ends it otherwise. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate);
}

/** Lets time pass once something waits for just so long. */
export async function advanceOnce(clock: ManualClock, ms: number): Promise<void> {
  await until(() => clock.waits.includes(ms));
  clock.advance(ms);
}
