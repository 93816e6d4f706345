import type { ReachOptions } from "./call-options.ts";
import { refuseUnknownOptions, requireWhole } from "./check-options.ts";

/** Of a route behind which there is no tool: how long it may take, and what ends it. */
export function checkReach(options: ReachOptions, what: string, more: readonly string[] = []): void {
  refuseUnknownOptions(options, ["signal", "timeoutMs", ...more], what);
  if (options.timeoutMs !== undefined) requireWhole(options.timeoutMs, "timeoutMs", 1);
}
