import { errorFor, exitCodes, type ErrorCode } from "@spfunctions/contracts";
import { exitOf } from "../io/report-error.ts";

type Ended = { readonly status: string; readonly error?: { readonly code: ErrorCode } | undefined };

/** How `sf` is to exit for what a run has come to; `signal` is what may have cancelled it. */
export function exitOfRun({ status, error }: Ended, signal: AbortSignal): number {
  if (status === "completed") return exitCodes.done;
  if (status === "requires_approval") return exitCodes.approvalRequired;
  if (status === "blocked") return exitCodes.refused;
  if (status === "cancelled") return exitOf(errorFor("cancelled", "cancelled"), signal);
  return error?.code === "replay_miss" ? exitCodes.replayMiss : exitCodes.failed;
}
