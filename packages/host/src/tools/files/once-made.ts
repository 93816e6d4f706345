import { setTimeout as after } from "node:timers/promises";
import { isSimpleFunctionsError } from "@spfunctions/contracts";

/** Milliseconds, one after the other. */
const pauses = [1, 10, 50];

/**
 * Does the work of a call. A file that is being made has two names for a moment (write-text.ts): what was refused because it has
 * several is looked at again, from its path on, before that is said.
 */
export async function onceMade<Value>(work: () => Promise<Value>): Promise<Value> {
  for (const pause of pauses) {
    try {
      // oxlint-disable-next-line no-await-in-loop
      return await work();
    } catch (error) {
      if (!isSimpleFunctionsError(error) || error.details?.reason !== "hard_link") throw error;
    }
    // oxlint-disable-next-line no-await-in-loop
    await after(pause);
  }
  return await work();
}
