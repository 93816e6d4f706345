import { LeaseLostError } from "@spfunctions/contracts";

/** What a closed store answers, whatever is asked. */
export function closedFault(): LeaseLostError {
  return new LeaseLostError("the store has been closed: nothing was read or written. Open it again", {
    details: { reason: "closed" },
  });
}
