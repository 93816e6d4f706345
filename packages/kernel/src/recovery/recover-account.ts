// After a crash: every intent without an end gets one. What can be repeated without harm is repeated, once more through the judge;
// what cannot is said to be unknown, with what a person can do. X1: nothing that does not honour a key is attempted twice.
import type { ContentRow, JournalRecord } from "@spfunctions/contracts";
import type { CallHost } from "../call/call-host.ts";
import { type CallsState, tryFold } from "../journal/fold-calls.ts";
import { readWholeStream } from "../journal/read-stream.ts";
import { sealSegment, segmentKind } from "../journal/segment.ts";
import { genesisOf } from "../journal/seal.ts";
import { StreamWriter, type WrittenStream } from "../journal/stream-writer.ts";
import { type Broken, contentDigestsIn, requireWhole, verifyStream } from "../journal/verify-stream.ts";
import { settlePending, type Settled } from "./settle-pending.ts";

export type RecoveryReport = {
  /** Segments that were looked at and closed. */
  readonly segments: number;
  /** Each effect or held output that had no end, and the one it has now. */
  readonly settled: readonly Settled[];
  /** Segments that a living process writes. */
  readonly living: number;
};

/** Closes what dead processes of this account have left open. */
export async function recoverAccount(host: CallHost, own?: string): Promise<RecoveryReport> {
  const { store, principal } = host;
  const { accountId } = principal;
  const settled: Settled[] = [];
  let segments = 0;
  let living = 0;
  for (let after = ""; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const open = await store.documents({ kind: segmentKind, accountId, status: "open", after, limit: 100 });
    for (const { id } of open) {
      if (id === own) continue;
      // oxlint-disable-next-line no-await-in-loop -- one after the other: effects may depend on each other
      const report = await recoverSegment(host, id);
      if (report === undefined) living++;
      else {
        segments++;
        settled.push(...report);
      }
    }
    const last = open.at(-1);
    if (last === undefined || open.length < 100) return { segments, settled, living };
    after = last.id;
  }
}

async function recoverSegment(host: CallHost, stream: string): Promise<Settled[] | undefined> {
  const { store, principal } = host;
  const { accountId } = principal;
  const lease = await store.lease(stream, accountId, genesisOf(stream, accountId));
  if (lease.type === "held") return undefined;
  try {
    return await settleSegment(host, { stream, accountId, epoch: lease.epoch, head: lease.head });
  } finally {
    // Also when it failed: whoever comes next can try again.
    await store.release(stream, lease.epoch);
  }
}

async function settleSegment(host: CallHost, segment: WrittenStream): Promise<Settled[]> {
  const { store, clock } = host;
  const { stream, accountId } = segment;
  const state: CallsState = new Map();
  const content = new Map<string, ContentRow>();
  let impossible: Broken | undefined;
  const verification = await verifyStream(
    readWholeStream(store, stream, accountId),
    undefined,
    (verified) => {
      impossible ??= tryFold(state, verified);
      for (const row of verified.content) content.set(row.ref, row);
      forgetEnded(state, content, verified.record);
    },
  );
  // B22: nothing goes on from a journal that is not what was written.
  const what = `the journal segment ${stream}`;
  requireWhole(verification, what);
  if (impossible !== undefined) {
    requireWhole({ status: "broken", count: verification.count, broken: impossible }, what);
  }
  const writer = new StreamWriter(store, clock, segment);
  const settled: Settled[] = [];
  for (const call of state.values()) {
    if (call.status !== "intended" && call.output !== "held") continue;
    // oxlint-disable-next-line no-await-in-loop -- in the order in which they were begun
    settled.push(await settlePending(host, writer, call, content));
  }
  if (settled.every(({ outcome }) => outcome !== "left")) await sealSegment(host, writer, host.signer);
  return settled;
}

/** Keeps a long segment from being in memory whole: what has ended is of no more use here. */
function forgetEnded(state: CallsState, content: Map<string, ContentRow>, record: JournalRecord): void {
  if (!("callId" in record)) return;
  const call = state.get(record.callId);
  if (call === undefined || call.status === "intended" || call.output === "held") return;
  for (const { ref } of [call.opening, call.ending].flatMap((one) =>
    one === undefined ? [] : contentDigestsIn(one),
  )) {
    content.delete(ref);
  }
}
