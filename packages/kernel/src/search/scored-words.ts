/** A word of a query, and how many of the account's entries have it. */
export type CountedWord = { readonly word: string; readonly having: number };

/** So often at most an entry is looked at for one query, once for each word of the query that it has. */
export const mostLooks = 2 ** 16;

/**
 * The words that a query is scored by, rarest first. However long a query is and however common its words are, its cost is
 * bounded: the commonest words, which say least, are left out as soon as there are too many entries to look at. The rarest is
 * always among them. Every index goes by this, so that all of them find the same.
 */
export function scoredWords<Word extends CountedWord>(counted: readonly Word[]): Word[] {
  const rarest = counted.filter(({ having }) => having > 0).toSorted((a, b) => a.having - b.having);
  let looks = 0;
  const tooMany = rarest.findIndex(({ having }, place) => {
    looks += having;
    return place > 0 && looks > mostLooks;
  });
  return tooMany === -1 ? rarest : rarest.slice(0, tooMany);
}
