// The same rows in any order give the same answer, byte for byte: whatever is equal stands by venue and ticker, by code unit.
import type { MarketRow } from "../venue/market.ts";

type Named = Pick<MarketRow, "venue" | "ticker">;

/** One name for a market among all venues. */
export function keyOf({ venue, ticker }: Named): string {
  return `${venue.length}:${venue}:${ticker}`;
}

export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export function byName(a: Named, b: Named): number {
  return compareText(a.venue, b.venue) || compareText(a.ticker, b.ticker);
}

/** The rows with the highest value first. */
export function highestFirst<Row extends Named>(rows: readonly Row[], valueOf: (row: Row) => number): Row[] {
  const valued = rows.map((row) => ({ row, value: valueOf(row) }));
  return valued.toSorted((a, b) => b.value - a.value || byName(a.row, b.row)).map(({ row }) => row);
}

/** The rows of each group, the groups with the most rows first. */
export function groupRows(
  rows: readonly MarketRow[],
  groupOf: (row: MarketRow) => string,
): [string, MarketRow[]][] {
  const groups = new Map<string, MarketRow[]>();
  for (const row of rows) {
    const name = groupOf(row);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return [...groups].toSorted((a, b) => b[1].length - a[1].length || compareText(a[0], b[0]));
}
