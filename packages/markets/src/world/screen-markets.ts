import type { MarketRow } from "../venue/market.ts";
import { isAtLeast, isAtMost, passes } from "./market-filter.ts";
import { moveOf, spreadOf } from "./row-figures.ts";
import { highestFirst } from "./row-order.ts";

export const screens = ["move", "volume", "spread", "closing"] as const;

export type Screen = {
  /** The widest move, the most volume, the narrowest spread or the nearest close comes first. */
  readonly by: (typeof screens)[number];
  readonly minMoveCents?: number | undefined;
  readonly minVolume?: number | undefined;
  readonly maxSpreadCents?: number | undefined;
  readonly closesWithinMs?: number | undefined;
  readonly category?: string | undefined;
  readonly region?: string | undefined;
  readonly direction?: "up" | "down" | undefined;
  readonly limit: number;
};

type Value = (row: MarketRow, now: number) => number | null;
const values: Readonly<Record<Screen["by"], Value>> = {
  move: (row) => absolute(moveOf(row)),
  volume: ({ dayVolume }) => dayVolume,
  spread: (row) => negative(spreadOf(row)),
  closing: (row, now) => negative(closesIn(row, now)),
};

/** The markets that pass every limit, in the order asked for; those without the figure asked for are left out. */
export function screenMarkets(rows: readonly MarketRow[], screen: Screen, now: number): MarketRow[] {
  const valueOf = values[screen.by];
  const found = rows.filter((row) => valueOf(row, now) !== null && isWithin(row, screen, now));
  return highestFirst(found, (row) => valueOf(row, now) ?? 0).slice(0, screen.limit);
}

function isWithin(row: MarketRow, screen: Screen, now: number): boolean {
  const { category, region, minMoveCents, minVolume, maxSpreadCents, closesWithinMs, direction } = screen;
  const move = moveOf(row);
  return (
    passes(row, { category, region }) &&
    isAtLeast(absolute(move), minMoveCents) &&
    isAtLeast(row.dayVolume, minVolume) &&
    isAtMost(spreadOf(row), maxSpreadCents) &&
    isAtMost(closesIn(row, now), closesWithinMs) &&
    (direction === undefined || (direction === "up" ? (move ?? 0) > 0 : (move ?? 0) < 0))
  );
}

/** A venue may call a market open whose close has passed; when that one closes is not known. */
function closesIn({ closesAt }: MarketRow, now: number): number | null {
  return closesAt < now ? null : closesAt - now;
}

function absolute(value: number | null): number | null {
  return value === null ? null : Math.abs(value);
}

function negative(value: number | null): number | null {
  return value === null ? null : -value;
}
