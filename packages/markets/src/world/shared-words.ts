import type { MarketRow } from "../venue/market.ts";
import { compareText } from "./row-order.ts";
import type { TitleWords } from "./title-words.ts";

/** The words that more than one venue uses: the others say nothing about another venue. */
export type SharedWords = {
  /** By the id of a word: how much it says, and its rank, the rarest first; 0 and -1 for one that is not shared. */
  readonly weights: Readonly<Float64Array>;
  readonly ranks: Readonly<Int32Array>;
  /** By its rank: how many markets have it. */
  readonly having: readonly number[];
};

type Use = {
  readonly word: string;
  readonly id: number;
  readonly venue: string;
  rows: number;
  isShared: boolean;
};

/** The rarer a word, the more it says; equally rare ones rank in the order of the alphabet. */
export function sharedWords(rows: readonly MarketRow[], titles: readonly TitleWords[]): SharedWords {
  const ranked = usesOf(rows, titles)
    .filter((use) => use !== undefined)
    .filter(({ isShared }) => isShared)
    .toSorted((a, b) => a.rows - b.rows || compareText(a.word, b.word));
  const weights = new Float64Array(idsIn(titles));
  const ranks = new Int32Array(weights.length).fill(-1);
  for (const [rank, { id, rows: having }] of ranked.entries()) {
    weights[id] = Math.log2(1 + rows.length / having);
    ranks[id] = rank;
  }
  return { weights, ranks, having: ranked.map((use) => use.rows) };
}

/** Who uses each word, by its id. */
function usesOf(rows: readonly MarketRow[], titles: readonly TitleWords[]): readonly (Use | undefined)[] {
  const uses = Array.from<Use | undefined>({ length: idsIn(titles) });
  for (const [at, { words, ids }] of titles.entries()) {
    const venue = rows[at]?.venue ?? "";
    for (let place = 0; place < ids.length; place += 1) {
      const id = ids[place] ?? 0;
      const use = uses[id];
      if (use === undefined) uses[id] = { word: words[place] ?? "", id, venue, rows: 1, isShared: false };
      else {
        use.rows += 1;
        use.isShared ||= use.venue !== venue;
      }
    }
  }
  return uses;
}

function idsIn(titles: readonly TitleWords[]): number {
  let last = -1;
  for (const { ids } of titles) for (const id of ids) if (id > last) last = id;
  return last + 1;
}
