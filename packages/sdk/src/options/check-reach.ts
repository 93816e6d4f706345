import { refuseUnknown } from "@spfunctions/contracts";
import type { ReachOptions } from "./call-options.ts";
import { requireWhole } from "./check-options.ts";

/** Of a route behind which there is no tool: how long it may take, and what ends it. */
export function checkReach(options: ReachOptions, what: string, more: readonly string[] = []): void {
  refuseUnknown(options, ["signal", "timeoutMs", ...more], `${what} option`);
  if (options.timeoutMs !== undefined) requireWhole(options.timeoutMs, "timeoutMs", 1);
}
