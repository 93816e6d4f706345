// What is usual is what was: the mean of the same window on the days before, from the venues that can tell. Without them nobody
// knows, and nothing is made up.
import { intervalMs, type MarketRow } from "../venue/market.ts";
import type { Group, MeanVolume } from "./group-volumes.ts";
import { activityOf } from "./indices.ts";
import type { Past } from "./open-past.ts";
import { meanOf } from "./row-figures.ts";

/** The activity of rows that are a group of what all venues have. */
export type ActivityIn = (rows: readonly MarketRow[], group: Group) => number | null;

const daysBefore = [1, 2, 3] as const;

/** Knows what is usual at a time, by the hour. */
export function usualVolume({ readers, volumesAt }: Past): (at: number) => Promise<ActivityIn> {
  const venues = new Set(readers.map(({ venue }) => venue));

  async function samplesBefore(at: number): Promise<MeanVolume[]> {
    const hour = Math.floor(at / intervalMs["1h"]) * intervalMs["1h"];
    const samples: MeanVolume[] = [];
    for (const day of venues.size === 0 ? [] : daysBefore) {
      // A day that could not be read is left out, and tried again next time.
      // oxlint-disable-next-line no-await-in-loop -- one after the other, and others are served in between
      const sample = await volumesAt(hour - day * intervalMs["1d"]).catch(() => undefined);
      if (sample !== undefined) samples.push(sample);
    }
    return samples;
  }

  return async (at) => {
    const samples = await samplesBefore(at);
    return (rows, group) => {
      const own = rows.filter(({ venue }) => venues.has(venue));
      return activityOf(own, meanOf(samples.flatMap((sample) => sample(group) ?? [])));
    };
  };
}
