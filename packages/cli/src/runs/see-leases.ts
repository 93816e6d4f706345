import type { LeaseResult, Store } from "@spfunctions/kernel";

/** A store, and whether a stream that was wanted of it was another process's. */
export type SeenLeases = { readonly store: Store; readonly isHeld: () => boolean };

/** J3: beside the process that drives a folder every run may be that one's; in a database each has its own writer. */
export function seeLeases(store: Store, isGuest: boolean): SeenLeases {
  let isHeld = false;
  const lease: Store["lease"] = async (...asked): Promise<LeaseResult> => {
    const result: LeaseResult = isGuest ? { type: "held" } : await store.lease(...asked);
    isHeld = result.type === "held";
    return result;
  };
  const seen: Store = {
    lease,
    commit: (unit) => store.commit(unit),
    release: (...asked) => store.release(...asked),
    readStream: (range) => store.readStream(range),
    document: (key) => store.document(key),
    documents: (query) => store.documents(query),
    documentsById: (...asked) => store.documentsById(...asked),
    accountsWith: (...asked) => store.accountsWith(...asked),
    claim: (...asked) => store.claim(...asked),
    renew: (...asked) => store.renew(...asked),
    leaseMs: () => store.leaseMs(),
    lasts: () => store.lasts(),
    abandoned: (accountId) => store.abandoned(accountId),
    abandonedWith: (...asked) => store.abandonedWith(...asked),
    undrivenRuns: (query) => store.undrivenRuns(query),
    moved: (known) => store.moved(known),
    listen: (hear) => store.listen(hear),
    close: () => store.close(),
  };
  return { store: seen, isHeld: () => isHeld };
}
