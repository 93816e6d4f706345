import {
  documentsOf,
  type Installation,
  type SearchEntry,
  type SearchIndex,
  type Store,
} from "@spfunctions/kernel";
import { memoryIn, memoryKind, memoryStatus, searchTextOf } from "../../kept/kept-memory.ts";

/**
 * Fills a lost index from the store, for all accounts: for whoever opens the store, never for a principal. What is remembered or
 * forgotten meanwhile counts.
 */
export async function rebuildMemories({
  store,
  search,
  installation,
}: {
  readonly store: Store;
  readonly search: SearchIndex;
  readonly installation: Pick<Installation, "keyHash">;
}): Promise<void> {
  await search.rebuild(everyEntry(store, installation));
}

async function* everyEntry(
  store: Store,
  { keyHash }: Pick<Installation, "keyHash">,
): AsyncGenerator<SearchEntry> {
  for (const accountId of await store.accountsWith(memoryKind, memoryStatus))
    yield* entriesOf(store, accountId, keyHash);
}

/** What the index has of one account. */
export async function* entriesOf(
  store: Store,
  accountId: string,
  proves: Installation["keyHash"],
): AsyncGenerator<SearchEntry> {
  for await (const document of documentsOf(store, memoryKind, accountId)) {
    const item = memoryIn({ proves }, document);
    if (item !== undefined) yield { accountId, id: item.memoryId, text: searchTextOf(item) };
  }
}
