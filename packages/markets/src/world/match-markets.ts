import { intervalMs, type MarketRow } from "../venue/market.ts";
import { byName, keyOf } from "./row-order.ts";
import { type Led, sharedLeads } from "./shared-leads.ts";
import { type SharedWords, sharedWords } from "./shared-words.ts";
import type { ReadTitles, TitleWords } from "./title-words.ts";

/** Two markets of different venues about the same thing; `a` comes first by venue. */
export type Match = { readonly a: MarketRow; readonly b: MarketRow; readonly similarity: number };

/** Less alike than this is something else. */
const leastSimilarity = 0.5;
const titleShare = 0.8;

/** A market with the words of its title, and how much they say together. */
type Entry = Led & Pick<TitleWords, "ids" | "numbers"> & { readonly row: MarketRow; readonly weight: number };

/** Every market has at most one match at each other venue: the most alike first. */
export function matchMarkets(rows: readonly MarketRow[], readTitles: ReadTitles): Match[] {
  if (new Set(rows.map(({ venue }) => venue)).size < 2) return [];
  const titles = readTitles(rows.map(({ title }) => title));
  const shared = sharedWords(rows, titles);
  const similarityOf = similarityBy(shared);
  const matches: Match[] = [];
  for (const [a, b] of sharedLeads(entriesOf(rows, titles, shared), shared.having)) {
    const similarity = similarityOf(a, b);
    if (similarity >= leastSimilarity) matches.push({ a: a.row, b: b.row, similarity });
  }
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

/** A word of one venue alone still makes a title longer: it counts as the most ordinary one. */
const ownWordWeight = 1;

function entriesOf(
  rows: readonly MarketRow[],
  titles: readonly TitleWords[],
  { weights, ranks }: SharedWords,
): Entry[] {
  return rows.map((row, at) => {
    const { ids, numbers } = titles[at] ?? { ids: [], numbers: [] };
    const own: number[] = [];
    let weight = 0;
    for (const id of ids) {
      const rank = ranks[id] ?? -1;
      if (rank >= 0) insert(own, rank);
      weight += weights[id] || ownWordWeight;
    }
    return { row, venue: row.venue, ids, numbers, ranks: own, weight };
  });
}

function insert(ordered: number[], value: number): void {
  let at = ordered.push(value) - 1;
  for (let before = ordered[at - 1] ?? -1; before > value; before = ordered[at - 1] ?? -1) {
    ordered[at] = before;
    at -= 1;
  }
  ordered[at] = value;
}

/** From 0 to 1 with two decimals: mostly how much the titles share, and a little how near they close to each other. */
function similarityBy({ weights }: SharedWords): (a: Entry, b: Entry) => number {
  /** By the id of a word, the last time that it was seen at the second of two. */
  const seen = new Uint32Array(weights.length);
  let time = 0;
  return (a, b) => {
    time += 1;
    for (const id of b.ids) seen[id] = time;
    let alike = 0;
    for (const id of a.numbers) if (seen[id] === time) alike += 1;
    // "Above 100" and "above 120" are two questions, however alike they sound.
    if (alike < a.numbers.length && alike < b.numbers.length) return 0;
    let shared = 0;
    for (const id of a.ids) if (seen[id] === time) shared += weights[id] ?? 0;
    if (shared === 0) return 0;
    const titles = (2 * shared) / (a.weight + b.weight);
    const weeksApart = Math.abs(a.row.closesAt - b.row.closesAt) / (7 * intervalMs["1d"]);
    return Math.round(100 * (titleShare * titles + (1 - titleShare) / (1 + weeksApart))) / 100;
  };
}
