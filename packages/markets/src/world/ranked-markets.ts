import type { MarketRow } from "../venue/market.ts";
import { moveOf } from "./row-figures.ts";
import { byName } from "./row-order.ts";
import type { VenueRows } from "./rows-by-tick.ts";

export const sorts = ["relevance", "volume", "move", "closing"] as const;
export type Sort = (typeof sorts)[number];
type RowSort = Exclude<Sort, "relevance">;

/** A market and what it is ranked by; the highest value comes first. */
export type Ranked = { readonly row: MarketRow; readonly value: number };

/** Later than any market closes. */
const afterAll = 1e15;

const valueFor: Readonly<Record<RowSort, (row: MarketRow, now: number) => number>> = {
  volume: ({ dayVolume }) => dayVolume,
  move: (row) => {
    const move = moveOf(row);
    return move === null ? -1 : Math.abs(move);
  },
  // A venue may call a market open whose close has passed: nobody waits for that one, so it comes last.
  closing: ({ closesAt }, now) => (closesAt < now ? closesAt - afterAll : -closesAt),
};

export function compareRanked(a: Ranked, b: Ranked): number {
  return b.value - a.value || byName(a.row, b.row);
}

export function rankedBy(found: readonly Pick<Ranked, "row">[], sort: RowSort, now: number): Ranked[] {
  return found.map(({ row }) => ({ row, value: valueFor[sort](row, now) })).toSorted(compareRanked);
}

/** Every order of what the venues have, made when it is first asked for. */
export function everyOrder({
  rows,
  at,
}: Pick<VenueRows, "rows" | "at">): (sort: RowSort) => readonly Ranked[] {
  const made = new Map<RowSort, readonly Ranked[]>();
  return (sort) => {
    const order =
      made.get(sort) ??
      rankedBy(
        rows.map((row) => ({ row })),
        sort,
        at,
      );
    made.set(sort, order);
    return order;
  };
}

type Place = Pick<MarketRow, "venue" | "ticker"> & { readonly value: number };

/** Whether a market stands behind a place in its ranking. */
export function isBehind({ row, value }: Ranked, place: Place): boolean {
  return value < place.value || (value === place.value && byName(row, place) > 0);
}
