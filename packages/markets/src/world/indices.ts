import type { MarketRow } from "../venue/market.ts";
import { meanOf, midOf, moveOf, oneDecimal, spreadOf } from "./row-figures.ts";

/** Three numbers about many markets, each from 0 to 100 with one decimal. */
export type Indices = {
  /**
   * How far books and venues disagree: the mean spread, as a share of the dearer side's price; where two venues offer the same
   * thing, the mean of that and of how many cents apart they have it.
   */
  readonly disagreement: number;
  /** The share of moving markets that go up; 50 where none moves. */
  readonly breadth: number;
  /** Volume a market against the usual one: 50 is as usual, 75 three times it. Null where nobody knows what is usual. */
  readonly activity: number | null;
};

/** `gaps`: how many cents apart two venues have the same thing, for each such thing. */
export function indicesOf(
  rows: readonly MarketRow[],
  { gaps, activity }: { readonly gaps: readonly number[]; readonly activity: number | null },
): Indices {
  return { disagreement: disagreementOf(rows, gaps), breadth: breadthOf(rows), activity };
}

export function disagreementOf(rows: readonly MarketRow[], gaps: readonly number[]): number {
  const books = 100 * (meanOf(rows.flatMap((row) => relativeSpread(row) ?? [])) ?? 0);
  const apart = meanOf(gaps);
  return bounded(apart === undefined ? books : (books + apart) / 2);
}

function relativeSpread(row: MarketRow): number | undefined {
  const spread = spreadOf(row);
  const mid = midOf(row);
  if (spread === null || mid === null) return undefined;
  return Math.max(0, spread) / Math.max(mid, 100 - mid);
}

export function breadthOf(rows: readonly MarketRow[]): number {
  let up = 0;
  let down = 0;
  for (const row of rows) {
    const move = moveOf(row) ?? 0;
    if (move > 0) up += 1;
    if (move < 0) down += 1;
  }
  return up + down === 0 ? 50 : bounded((100 * up) / (up + down));
}

/** `usual`: contracts a market and day. */
export function activityOf(rows: readonly MarketRow[], usual: number | undefined): number | null {
  const volume = meanOf(rows.map(({ dayVolume }) => dayVolume));
  if (volume === undefined || usual === undefined) return null;
  return volume + usual === 0 ? 50 : bounded((100 * volume) / (volume + usual));
}

export function bounded(value: number): number {
  return oneDecimal(Math.min(100, Math.max(0, value)));
}
