import type { MarketRow } from "../venue/market.ts";
import { moveOf } from "./row-figures.ts";
import { byName, keyOf } from "./row-order.ts";

export type Mover = { readonly row: MarketRow; readonly moveCents: number };

/**
 * The markets whose moves matter most: many cents, and many contracts behind them. Of several answers to one question only the
 * first is named, because they move together; whoever did not move is no mover.
 */
export function salientMovers(
  rows: readonly MarketRow[],
  most: number,
  moveOfRow: (row: MarketRow) => number | null = moveOf,
): Mover[] {
  const ranked = rows
    .flatMap((row) => {
      const moveCents = moveOfRow(row) ?? 0;
      if (moveCents === 0) return [];
      return [{ row, moveCents, salience: Math.abs(moveCents) * Math.log2(2 + row.dayVolume) }];
    })
    .toSorted((a, b) => b.salience - a.salience || byName(a.row, b.row));
  const byEvent = new Map<string, Mover>();
  for (const { row, moveCents } of ranked) {
    const event = keyOf({ venue: row.venue, ticker: row.event });
    if (byEvent.size < most && !byEvent.has(event)) byEvent.set(event, { row, moveCents });
  }
  return [...byEvent.values()];
}
