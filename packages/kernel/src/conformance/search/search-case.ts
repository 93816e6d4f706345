import type { SearchEntry, SearchIndex } from "../../search/search-index.ts";

/** An empty index, and what ends it and removes its data. */
export type OpenedSearchIndex = { readonly index: SearchIndex; readonly dispose: () => Promise<void> };

export type SearchCase = { readonly name: string; readonly run: (index: SearchIndex) => Promise<void> };

export const account = "acc_1";

/** Entries of one account, by id. */
export function entriesOf(texts: { readonly [id: string]: string }, accountId = account): SearchEntry[] {
  return Object.entries(texts).map(([id, text]) => ({ accountId, id, text }));
}

/** The ids found, best first. */
export async function idsFor(index: SearchIndex, text: string, accountId = account): Promise<string[]> {
  const hits = await index.query({ accountId, text, limit: 10_000 });
  return hits.map(({ id }) => id);
}

/** The ids found, for where the order does not matter. */
export async function sortedIdsFor(index: SearchIndex, text: string, accountId = account): Promise<string[]> {
  return (await idsFor(index, text, accountId)).toSorted();
}
