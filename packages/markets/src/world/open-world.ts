import type { Clock, SearchIndex } from "@spfunctions/kernel";
import type { MarketRow } from "../venue/market.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { byClosing } from "./calendar.ts";
import { gapsOf } from "./cross-venue-pairs.ts";
import { indexHistory } from "./index-history.ts";
import { type MarketSearch, marketSearch } from "./market-search.ts";
import { matchAgain } from "./match-again.ts";
import { type Match, matchMarkets } from "./match-markets.ts";
import { onceFor } from "./once-for.ts";
import { openPast } from "./open-past.ts";
import { type RegimeScan, scanRegimes } from "./regime-scan.ts";
import { type RowsByTick, rowsByTick, type VenueRows } from "./rows-by-tick.ts";
import { titleReader } from "./title-words.ts";
import { takeTurns } from "./turns.ts";
import { usualVolume } from "./usual-volume.ts";
import { deltaSince } from "./world-delta.ts";
import { type WorldState, worldState } from "./world-state.ts";

/** What the read tools share: one reading of all venues a tick, and what is computed from it, once. */
export type World = {
  readonly readers: readonly VenueReader[];
  readonly now: () => number;
  readonly rows: RowsByTick;
  readonly search: MarketSearch;
  readonly stateOf: (venues: VenueRows) => Promise<WorldState>;
  readonly scanOf: (venues: VenueRows) => Promise<RegimeScan>;
  readonly byClosing: (rows: readonly MarketRow[]) => readonly MarketRow[];
  readonly matchesOf: (rows: readonly MarketRow[]) => readonly Match[];
  readonly deltaSince: ReturnType<typeof deltaSince>;
  readonly indexHistory: ReturnType<typeof indexHistory>;
};

export function openWorld(ports: {
  readonly readers: readonly VenueReader[];
  readonly clock: Pick<Clock, "now">;
  readonly search: SearchIndex;
}): World {
  const { readers, clock, search } = ports;
  const turn = takeTurns();
  const past = openPast(readers, turn);
  const activityAt = usualVolume(past);
  const readTitles = titleReader();
  const matchesOf = onceFor(matchAgain((markets) => matchMarkets(markets, readTitles)));
  const rows = rowsByTick(readers, clock);
  const before = { past, activityAt, matchesOf, turn };
  return {
    readers,
    now: () => clock.now(),
    rows,
    search: marketSearch(search),
    stateOf: onceFor(async (venues: VenueRows) => {
      const activityIn = await activityAt(venues.at);
      await turn();
      const gaps = gapsOf(matchesOf(venues.rows));
      await turn();
      return worldState(venues, gaps, activityIn);
    }),
    scanOf: onceFor(async (venues: VenueRows) => scanRegimes(venues.rows, await activityAt(venues.at))),
    byClosing: onceFor(byClosing),
    matchesOf,
    deltaSince: deltaSince({ ...before, rows, readers }),
    indexHistory: indexHistory(before),
  };
}
