import { setTimeout } from "node:timers/promises";
import { resultCodeOf, resultCodes } from "./sqlite-faults.ts";

/**
 * How long a statement waits for another process that is writing.
 * @limit store.busyMs | `journal_append_failed`, or `host_configuration_needed` where something is only read | fixed: whoever writes is done in milliseconds
 */
export const busyMs = 5_000;

/** Opens a file as soon as it can be: where several processes open a new one at once, SQLite lets some not even wait. */
export async function whenNotBusy<Value>(open: () => Value): Promise<Value> {
  const until = performance.now() + busyMs;
  for (;;) {
    try {
      return open();
    } catch (error) {
      if (resultCodeOf(error) !== resultCodes.busy || performance.now() > until) throw error;
    }
    // oxlint-disable-next-line no-await-in-loop
    await setTimeout(10);
  }
}
