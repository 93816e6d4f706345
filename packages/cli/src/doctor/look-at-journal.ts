import { CancelledError } from "@spfunctions/contracts";
import { problemsOf, type Store, verifyAccount } from "@spfunctions/kernel";
import { accountsIn } from "../trace/open-journals.ts";

export type LookTerms = {
  /** How many records are read at most. */
  readonly mostRecords: number;
  readonly publicKeys: readonly string[];
  readonly signal: AbortSignal;
  /** Told from time to time how many have been read. */
  readonly progress: (records: number) => void;
};

export type Look = {
  readonly accounts: number;
  readonly segments: number;
  readonly records: number;
  /** Whether there was nothing more to look at. */
  readonly isWhole: boolean;
  readonly problems: readonly string[];
};

class LookedEnough extends Error {}

/** Looks through the journals of a data folder, account by account, until so many records have been read. */
export async function lookAtJournal(store: Store, terms: LookTerms): Promise<Look> {
  const reading = { records: 0 };
  const bounded = boundedStore(store, terms, reading);
  const problems: string[] = [];
  let segments = 0;
  const accounts = await accountsIn(store);
  const look = (isWhole: boolean): Look => ({
    accounts: accounts.length,
    segments,
    records: reading.records,
    isWhole,
    problems,
  });
  for (const accountId of accounts) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as far as it goes
      const verification = await verifyAccount(bounded, accountId, terms.publicKeys);
      segments += verification.segments.length;
      problems.push(...problemsOf(verification).map((problem) => `account ${accountId}: ${problem}`));
    } catch (error) {
      if (error instanceof LookedEnough) return look(false);
      throw error;
    }
  }
  return look(true);
}

/** The store for whoever only reads, and stops after a while. */
function boundedStore(
  store: Store,
  { mostRecords, signal, progress }: LookTerms,
  reading: { records: number },
): Store {
  let toldAt = performance.now();
  return {
    readStream: async (range) => {
      if (signal.aborted)
        throw new CancelledError("cancelled while looking at a journal; nothing was changed");
      if (reading.records >= mostRecords) throw new LookedEnough();
      const records = await store.readStream(range);
      reading.records += records.length;
      if (performance.now() - toldAt > 1000) {
        toldAt = performance.now();
        progress(reading.records);
      }
      return records;
    },
    document: (key) => store.document(key),
    documents: (query) => store.documents(query),
    documentsById: (...asked) => store.documentsById(...asked),
    accountsWith: (...asked) => store.accountsWith(...asked),
    claim: (...asked) => store.claim(...asked),
    commit: refuse,
    lease: refuse,
    release: refuse,
    renew: refuse,
    leaseMs: () => store.leaseMs(),
    lasts: () => store.lasts(),
    abandoned: (accountId) => store.abandoned(accountId),
    abandonedWith: (...asked) => store.abandonedWith(...asked),
    undrivenRuns: (query) => store.undrivenRuns(query),
    moved: (known) => store.moved(known),
    listen: (hear) => store.listen(hear),
    close: refuse,
  };
}

async function refuse(): Promise<never> {
  throw new Error("whoever only looks writes nothing");
}
