import type { MarketRow } from "../venue/market.ts";

/** Which markets: all, those of a category, or those of a region. */
export type Group = { readonly category: string } | { readonly region: string } | "all";

type Sum = { markets: number; volume: number };

/** Contracts a market and day, on average over a group; undefined where it has no markets. */
export type MeanVolume = (group: Group) => number | undefined;

/** Adds the volumes of every group up once, and lets go of the rows. */
export function groupVolumes(rows: readonly MarketRow[]): MeanVolume {
  const all: Sum = { markets: 0, volume: 0 };
  const categories = new Map<string, Sum>();
  const regions = new Map<string, Sum>();
  for (const { category, region, dayVolume } of rows) {
    for (const sum of [all, sumIn(categories, category), sumIn(regions, region)]) {
      sum.markets += 1;
      sum.volume += dayVolume;
    }
  }
  return (group) => {
    if (group === "all") return meanOf(all);
    return meanOf("category" in group ? categories.get(group.category) : regions.get(group.region));
  };
}

function sumIn(sums: Map<string, Sum>, name: string): Sum {
  const sum = sums.get(name) ?? { markets: 0, volume: 0 };
  sums.set(name, sum);
  return sum;
}

function meanOf(sum: Sum | undefined): number | undefined {
  return sum === undefined || sum.markets === 0 ? undefined : sum.volume / sum.markets;
}
