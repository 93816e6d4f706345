import { InvalidTransitionError } from "@spfunctions/contracts";
import { readRun } from "../run/journal/read-run.ts";
import type { Run } from "../run/state/fold-run.ts";
import type { Store } from "../store/store.ts";

/** Whether a run goes on by itself: it is nobody's child, or one that was let go, and both of them say so. */
export async function isOwnMaster(store: Store, { opening, isDetached }: Run): Promise<boolean> {
  const { runId, parent, principal } = opening;
  if (parent === undefined) return true;
  if (!isDetached) return false;
  const { run } = await readRun(store, principal.accountId, parent.runId);
  return run.shape.children.get(runId)?.phase === "detached";
}

/** A child is driven with its parent, and goes on alone only where it was let go. */
export async function requireOwnMaster(store: Store, run: Run): Promise<void> {
  const { runId, parent } = run.opening;
  if (await isOwnMaster(store, run)) return;
  throw new InvalidTransitionError(
    `${runId} is a child of ${parent?.runId}, and goes on with that: resume that one`,
    { details: { runId, reason: "child" } },
  );
}
