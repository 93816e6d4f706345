// A1, B22: whoever can write the store can put the row of an approval back as it was before its use. What this process has used
// itself, it knows without the store.
import type { ApprovalOfCall, CallId } from "@spfunctions/contracts";
import type { Opened } from "../journal/account-journal.ts";
import { isUnseen } from "../journal/stream-writer.ts";
import type { Store } from "../store/store.ts";

type Uses = {
  /** The one intent by each approval that is being written. */
  readonly underWay: Map<string, Promise<void>>;
  /** Of which intents nobody can say whether they were written: only their own calls may try again. */
  readonly unseen: Map<string, CallId>;
  readonly used: Set<string>;
};

const usesOf = new WeakMap<Store, Uses>();

/** Whether a call has run by this approval since the store was opened here, or one that is not this one may have begun. */
export function isUsedHere(store: Store, approvalId: string, callId?: CallId): boolean {
  const uses = usesOf.get(store);
  if (uses === undefined) return false;
  const by = uses.unseen.get(approvalId);
  return uses.used.has(approvalId) || (by !== undefined && by !== callId);
}

/**
 * Writes the intent of a call by an approval. Of those that come together one is written, and the others wait for what becomes of
 * it: nothing where it was. One that was not written has used nothing.
 */
export async function useOnce(
  store: Store,
  { approvalId, status, grantId }: ApprovalOfCall,
  callId: CallId,
  write: () => Promise<Opened>,
): Promise<Opened | undefined> {
  // What was asked elsewhere is used there; what a grant stands for is counted there.
  if (status !== "used" || grantId !== undefined) return await write();
  const uses = usesIn(store);
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  while (uses.underWay.has(approvalId)) await uses.underWay.get(approvalId);
  if (isUsedHere(store, approvalId, callId)) return undefined;
  const turn = Promise.withResolvers<void>();
  uses.underWay.set(approvalId, turn.promise);
  try {
    const opened = await write();
    if (opened.written.type === "written") uses.used.add(approvalId);
    return opened;
  } catch (error) {
    if (isUnseen(error, callId)) uses.unseen.set(approvalId, callId);
    throw error;
  } finally {
    uses.underWay.delete(approvalId);
    turn.resolve();
  }
}

function usesIn(store: Store): Uses {
  const known = usesOf.get(store) ?? { underWay: new Map(), unseen: new Map(), used: new Set() };
  usesOf.set(store, known);
  return known;
}
