import { bestHits, bm25 } from "./bm25.ts";
import type { SearchEntry, SearchHit, SearchIndex, SearchQuery } from "./search-index.ts";
import { scoredWords } from "./scored-words.ts";
import { countWords, wordsOf } from "./words.ts";

/** What one account has: the words of each entry, and for each word how often it stands in which entry. */
type Account = {
  readonly words: Map<string, readonly string[]>;
  readonly counts: Map<string, Map<string, number>>;
  total: number;
};
type Accounts = Map<string, Account>;
type Change = (accounts: Accounts) => void;

/** An index that lives as long as the process. */
export function createMemorySearchIndex(): SearchIndex {
  let accounts: Accounts = new Map();
  const rebuilds = new Set<Change[]>();
  let lastRebuild: Promise<void> = Promise.resolve();

  /** What changes while a rebuild is under way is not known to its source, so it is done again at the rebuild's end. */
  function apply(change: Change): void {
    change(accounts);
    for (const missed of rebuilds) missed.push(change);
  }

  async function rebuild(from: AsyncIterable<SearchEntry> | Iterable<SearchEntry>, missed: Change[]) {
    try {
      const next: Accounts = new Map();
      for await (const entry of from) put(next, entry);
      for (const change of missed) change(next);
      accounts = next;
    } finally {
      rebuilds.delete(missed);
    }
  }

  return {
    async put(entries) {
      const given = [...entries];
      apply((into) => given.forEach((entry) => put(into, entry)));
    },
    async remove(accountId, ids) {
      const given = [...ids];
      apply((from) => given.forEach((id) => remove(from.get(accountId), id)));
    },
    async query(query) {
      const account = accounts.get(query.accountId);
      return account === undefined ? [] : bestHits(hitsIn(account, query), query.limit);
    },
    rebuild(from) {
      const missed: Change[] = [];
      rebuilds.add(missed);
      const done = lastRebuild.then(() => rebuild(from, missed));
      lastRebuild = done.catch(() => undefined);
      return done;
    },
  };
}

function put(accounts: Accounts, { accountId, id, text }: SearchEntry): void {
  const account = accounts.get(accountId) ?? { words: new Map(), counts: new Map(), total: 0 };
  accounts.set(accountId, account);
  remove(account, id);
  const words = wordsOf(text);
  account.words.set(id, words);
  account.total += words.length;
  for (const [word, count] of countWords(words)) {
    const entries = account.counts.get(word) ?? new Map<string, number>();
    account.counts.set(word, entries.set(id, count));
  }
}

function remove(account: Account | undefined, id: string): void {
  const words = account?.words.get(id);
  if (account === undefined || words === undefined) return;
  account.words.delete(id);
  account.total -= words.length;
  for (const word of words) {
    const entries = account.counts.get(word);
    entries?.delete(id);
    if (entries?.size === 0) account.counts.delete(word);
  }
}

function hitsIn({ words, counts, total }: Account, { text }: SearchQuery): SearchHit[] {
  const weigh = bm25({ entries: words.size, words: total });
  const scores = new Map<string, number>();
  const counted = Array.from(new Set(wordsOf(text)), (word) => ({
    word,
    having: counts.get(word)?.size ?? 0,
  }));
  for (const { word, having } of scoredWords(counted)) {
    const score = weigh(having);
    for (const [id, count] of counts.get(word) ?? []) {
      scores.set(id, (scores.get(id) ?? 0) + score(count, words.get(id)?.length ?? 0));
    }
  }
  return Array.from(scores, ([id, score]) => ({ id, score }));
}
