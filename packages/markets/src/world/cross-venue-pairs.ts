import type { MarketRow } from "../venue/market.ts";
import type { Match } from "./match-markets.ts";
import { midOf } from "./row-figures.ts";
import { byName } from "./row-order.ts";

/** Two markets about the same thing, and what lies between their prices. */
export type Pair = Match & {
  /** Cents between what one venue asks and what the other bids: what is left after both spreads, never below 0. */
  readonly gapCents: number;
  /** The venue where yes is bought for it; absent without a gap. */
  readonly cheaper?: string;
};

export type PairFilter = {
  readonly minGapCents?: number | undefined;
  readonly minSimilarity?: number | undefined;
  readonly limit: number;
};

function pairOf(match: Match): Pair {
  const buyingA = between(match.a, match.b);
  const buyingB = between(match.b, match.a);
  const gapCents = Math.max(0, buyingA, buyingB);
  if (gapCents === 0) return { ...match, gapCents };
  return { ...match, gapCents, cheaper: buyingA >= buyingB ? match.a.venue : match.b.venue };
}

/** What is left of a contract bought at one and sold at the other. */
function between(bought: MarketRow, sold: MarketRow): number {
  return bought.askCents === null || sold.bidCents === null ? 0 : sold.bidCents - bought.askCents;
}

/** How many cents apart the venues have the same thing, by the middles of their books. */
export function gapsOf(matches: readonly Match[]): number[] {
  return matches.flatMap(({ a, b }) => {
    const [one, other] = [midOf(a), midOf(b)];
    return one === null || other === null ? [] : [Math.abs(one - other)];
  });
}

/** The widest gap first. */
export function choosePairs(matches: readonly Match[], filter: PairFilter): Pair[] {
  const { minGapCents = 0, minSimilarity = 0, limit } = filter;
  return matches
    .filter(({ similarity }) => similarity >= minSimilarity)
    .map(pairOf)
    .filter(({ gapCents }) => gapCents >= minGapCents)
    .toSorted(
      (x, y) =>
        y.gapCents - x.gapCents || y.similarity - x.similarity || byName(x.a, y.a) || byName(x.b, y.b),
    )
    .slice(0, limit);
}
