import type { Store, StoredRecord } from "../store/store.ts";

const page = 256;

/** A whole stream of an account, or the rest of it, a page at a time. */
export async function* readWholeStream(
  store: Store,
  stream: string,
  accountId: string,
  begin = 1,
): AsyncGenerator<StoredRecord> {
  for (let from = begin; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const records = await store.readStream({ stream, accountId, from, limit: page });
    yield* records;
    const last = records.at(-1);
    if (last === undefined || records.length < page) return;
    from = last.seq + 1;
  }
}
