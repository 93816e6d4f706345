import type { MarketRow } from "../venue/market.ts";
import { gapsOf } from "./cross-venue-pairs.ts";
import type { Unavailable } from "./gather-rows.ts";
import { type Indices, indicesOf } from "./indices.ts";
import { keepFew } from "./keep-few.ts";
import type { Match } from "./match-markets.ts";
import { isWhole, type Past } from "./open-past.ts";
import type { Turn } from "./turns.ts";
import type { ActivityIn } from "./usual-volume.ts";

/** The indices as they were. */
type IndexPoint = Indices & {
  readonly at: number;
  readonly markets: number;
  readonly synthetic: boolean;
};

export type IndexHistory = {
  readonly points: readonly IndexPoint[];
  readonly unavailable: readonly Unavailable[];
};

export type PastWorld = {
  readonly past: Past;
  readonly activityAt: (at: number) => Promise<ActivityIn>;
  readonly matchesOf: (rows: readonly MarketRow[]) => readonly Match[];
  readonly turn: Turn;
};

type Read = { readonly point: IndexPoint; readonly unavailable: readonly Unavailable[] };

const mostKept = 400;

/** Computes the indices of past times from the venues that can tell: each once, also for all who ask at once. */
export function indexHistory(
  world: PastWorld,
): (times: readonly number[], signal: AbortSignal) => Promise<IndexHistory> {
  const readAt = keepFew(mostKept, (at: number) => readPoint(world, at), isWhole);
  return async (times, signal) => {
    const points: IndexPoint[] = [];
    const unavailable = new Map<string, Unavailable>();
    for (const at of world.past.readers.length === 0 ? [] : times) {
      signal.throwIfAborted();
      // oxlint-disable-next-line no-await-in-loop -- one after the other: who gives up has not asked for the rest
      const read = await readAt(at);
      points.push(read.point);
      for (const missing of read.unavailable) unavailable.set(missing.venue, missing);
    }
    return { points, unavailable: [...unavailable.values()] };
  };
}

async function readPoint({ past, activityAt, matchesOf, turn }: PastWorld, at: number): Promise<Read> {
  const read = await past.rowsAt(at);
  const { rows, synthetic, unavailable } = read;
  // While its rows are there: a day later these volumes are among the usual ones.
  if (isWhole(read)) await past.volumesAt(at);
  const activity = (await activityAt(at))(rows, "all");
  await turn();
  const indices = indicesOf(rows, { gaps: gapsOf(matchesOf(rows)), activity });
  return { point: { at, ...indices, markets: rows.length, synthetic }, unavailable };
}
