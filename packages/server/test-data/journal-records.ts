import { type JournalRecord, readCanonicalJson } from "@spfunctions/contracts";
import { segmentsOf, type Store } from "@spfunctions/kernel";

/** What an account's journal says, of one kind. */
export async function recordsOf<Kind extends JournalRecord["kind"]>(
  store: Store,
  accountId: string,
  kind: Kind,
): Promise<Extract<JournalRecord, { kind: Kind }>[]> {
  const found: JournalRecord[] = [];
  for await (const stream of segmentsOf(store, accountId)) {
    for (const { text } of await store.readStream({ stream, accountId, limit: 10_000 }))
      found.push(readCanonicalJson(text) as JournalRecord);
  }
  return found.filter((record): record is Extract<JournalRecord, { kind: Kind }> => record.kind === kind);
}
