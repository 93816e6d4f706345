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
  scoredWords,
  wordsOf,
} from "@spfunctions/kernel";
import { countIn, keyOf, lengthIn, numberAfter, placeIn, termOf, termsOf, textOf } from "./search-keys.ts";
import { type Best, type Scored, ScoreTally } from "./score-tally.ts";
import { prepareStatements } from "./search-schema.ts";

/** One generation of the index. Whoever changes it opens the transaction. */
export type SearchTables = {
  readonly put: (entry: SearchEntry) => void;
  readonly remove: (accountId: string, id: string) => void;
  /** Nothing of what was removed is left in the file. */
  readonly optimize: () => void;
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

  /** How many entries have a word so many times. */
  function countsOf(account: number, word: string) {
    const terms = sql.counts.all(...termsOf(account, word)).map(({ term, doc }) => {
      return { term: String(term), having: Number(doc) };
    });
    return { word, terms, having: terms.reduce((sum, { having }) => sum + having, 0) };
  }

  function best(account: Account, words: ReadonlySet<string>, limit: number): Best {
    const tally = new ScoreTally(placeIn(Number(sql.lastEntry.get()?.number ?? 0)) + 1, account.entries);
    const weigh = bm25(account);
    const counted = Array.from(words, (word) => countsOf(account.number, word));
    for (const { terms, having } of scoredWords(counted)) {
      const worth = weigh(having);
      for (const { term } of terms) {
        const count = countIn(term);
        const { numbers } = sql.numbers.get(`"${term}"`) ?? {};
        tally.addAll(String(numbers ?? ""), (length) => worth(count, length));
      }
    }
    return tally.best(limit);
  }

  /** The first by their ids. */
  function firstOf(scored: readonly Scored[], limit: number): SearchHit[] {
    if (scored.length === 0) return [];
    const scores = new Map(scored.map(({ number, score }) => [number, score]));
    const found = sql.firstIds.all(
      JSON.stringify([...scores.keys()]),
      Math.floor(Math.min(limit, scored.length)),
    );
    return found.map(({ number, id }) => ({
      id: textOf(id as Uint8Array),
      score: scores.get(Number(number)) ?? 0,
    }));
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
    optimize() {
      sql.optimize.run();
    },
    query({ accountId, text, limit }) {
      const account = find(accountId);
      if (account === undefined) return [];
      const { above, equals } = best(account, new Set(wordsOf(text)), limit);
      const left = limit - above.length;
      return bestHits([...firstOf(above, above.length), ...firstOf(equals, left)], limit);
    },
  };
}
