import { InvalidTransitionError } from "@spfunctions/contracts";
import { foldRun, type Run } from "../run/state/fold-run.ts";
import { runKind } from "../store/kernel-kinds.ts";
import type { Store } from "../store/store.ts";
import { lookAtSegment, type Segment } from "./look-at-segment.ts";
import { isCorrupt } from "./read-kept.ts";
import { readWholeStream } from "./read-stream.ts";
import { runIn } from "./run-seal.ts";
import { type Broken, verifyStream } from "./verify-stream.ts";

/** One run's stream: what any stream must be, and a run that can have happened, in the state that it is listed in. */
export async function lookAtRun(
  store: Store,
  accountId: string,
  runId: string,
  publicKeys: readonly string[],
): Promise<Segment> {
  const segment = await lookAtSegment(store, accountId, runId, publicKeys);
  const { verification } = segment;
  if (verification.status === "broken") return segment;
  const broken = await problemOf(store, accountId, runId);
  if (broken === undefined) return segment;
  return { ...segment, verification: { status: "broken", count: verification.count, broken } };
}

async function problemOf(store: Store, accountId: string, runId: string): Promise<Broken | undefined> {
  const key = { kind: runKind, accountId, id: runId };
  const before = await store.document(key);
  let run: Run | undefined;
  let impossible: Broken | undefined;
  await verifyStream(readWholeStream(store, runId, accountId), {}, (verified) => {
    if (impossible !== undefined) return;
    try {
      run = foldRun(run, verified);
    } catch (error) {
      if (!(error instanceof InvalidTransitionError)) throw error;
      impossible = {
        seq: verified.record.seq,
        reason: "impossible",
        message: "says what cannot have happened",
      };
    }
  });
  if (impossible !== undefined || run === undefined) return impossible;
  const after = await store.document(key);
  // One that was written to meanwhile is in between.
  if (before === undefined || after?.revision !== before.revision) return undefined;
  const { seq } = run.head;
  if (after.status !== run.shape.state)
    return {
      seq,
      reason: "listed",
      message: `leaves the run ${run.shape.state}, and it is listed as ${after.status}`,
    };
  return isListedAs(after, run)
    ? undefined
    : { seq, reason: "listed", message: "is of a run that is listed as another's" };
}

function isListedAs(document: Parameters<typeof runIn>[0], { opening }: Run): boolean {
  try {
    const { runId, agentId, packageFingerprint, starter } = runIn(document);
    return (
      runId === opening.runId &&
      agentId === opening.agentId &&
      packageFingerprint === opening.packageFingerprint &&
      starter.keyId === opening.starter.keyId
    );
  } catch (error) {
    if (isCorrupt(error)) return false;
    throw error;
  }
}
