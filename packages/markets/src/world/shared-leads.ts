// Near-linear in the number of markets: a market is compared only with those of other venues that share one of its rarest words
// or, where it has hardly a rare one, several of its rarest together; what very many share leads nowhere.

/** What can be led to: whose it is, and the words that another venue uses too, each by its rank, the rarest first. */
export type Led = { readonly venue: string; readonly ranks: readonly number[] };

const rarestWords = 4;
const enoughLeads = 2;
const mostSharing = 64;

/**
 * The pairs of different venues that a lead leads from one to the other, each once; the first is the one whose venue comes first.
 * `having`: for each rank, how many have its word.
 */
export function sharedLeads<Item extends Led>(
  items: readonly Item[],
  having: readonly number[],
): [Item, Item][] {
  const paths = wordPaths(having.length);
  const groups: Item[][] = [];
  const leadsOf = leadsBy((rank) => (having[rank] ?? 0) <= mostSharing);
  const largest = largestVenue(items);
  const leading: (readonly [Item, readonly number[]])[] = [];
  // A pair has one of another venue than the largest in it, so where those do not lead the largest need not look.
  for (const item of items) {
    if (item.venue === largest) continue;
    const leads = leadsOf(item.ranks, paths.make);
    for (const lead of leads) (groups[lead] ??= []).push(item);
    leading.push([item, leads]);
  }
  for (const item of items) {
    if (item.venue !== largest) continue;
    for (const lead of leadsOf(item.ranks, paths.find)) groups[lead]?.push(item);
  }
  return leading.flatMap(([item, leads]) => pairsOf(item, leads, groups, largest));
}

/** The pairs of one that is not of the largest venue; whichever of two such comes first by venue has them both. */
function pairsOf<Item extends Led>(
  one: Item,
  leads: readonly number[],
  groups: readonly (readonly Item[])[],
  largest: string | undefined,
): [Item, Item][] {
  const others = new Set<Item>();
  for (const lead of leads) {
    const group = groups[lead] ?? [];
    if (group.length > mostSharing) continue;
    for (const other of group) if (other.venue === largest || other.venue > one.venue) others.add(other);
  }
  return Array.from(others, (other) => (one.venue < other.venue ? [one, other] : [other, one]));
}

/** Some words of a market, by their places: from one up to another, of which one may be left out. */
type PathOf = (ranks: readonly number[], from: number, to: number, without?: number) => number | undefined;

/** A word that few have, or words that few have together. */
function leadsBy(isRare: (rank: number) => boolean) {
  return (ranks: readonly number[], pathOf: PathOf): readonly number[] => {
    const leads: number[] = [];
    const add = (lead: number | undefined): void => {
      if (lead !== undefined && !leads.includes(lead)) leads.push(lead);
    };
    const few = Math.min(ranks.length, rarestWords);
    let rare = 0;
    for (let at = 0; at < few; at += 1) {
      if (!isRare(ranks[at] ?? 0)) continue;
      rare += 1;
      add(pathOf(ranks, at, at + 1));
    }
    if (rare >= enoughLeads) return leads;
    add(pathOf(ranks, 0, Math.min(few, 2)));
    for (let without = 0; without < few; without += 1) add(pathOf(ranks, 0, few, without));
    add(pathOf(ranks, 0, ranks.length));
    return leads;
  };
}

/** A number for each sequence of words: `make` gives a new sequence the next one. */
function wordPaths(ranksInAll: number) {
  const steps = new Map<number, number>();
  const walk =
    (isMaking: boolean): PathOf =>
    (ranks, from, to, without) => {
      let path = 0;
      for (let at = from; at < to; at += 1) {
        if (at === without) continue;
        const step = path * ranksInAll + (ranks[at] ?? 0);
        const next = steps.get(step);
        if (next === undefined && !isMaking) return undefined;
        path = next ?? steps.size + 1;
        if (next === undefined) steps.set(step, path);
      }
      return path;
    };
  return { find: walk(false), make: walk(true) };
}

function largestVenue(items: readonly Led[]): string | undefined {
  const sizes = new Map<string, number>();
  for (const { venue } of items) sizes.set(venue, (sizes.get(venue) ?? 0) + 1);
  return [...sizes].toSorted((a, b) => b[1] - a[1])[0]?.[0];
}
