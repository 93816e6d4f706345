// A store may answer without ever waiting for anything. A search over such answers would let nobody else go on: no timer, no
// other request.
import { setImmediate } from "node:timers/promises";
import type { Store, StoredRecord, StreamRange } from "../store/store.ts";

/** Records that are read at once: all that is done of a search before others have their turn. */
export const chunk = 64;

/** Some records of a segment. Everybody else has had a turn before they are there. */
export async function readChunk(store: Store, range: StreamRange): Promise<StoredRecord[]> {
  const records = await store.readStream(range);
  await setImmediate();
  return records;
}
