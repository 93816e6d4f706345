import type { Store, StoredRecord } from "../store/store.ts";
import type { Mark } from "./event-cursor.ts";
import { chunk, readChunk } from "./read-chunk.ts";

/** Whether an id stands in a record as it is kept. Most records of others are told by that alone. */
export function names({ text }: Pick<StoredRecord, "text">, id: string): boolean {
  return text.includes(JSON.stringify(id));
}

/** The records of a segment that name an id, in their order. */
export async function* recordsNaming(
  store: Store,
  accountId: string,
  stream: string,
  id: string,
): AsyncGenerator<StoredRecord> {
  for (let from = 1; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- a chunk at a time
    const records = await readChunk(store, { stream, accountId, from, limit: chunk });
    yield* records.filter((record) => names(record, id));
    const last = records.at(-1);
    if (last === undefined || records.length < chunk) return;
    from = last.seq + 1;
  }
}

/** The records of a segment before one of its records that name an id, the last first. */
export async function* recordsNamingBefore(
  store: Store,
  accountId: string,
  { stream, seq }: Pick<Mark, "stream" | "seq">,
  id: string,
): AsyncGenerator<StoredRecord> {
  for (let before = seq; before > 1; before -= chunk) {
    const from = Math.max(1, before - chunk);
    // oxlint-disable-next-line no-await-in-loop -- a chunk at a time
    const records = await readChunk(store, { stream, accountId, from, limit: before - from });
    yield* records.filter((record) => names(record, id)).toReversed();
  }
}
