// Near-linear in the number of markets: a market is compared only with those of other venues that share one of its rarest words
// or, where it has hardly a rare one, several of its rarest together; what very many share leads nowhere.

/** What can be led to: whose it is, and the words that another venue uses too, each by its rank, the rarest first. */
export type Led = { readonly venue: string; readonly ranks: readonly number[] };

const rarestWords = 4;
const enoughLeads = 2;
const mostSharing = 64;

/**
 * The pairs of different venues that a lead leads from one to the other, each once; the first is the one whose venue comes first.
 * `havingRank`: how many have the word of a rank.
 */
export function sharedLeads<Item extends Led>(
  items: readonly Item[],
  havingRank: (rank: number) => number,
): [Item, Item][] {
  const isRare = (rank: number) => havingRank(rank) <= mostSharing;
  const paths = wordPaths();
  const groups: Item[][] = [];
  const largest = largestVenue(items);
  const join = (item: Item, pathOf: typeof paths.find): void => {
    for (const path of leadsOf(item.ranks, pathOf, isRare)) {
      (groups[path] ??= []).push(item);
    }
  };
  // A pair has one of another venue than the largest in it, so where those do not lead the largest need not look.
  for (const item of items) if (item.venue !== largest) join(item, paths.make);
  for (const item of items) if (item.venue === largest) join(item, paths.find);
  const pairs = new Map<Item, Set<Item>>();
  for (const group of groups) if (group !== undefined && group.length <= mostSharing) addPairs(pairs, group);
  return [...pairs].flatMap(([a, others]) => [...others].map((b): [Item, Item] => [a, b]));
}

/** A word that few have, or words that few have together. */
function leadsOf(
  ranks: readonly number[],
  pathOf: (ranks: readonly number[]) => number | undefined,
  isRare: (rank: number) => boolean,
): Set<number> {
  const leads = new Set<number>();
  const add = (path: readonly number[]): void => {
    const lead = pathOf(path);
    if (lead !== undefined) leads.add(lead);
  };
  const few = ranks.slice(0, rarestWords);
  const rare = few.filter(isRare);
  for (const rank of rare) add([rank]);
  if (rare.length >= enoughLeads) return leads;
  add(few.slice(0, 2));
  for (let left = 0; left < few.length; left += 1) add(few.toSpliced(left, 1));
  add(ranks);
  return leads;
}

const mostRanks = 2 ** 26;

/** A number for each sequence of words. */
function wordPaths() {
  const steps = new Map<number, number>();
  const find = (ranks: readonly number[]): number | undefined => {
    let path: number | undefined = 0;
    for (const rank of ranks) {
      path = steps.get(path * mostRanks + rank);
      if (path === undefined) return undefined;
    }
    return path;
  };
  const make = (ranks: readonly number[]): number => {
    let path = 0;
    for (const rank of ranks) {
      const step = path * mostRanks + rank;
      path = steps.get(step) ?? steps.size + 1;
      steps.set(step, path);
    }
    return path;
  };
  return { find, make };
}

function largestVenue(items: readonly Led[]): string | undefined {
  const sizes = new Map<string, number>();
  for (const { venue } of items) sizes.set(venue, (sizes.get(venue) ?? 0) + 1);
  return [...sizes].toSorted((a, b) => b[1] - a[1])[0]?.[0];
}

function addPairs<Item extends Led>(pairs: Map<Item, Set<Item>>, group: readonly Item[]): void {
  for (const one of group) {
    for (const other of group) {
      if (one.venue >= other.venue) continue;
      const others = pairs.get(one);
      if (others === undefined) pairs.set(one, new Set([other]));
      else others.add(other);
    }
  }
}
