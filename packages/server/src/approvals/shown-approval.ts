import type { Approval } from "@spfunctions/contracts";

/** An approval as it is now: what has run out is kept as it was until somebody comes for it (B9). */
export function shownApproval(approval: Approval, now: number): Approval {
  const canRunOut = approval.status === "pending" || approval.status === "approved";
  return canRunOut && now >= Date.parse(approval.expiresAt) ? { ...approval, status: "expired" } : approval;
}
