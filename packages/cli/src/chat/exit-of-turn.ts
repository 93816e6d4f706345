import type { TurnResult } from "@spfunctions/agent/spectator";
import { errorCodes, errorFor, exitCodes } from "@spfunctions/contracts";
import { exitOf } from "../io/report-error.ts";
import { isOver } from "../runs/run-states.ts";

/** How `sf` is to exit for what a turn has come to; `signal` is what may have cancelled it. */
export function exitOfTurn(
  { status, approvals }: Pick<TurnResult, "status" | "approvals">,
  signal: AbortSignal,
): number {
  if (status === "completed") return exitCodes.done;
  if (!isOver({ status }))
    return approvals.length > 0 ? exitCodes.approvalRequired : errorCodes.recovery_needed.exit;
  if (status === "blocked") return exitCodes.refused;
  return status === "cancelled" ? exitOf(errorFor("cancelled", "cancelled"), signal) : exitCodes.failed;
}
