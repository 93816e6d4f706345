// A1, B22: whoever can write the store can put the row of an approval back as it was before its use. What this process has used
// itself, it knows without the store.
import type { ApprovalOfCall } from "@spfunctions/contracts";
import type { Store } from "../store/store.ts";

const used = new WeakMap<Store, Set<string>>();

/** Whether a call has run by this approval since the store was opened here. */
export function isUsedHere(store: Store, approvalId: string): boolean {
  return used.get(store)?.has(approvalId) === true;
}

/** Notes it, once the call's intent is written: one name for each answer of a person. What a grant stands for is counted there. */
export function noteUse(store: Store, { approvalId, status, grantId }: ApprovalOfCall): void {
  // What was asked elsewhere is used there.
  if (status !== "used" || grantId !== undefined) return;
  const known = used.get(store) ?? new Set();
  used.set(store, known.add(approvalId));
}
