import { intervalMs, type MarketRow } from "../venue/market.ts";
import { byName, compareText, keyOf } from "./row-order.ts";
import { type Led, sharedLeads } from "./shared-leads.ts";
import type { ReadTitle, TitleWords } from "./title-words.ts";

/** Two markets of different venues about the same thing; `a` comes first by venue. */
export type Match = { readonly a: MarketRow; readonly b: MarketRow; readonly similarity: number };

/** Less alike than this is something else. */
const leastSimilarity = 0.5;
const titleShare = 0.8;

type Titled = TitleWords & { readonly row: MarketRow };
type Entry = Titled & Led & { readonly weight: number };

/** Every market has at most one match at each other venue: the most alike first. */
export function matchMarkets(rows: readonly MarketRow[], readTitle: ReadTitle): Match[] {
  if (new Set(rows.map(({ venue }) => venue)).size < 2) return [];
  const titled = rows.map((row): Titled => ({ row, ...readTitle(row.title) }));
  const shared = sharedWords(titled);
  const similarityOf = similarityBy(shared);
  const havingRank = (rank: number) => shared.ranked[rank]?.rows ?? 0;
  const matches = sharedLeads(entriesOf(titled, shared), havingRank).flatMap(([a, b]) => {
    const similarity = similarityOf(a, b);
    return similarity < leastSimilarity ? [] : [{ a: a.row, b: b.row, similarity }];
  });
  const taken = new Set<string>();
  return matches
    .toSorted((x, y) => y.similarity - x.similarity || byName(x.a, y.a) || byName(x.b, y.b))
    .filter(({ a, b }) => {
      const places = [`${keyOf(a)} ${b.venue}`, `${keyOf(b)} ${a.venue}`];
      if (places.some((place) => taken.has(place))) return false;
      for (const place of places) taken.add(place);
      return true;
    });
}

type SharedWord = { readonly word: string; readonly rows: number; readonly weight: number };

/** The words that more than one venue uses: the others say nothing about another venue. */
type SharedWords = {
  /** The rarest first, and equally rare ones in the order of the alphabet. */
  readonly ranked: readonly SharedWord[];
  readonly rankOf: ReadonlyMap<string, number>;
};

/** The rarer a word, the more it says. */
function sharedWords(titled: readonly Titled[]): SharedWords {
  const uses = new Map<string, { readonly venue: string; rows: number; isShared: boolean }>();
  for (const { row, words } of titled) {
    const { venue } = row;
    for (const word of words) {
      const use = uses.get(word);
      if (use === undefined) uses.set(word, { venue, rows: 1, isShared: false });
      else {
        use.rows += 1;
        use.isShared ||= use.venue !== venue;
      }
    }
  }
  const shared: SharedWord[] = [];
  for (const [word, { rows, isShared }] of uses) {
    if (isShared) shared.push({ word, rows, weight: Math.log2(1 + titled.length / rows) });
  }
  const ranked = shared.toSorted((a, b) => a.rows - b.rows || compareText(a.word, b.word));
  return { ranked, rankOf: new Map(ranked.map(({ word }, rank) => [word, rank])) };
}

/** A word of one venue alone still makes a title longer: it counts as the most ordinary one. */
const ownWordWeight = 1;

function entriesOf(titled: readonly Titled[], { ranked, rankOf }: SharedWords): Entry[] {
  return titled.map(({ row, words, numbers }) => {
    const ranks: number[] = [];
    let weight = 0;
    for (const word of words) {
      const rank = rankOf.get(word);
      if (rank !== undefined) ranks.push(rank);
      weight += rank === undefined ? ownWordWeight : (ranked[rank]?.weight ?? 0);
    }
    ranks.sort((a, b) => a - b);
    return { row, venue: row.venue, words, numbers, ranks, weight };
  });
}

/** From 0 to 1 with two decimals: mostly how much the titles share, and a little how near they close to each other. */
function similarityBy({ ranked, rankOf }: SharedWords): (a: Entry, b: Entry) => number {
  const sets = new Map<Entry, ReadonlySet<string>>();
  const wordsIn = (entry: Entry): ReadonlySet<string> => {
    const words = sets.get(entry) ?? new Set(entry.words);
    sets.set(entry, words);
    return words;
  };
  return (a, b) => {
    const inB = wordsIn(b);
    if (isMissing(a.numbers, inB) && isMissing(b.numbers, wordsIn(a))) return 0;
    let shared = 0;
    for (const word of a.words) if (inB.has(word)) shared += ranked[rankOf.get(word) ?? -1]?.weight ?? 0;
    if (shared === 0) return 0;
    const titles = (2 * shared) / (a.weight + b.weight);
    const weeksApart = Math.abs(a.row.closesAt - b.row.closesAt) / (7 * intervalMs["1d"]);
    return Math.round(100 * (titleShare * titles + (1 - titleShare) / (1 + weeksApart))) / 100;
  };
}

/** "Above 100" and "above 120" are two questions, however alike they sound. */
function isMissing(numbers: readonly string[], words: ReadonlySet<string>): boolean {
  return numbers.some((word) => !words.has(word));
}
