import type { SearchIndex } from "@spfunctions/kernel";

/** An index that is filled before it is asked for the first time: one in memory is empty at first, and one on disk may have been lost. */
export function indexedFirst(search: SearchIndex, fill: () => Promise<void>): SearchIndex {
  let filling: Promise<void> | undefined;
  return {
    put: (entries) => search.put(entries),
    remove: (accountId, ids) => search.remove(accountId, ids),
    rebuild: (from) => search.rebuild(from),
    query: async (query) => {
      // What has failed is tried again when it is asked for next.
      filling ??= fill().catch((error: unknown) => {
        filling = undefined;
        throw error;
      });
      await filling;
      return await search.query(query);
    },
  };
}

/** An index on disk knows whether it was begun anew. */
export function isLost(search: SearchIndex): boolean {
  return "rebuildNeeded" in search && search.rebuildNeeded === true;
}
