/** What can be found: an id in an account, and the words that lead to it. */
export type SearchEntry = { readonly accountId: string; readonly id: string; readonly text: string };

/** An id and how well it fits; higher is better, and only comparable within one answer. */
export type SearchHit = { readonly id: string; readonly score: number };

export type SearchQuery = {
  readonly accountId: string;
  /** Words in any order; whoever has more of them, and rarer ones, comes first. It has no syntax: every character is text. */
  readonly text: string;
  readonly limit: number;
};

/**
 * Finds ids by words. An index is no truth: it can be rebuilt, it may lag, and whoever asks loads what it names through the
 * store, which applies the account again (I1).
 */
export interface SearchIndex {
  /** Adds entries, or replaces those with the same account and id. */
  put(entries: readonly SearchEntry[]): Promise<void>;
  remove(accountId: string, ids: readonly string[]): Promise<void>;
  query(query: SearchQuery): Promise<SearchHit[]>;
  /** Forgets everything, then takes in what comes. If the source fails, the index is as it was before. */
  rebuild(from: AsyncIterable<SearchEntry> | Iterable<SearchEntry>): Promise<void>;
}
