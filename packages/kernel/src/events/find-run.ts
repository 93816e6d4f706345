import type { JournalRecord } from "@spfunctions/contracts";
import { leavesPending } from "../journal/fold-calls.ts";
import type { Store } from "../store/store.ts";
import { cursorText, type Mark, readCursor, startOfEvents } from "./event-cursor.ts";
import { isOpening, recordOf } from "./project-stored.ts";
import { recordsNaming, recordsNamingBefore } from "./records-naming.ts";
import { segmentsFromEnd } from "./segment-chain.ts";

export type RunSearch = {
  /** How many segments are looked through, the newest first. */
  readonly segments: number;
  /** Those that it names are looked through, too: a run that goes on is in one of them, however old that is. */
  readonly cursor?: string | undefined;
  /** Only a run that was called with this key. */
  readonly keyId?: string | undefined;
};

/** The cursor right before a run's first event; nothing where none of the segments has it. */
export async function findRun(
  store: Store,
  accountId: string,
  runId: string,
  search: RunSearch,
): Promise<string | undefined> {
  const { keyId } = search;
  for await (const stream of segmentsToSearch(store, accountId, search)) {
    for await (const stored of recordsNaming(store, accountId, stream, runId)) {
      const record = recordOf(stream, stored, runId);
      // What somebody has found out about it may lie in a later segment, and shows nothing.
      if (record === undefined || !isOpening(record)) continue;
      const isOf = keyId === undefined || record.principal.keyId === keyId;
      return isOf ? cursorText([{ stream, seq: stored.seq, index: 0 }]) : undefined;
    }
  }
  return undefined;
}

async function* segmentsToSearch(
  store: Store,
  accountId: string,
  { segments, cursor = startOfEvents }: RunSearch,
): AsyncGenerator<string> {
  const named = new Set(readCursor(cursor).map(({ stream }) => stream));
  yield* named;
  let looked = 0;
  for await (const stream of segmentsFromEnd(store, accountId)) {
    if (looked === segments) return;
    looked += 1;
    if (!named.has(stream)) yield stream;
  }
}

/** Whether the segments that a cursor names have a run's last event before it: then nothing of the run comes after it. */
export async function hasRunEnded(
  store: Store,
  accountId: string,
  runId: string,
  cursor: string,
  keyId?: string,
): Promise<boolean> {
  for (const mark of readCursor(cursor)) {
    // oxlint-disable-next-line no-await-in-loop -- a handful
    if (await endsBefore(store, accountId, { runId, keyId }, mark)) return true;
  }
  return false;
}

async function endsBefore(
  store: Store,
  accountId: string,
  { runId, keyId }: { readonly runId: string; readonly keyId: string | undefined },
  mark: Mark,
): Promise<boolean> {
  let hasEnded = false;
  for await (const stored of recordsNamingBefore(store, accountId, mark, runId)) {
    const record = recordOf(mark.stream, stored, runId);
    if (record === undefined) continue;
    hasEnded ||= hasLastEvent(record);
    if (isOpening(record)) return hasEnded && (keyId === undefined || record.principal.keyId === keyId);
  }
  return false;
}

/** Whether the last event of its run is among a record's events. */
function hasLastEvent(record: JournalRecord): boolean {
  if (record.kind === "call.refused" || record.kind === "call.repeated") return true;
  return leavesPending(record.kind, record) === false;
}
