// After a crash: every intent without an end gets one. What can be repeated without harm is repeated, once more through the judge;
// what cannot is said to be unknown, with what a person can do. X1: nothing that does not honour a key is attempted twice.
import { type ContentRow, JournalCorruptError, type JournalRecord } from "@spfunctions/contracts";
import { segmentKind } from "../store/kernel-kinds.ts";
import type { Store } from "../store/store.ts";
import type { CallHost } from "../call/call-host.ts";
import { type CallsState, isPending } from "../journal/fold-calls.ts";
import { readWholeStream } from "../journal/read-stream.ts";
import { sealSegment } from "../journal/segment.ts";
import { genesisOf } from "../journal/seal.ts";
import { StreamWriter, type WrittenStream } from "../journal/stream-writer.ts";
import { verifyCalls } from "../journal/verify-calls.ts";
import { segmentsOf } from "../journal/verify-account.ts";
import { contentDigestsIn, type ExpectedEnd, requireWhole, verifyRecord } from "../journal/verify-stream.ts";
import { settlePending } from "./settle-pending.ts";
import type { Settled } from "./settled.ts";

export type RecoveryReport = {
  /** Segments that were looked at and closed. */
  readonly segments: number;
  /** Each effect or held output that had no end, and the one it has now. */
  readonly settled: readonly Settled[];
  /** Segments that a living process writes, or has just ended. */
  readonly living: number;
};

/** Closes what dead processes of this account have left open. `givenUp`: an effect that nobody is to try again. */
export async function recoverAccount(host: CallHost, givenUp?: string): Promise<RecoveryReport> {
  const { store, principal } = host;
  const { accountId } = principal;
  const settled: Settled[] = [];
  let segments = 0;
  let living = 0;
  for (let after = ""; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const open = await store.documents({ kind: segmentKind, accountId, status: "open", after, limit: 100 });
    for (const { id } of open) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other: effects may depend on each other
      const report = await recoverSegment(host, id, givenUp);
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

/** Nothing where a living process writes it, or it has ended. */
export async function recoverSegment(
  host: CallHost,
  stream: string,
  givenUp?: string,
): Promise<Settled[] | undefined> {
  const { store, principal } = host;
  const { accountId } = principal;
  const lease = await store.lease(stream, accountId, genesisOf(stream, accountId));
  if (lease.type === "held") return undefined;
  try {
    // Whoever wrote it may have ended it since it was listed.
    const listed = await store.document({ kind: segmentKind, accountId, id: stream });
    if (listed?.status !== "open") return undefined;
    const segment = { stream, accountId, epoch: lease.epoch, head: lease.head };
    return await settleSegment(host, segment, givenUp);
  } finally {
    // Also when it failed: whoever comes next can try again.
    await store.release(stream, lease.epoch);
  }
}

async function settleSegment(
  host: CallHost,
  segment: WrittenStream,
  givenUp: string | undefined,
): Promise<Settled[]> {
  const { store, clock } = host;
  const { stream, accountId } = segment;
  const content = new Map<string, ContentRow>();
  const { verification, calls } = await verifyCalls(
    readWholeStream(store, stream, accountId),
    { of: segment, seal: await namedEnd(store, accountId, stream) },
    ({ record, content: rows }, state) => {
      for (const row of rows) content.set(row.ref, row);
      forgetEnded(state, content, record);
    },
  );
  // B22: nothing goes on from a journal that is not what was written.
  requireWhole(verification, `the journal segment ${stream}`);
  const writer = new StreamWriter(store, clock, segment);
  const settled: Settled[] = [];
  for (const call of calls.values()) {
    if (!isPending(call)) continue;
    // oxlint-disable-next-line no-await-in-loop -- in the order in which they were begun
    settled.push(await settlePending(owingNothing(host), writer, call, { content, givenUp }));
  }
  if (settled.every(({ outcome }) => outcome !== "left")) await sealSegment(host, writer, host.signer);
  return settled;
}

/** What cannot be written here the next one settles who looks after this segment: it stays open until then. */
function owingNothing(host: CallHost): CallHost {
  const { journal } = host;
  return {
    ...host,
    journal: {
      begin: async () => await journal.begin(),
      pay: async () => await journal.pay(),
      open: async (draft, uses) => await journal.open(draft, uses),
      append: async (draft, uses) => await journal.append(draft, uses),
      owe: () => {},
    },
  };
}

/**
 * Where a segment that says it is open ended all the same, if a later one has found it sealed: then nothing in it is without an
 * end, and if something is, it was taken away (X1).
 */
async function namedEnd(store: Store, accountId: string, stream: string): Promise<ExpectedEnd | undefined> {
  for await (const later of segmentsOf(store, accountId)) {
    const [first] = await store.readStream({ stream: later, accountId, limit: 1 });
    if (first === undefined || !first.text.includes(stream)) continue;
    const opened = verifyRecord(first, 1)?.record;
    if (opened === undefined)
      throw new JournalCorruptError(
        `record 1 of ${later} is not what was written, and it may say how ${stream} ended; verify the journal`,
        {
          details: { stream: later, seq: 1 },
        },
      );
    const previous = opened?.kind === "segment.opened" ? opened.previous : undefined;
    if (previous?.stream === stream && previous.seq > 0) return { count: previous.seq, head: previous.hash };
  }
  return undefined;
}

/** Keeps a long segment from being in memory whole: what has ended is of no more use here. */
function forgetEnded(state: CallsState, content: Map<string, ContentRow>, record: JournalRecord): void {
  if (!("callId" in record)) return;
  const call = state.get(record.callId);
  if (call === undefined || isPending(call)) return;
  for (const { ref } of [call.opening, call.ending].flatMap((one) =>
    one === undefined ? [] : contentDigestsIn(one),
  )) {
    content.delete(ref);
  }
}
