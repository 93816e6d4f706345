import { type SimpleFunctionsError, TimeoutError } from "@spfunctions/contracts";
import type { StorePlace } from "./store-place.ts";

/** What was left for the process that drives a folder and was not taken; `driven` says which that is. */
export function notTaken(
  { called }: StorePlace,
  waitMs: number,
  { details }: Pick<SimpleFunctionsError, "details">,
): TimeoutError {
  const pid = typeof details?.pid === "number" ? ` (${details.pid})` : "";
  return new TimeoutError(
    `the process${pid} that drives ${called} has not taken it within ${waitMs} ms, and it was taken back: nothing is changed. Give it longer with --wait, or stop that process, and try again`,
    { details: { reason: "not_taken", waitMs } },
  );
}
