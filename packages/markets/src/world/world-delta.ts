import { tickAt, tickMs } from "../simulation/simulated-market.ts";
import type { MarketRow } from "../venue/market.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { gapsOf } from "./cross-venue-pairs.ts";
import { areSynthetic, type Unavailable } from "./gather-rows.ts";
import type { PastWorld } from "./index-history.ts";
import { type Indices, indicesOf } from "./indices.ts";
import { keepFew } from "./keep-few.ts";
import { salientMovers } from "./movers.ts";
import { onceFor } from "./once-for.ts";
import { canTellThePast } from "./open-past.ts";
import { componentsOf, type RegimeLabel, regimeOf } from "./regime.ts";
import { priceOf } from "./row-figures.ts";
import { highestFirst, keyOf } from "./row-order.ts";
import type { RowsByTick, VenueRows } from "./rows-by-tick.ts";
import { shortText } from "./short-text.ts";
import type { ActivityIn } from "./usual-volume.ts";
import { hasShortName, type ShortMover, shortMover } from "./world-state.ts";

/** The markets at a time, how far apart venues had them, and how to tell whether much was traded then. */
type Moment = {
  readonly rows: readonly MarketRow[];
  readonly gaps: readonly number[];
  readonly activityIn: ActivityIn;
};

type ShortMarket = {
  readonly venue: string;
  readonly ticker: string;
  readonly title: string;
  readonly synthetic: boolean;
};

type Turnover = { readonly count: number; readonly items: readonly ShortMarket[] };

type WorldDelta = {
  readonly indices: { readonly before: Indices; readonly after: Indices };
  readonly regime: { readonly before: RegimeLabel; readonly after: RegimeLabel };
  readonly movers: readonly ShortMover[];
  readonly opened: Turnover;
  readonly closed: Turnover;
};

const mostMovers = 8;
const mostNamed = 5;
const titleLength = 64;

/** What changed between two moments of the same venues. */
function worldDelta(before: Moment, after: Moment): WorldDelta {
  const then = new Map(before.rows.map((row) => [keyOf(row), row]));
  const now = new Set(after.rows.map(keyOf));
  const moved = salientMovers(after.rows.filter(hasShortName), mostMovers, (row) =>
    moveBetween(then.get(keyOf(row)), row),
  );
  return {
    indices: { before: indicesAt(before), after: indicesAt(after) },
    regime: { before: regimeAt(before), after: regimeAt(after) },
    movers: moved.map(shortMover),
    opened: turnover(after.rows.filter((row) => !then.has(keyOf(row)))),
    closed: turnover(before.rows.filter((row) => !now.has(keyOf(row)))),
  };
}

function moveBetween(before: MarketRow | undefined, after: MarketRow): number | null {
  const then = before === undefined ? null : priceOf(before);
  const now = priceOf(after);
  return then === null || now === null ? null : now - then;
}

function indicesAt({ rows, gaps, activityIn }: Moment): Indices {
  return indicesOf(rows, { gaps, activity: activityIn(rows, "all") });
}

function regimeAt({ rows, activityIn }: Moment): RegimeLabel {
  return regimeOf(rows, componentsOf(rows, activityIn(rows, "all"))).label;
}

function turnover(rows: readonly MarketRow[]): Turnover {
  const items = highestFirst(rows.filter(hasShortName), ({ dayVolume }) => dayVolume)
    .slice(0, mostNamed)
    .map(({ venue, ticker, title, synthetic }) => ({
      venue,
      ticker,
      title: shortText(title, titleLength),
      synthetic,
    }));
  return { count: rows.length, items };
}

export type DeltaSince = WorldDelta & {
  readonly at: number;
  readonly synthetic: boolean;
  /** The venues that cannot tell their past. */
  readonly without: readonly string[];
  readonly unavailable: readonly Unavailable[];
};

const mostKept = 32;

/**
 * What changed since a time, at the venues that could say both how they were and how they are. A venue is the same for a whole tick,
 * so each is computed once for the tick of now and the tick of then.
 */
export function deltaSince(
  world: PastWorld & { readonly rows: Pick<RowsByTick, "known">; readonly readers: readonly VenueReader[] },
): (since: number) => Promise<DeltaSince> {
  const without = world.readers.filter((reader) => !canTellThePast(reader)).map(({ venue }) => venue);
  const since = onceFor((now: VenueRows) =>
    keepFew(
      mostKept,
      async (tick: number) => ({ ...(await deltaBetween(world, tick * tickMs, now)), without }),
      ({ unavailable }) => unavailable.length === now.unavailable.length,
    ),
  );
  return async (at) => await since(await world.rows.known())(tickAt(at));
}

async function deltaBetween({ past, activityAt, matchesOf, turn }: PastWorld, since: number, now: VenueRows) {
  const then = await past.rowsAt(since);
  const unavailable = [...now.unavailable, ...then.unavailable].filter(
    ({ venue }, place, all) => all.findIndex((other) => other.venue === venue) === place,
  );
  const silent = new Set(unavailable.map(({ venue }) => venue));
  const compared = past.readers.filter(({ venue }) => !silent.has(venue));
  const names = new Set(compared.map(({ venue }) => venue));
  const momentOf = async (rows: readonly MarketRow[], at: number): Promise<Moment> => {
    const activityIn = await activityAt(at);
    await turn();
    return { rows, gaps: gapsOf(matchesOf(rows)), activityIn };
  };
  const before = await momentOf(ofVenues(then.rows, names), since);
  const after = await momentOf(ofVenues(now.rows, names), now.at);
  await turn();
  const synthetic = areSynthetic([...before.rows, ...after.rows], compared);
  return { at: now.at, synthetic, ...worldDelta(before, after), unavailable };
}

/** The very same rows where all are of these venues, so that what was computed from them is known. */
function ofVenues(rows: readonly MarketRow[], names: ReadonlySet<string>): readonly MarketRow[] {
  return rows.every(({ venue }) => names.has(venue)) ? rows : rows.filter(({ venue }) => names.has(venue));
}
