// I1: every number in here is about one account. Counted over several, a score would tell one account about another's texts.
import type { SearchHit } from "./search-index.ts";

/** How soon a repeated word stops counting more. */
const saturation = 1.2;
/** How much a long text is held against a word in it: 0 not at all, 1 in full. */
const lengthWeight = 0.75;

/** What one account has: how many entries, and how many words in all of them. */
export type Collection = { readonly entries: number; readonly words: number };

/**
 * Okapi BM25 for one account: first asked how many entries have a word, then, for each of them, how often it stands there
 * and how many words the entry has. The result is above zero, also for a word that every entry has.
 */
export function bm25({ entries, words }: Collection) {
  const averageLength = words / entries;
  return (having: number) => {
    const rarity = Math.log(1 + (entries - having + 0.5) / (having + 0.5));
    return (count: number, length: number): number => {
      const stretch = 1 - lengthWeight + (lengthWeight * length) / averageLength;
      return (rarity * count * (saturation + 1)) / (count + saturation * stretch);
    };
  };
}

/** The best first, at most `limit`; equals stand in the order of their ids, by code unit. */
export function bestHits(hits: readonly SearchHit[], limit: number): SearchHit[] {
  const ranked = hits.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return ranked.slice(0, Math.max(0, limit));
}
