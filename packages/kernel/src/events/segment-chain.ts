// Each segment names the one that was the last when it began, and one document names the last of all: the chain has every
// segment once, and no link of it ever changes.
import { journalEndSchema, JournalCorruptError, journalRecordSchema } from "@spfunctions/contracts";
import { readKept } from "../journal/read-kept.ts";
import { journalKind } from "../store/kernel-kinds.ts";
import type { Store, StoredDocument } from "../store/store.ts";
import { readChunk } from "./read-chunk.ts";

/** The segments of an account's journal, the newest first. */
export async function* segmentsFromEnd(store: Store, accountId: string): AsyncGenerator<string> {
  const document = await journalEnd(store, accountId);
  if (document === undefined) return;
  const end = endIn(document);
  let stream: string | undefined = end.last;
  // No more than are counted: a chain that somebody has tied into a ring ends, too.
  for (let left = end.segments; left > 0 && stream !== undefined; left--) {
    yield stream;
    // oxlint-disable-next-line no-await-in-loop -- each names the next
    stream = await segmentBefore(store, accountId, stream);
  }
}

/** What says which segment of an account is the last; nothing where there is none. */
export async function journalEnd(store: Store, accountId: string): Promise<StoredDocument | undefined> {
  return await store.document({ kind: journalKind, accountId, id: journalKind });
}

/** The last segment, as this says it. */
export function lastIn(end: StoredDocument): string {
  return endIn(end).last;
}

function endIn({ body, accountId }: StoredDocument): ReturnType<typeof journalEndSchema.parse> {
  return readKept(journalEndSchema, body, `the end of the journal of ${accountId}`);
}

/** Those that began after a segment, or all, the oldest first. */
export async function segmentsAfter(
  store: Store,
  accountId: string,
  last: string | undefined,
): Promise<string[]> {
  const newer: string[] = [];
  for await (const stream of segmentsFromEnd(store, accountId)) {
    if (stream === last) return newer.toReversed();
    newer.push(stream);
  }
  if (last === undefined) return newer.toReversed();
  throw new JournalCorruptError(`${last} is in no chain of segments any more; verify the journal`, {
    details: { stream: last, reason: "missing" },
  });
}

async function segmentBefore(store: Store, accountId: string, stream: string): Promise<string | undefined> {
  const [first] = await readChunk(store, { stream, accountId, limit: 1 });
  const record = readKept(journalRecordSchema, first?.text ?? "", `record 1 of ${stream}`);
  if (record.kind === "segment.opened") return record.previous?.stream;
  throw new JournalCorruptError(`${stream} does not begin as a segment does; verify the journal`, {
    details: { stream, seq: 1, reason: "misplaced" },
  });
}
