// I1: FTS5 counts over all rows of a table, so its own ranking would tell one account about another's texts. Here FTS5 is the
// inverted index alone, and what it finds is scored with the numbers of one account.
import type { DatabaseSync } from "node:sqlite";
import {
  bestHits,
  bm25,
  type Collection,
  countWords,
  type SearchEntry,
  type SearchHit,
  type SearchQuery,
  wordsOf,
} from "@spfunctions/kernel";
import { countIn, keyOf, lengthIn, numberAfter, termOf, termsOf, textOf } from "./search-keys.ts";
import { prepareStatements } from "./search-schema.ts";

/** One generation of the index. Whoever changes it opens the transaction. */
export type SearchTables = {
  readonly put: (entry: SearchEntry) => void;
  readonly remove: (accountId: string, id: string) => void;
  readonly query: (query: SearchQuery) => SearchHit[];
};

type Account = Collection & { readonly number: number };

export function openTables(db: DatabaseSync, generation: number): SearchTables {
  const sql = prepareStatements(db, generation);

  function find(accountId: string): Account | undefined {
    const found = sql.account.get(keyOf(accountId));
    if (found === undefined) return undefined;
    return { number: Number(found.number), entries: Number(found.entries), words: Number(found.words) };
  }

  function removeFrom(account: number, id: string): void {
    const found = sql.entry.get(account, keyOf(id));
    if (found === undefined) return;
    const number = Number(found.number);
    sql.removeTerms.run(number);
    sql.removeEntry.run(number);
    sql.count.run(-1, -lengthIn(number), account);
  }

  function scoresIn(account: Account, words: ReadonlySet<string>): Map<number, number> {
    const weigh = bm25(account);
    const scores = new Map<number, number>();
    for (const word of words) {
      const postings = sql.postings.all(...termsOf(account.number, word)).map(({ term, numbers }) => {
        return { count: countIn(String(term)), numbers: String(numbers).split(",").map(Number) };
      });
      const score = weigh(postings.reduce((having, { numbers }) => having + numbers.length, 0));
      for (const { count, numbers } of postings) {
        for (const number of numbers) {
          scores.set(number, (scores.get(number) ?? 0) + score(count, lengthIn(number)));
        }
      }
    }
    return scores;
  }

  return {
    put({ accountId, id, text }) {
      const account = find(accountId)?.number ?? Number(sql.addAccount.get(keyOf(accountId))?.number);
      removeFrom(account, id);
      const words = wordsOf(text);
      const number = numberAfter(Number(sql.lastEntry.get()?.number ?? 0), words.length);
      const terms = Array.from(countWords(words), ([word, count]) => termOf(account, word, count));
      sql.addEntry.run(number, account, keyOf(id));
      sql.addTerms.run(number, terms.join(" "));
      sql.count.run(1, lengthIn(number), account);
    },
    remove(accountId, id) {
      const account = find(accountId);
      if (account !== undefined) removeFrom(account.number, id);
    },
    query({ accountId, text, limit }) {
      const account = find(accountId);
      if (account === undefined) return [];
      const scores = scoresIn(account, new Set(wordsOf(text)));
      // Only what can be among the best is asked for its id: whatever is not worse than the last of them.
      const last = Float64Array.from(scores.values()).toSorted().at(-limit) ?? 0;
      const candidates = Array.from(scores).filter(([, score]) => score >= last);
      const hits = candidates.map(([number, score]) => ({
        id: textOf(sql.id.get(number)?.id as Uint8Array),
        score,
      }));
      return bestHits(hits, limit);
    },
  };
}
