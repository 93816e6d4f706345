// A whole state is under 1,000 tokens, in whatever script markets are named: texts are cut, and what comes last is left out.
import { intervalMs, type MarketRow } from "../venue/market.ts";
import type { Unavailable } from "./gather-rows.ts";
import { type Indices, indicesOf } from "./indices.ts";
import { type Mover, salientMovers } from "./movers.ts";
import { componentsOf, type Regime, type RegimeLabel, regimeOf } from "./regime.ts";
import { meanOf, moveOf, oneDecimal, priceOf } from "./row-figures.ts";
import { groupRows } from "./row-order.ts";
import type { VenueRows } from "./rows-by-tick.ts";
import { mostTokens } from "./most-tokens.ts";
import { shortText } from "./short-text.ts";
import type { ActivityIn } from "./usual-volume.ts";

/** One market in few words. */
export type ShortMover = {
  readonly venue: string;
  readonly ticker: string;
  readonly title: string;
  readonly priceCents: number | null;
  readonly moveCents: number;
  readonly synthetic: boolean;
};

type RegionState = {
  readonly region: string;
  readonly markets: number;
  readonly regime: RegimeLabel;
  /** On average within a day, up or down. */
  readonly moveCents: number;
  readonly synthetic: boolean;
};

export type WorldState = {
  readonly at: number;
  readonly synthetic: boolean;
  readonly regime: Regime;
  readonly indices: Indices;
  readonly counts: {
    readonly markets: number;
    readonly venues: number;
    readonly moving: number;
    readonly closingWithinDay: number;
  };
  readonly movers: readonly ShortMover[];
  readonly regions: readonly RegionState[];
  readonly unavailable: readonly Unavailable[];
};

/** A little room is left for how the time is written at the doors. */
const mostStateTokens = 950;
const mostMovers = 8;
const mostRegions = 6;
const titleLength = 64;
/** A market or region with a longer name is not named here: that alone would take the room of several. */
const longestName = 80;

export function worldState(venues: VenueRows, gaps: readonly number[], activityIn: ActivityIn): WorldState {
  const { at, rows, synthetic, unavailable } = venues;
  const activity = activityIn(rows, "all");
  const components = componentsOf(rows, activity);
  return fitted({
    at,
    synthetic,
    regime: regimeOf(rows, components),
    indices: indicesOf(rows, { gaps, activity }),
    counts: {
      markets: rows.length,
      venues: new Set(rows.map(({ venue }) => venue)).size,
      moving: rows.filter((row) => (moveOf(row) ?? 0) !== 0).length,
      closingWithinDay: rows.filter(({ closesAt }) => closesAt >= at && closesAt <= at + intervalMs["1d"])
        .length,
    },
    movers: salientMovers(rows.filter(hasShortName), mostMovers).map(shortMover),
    regions: regionsOf(rows, activityIn),
    unavailable,
  });
}

export function hasShortName({ venue, ticker }: MarketRow): boolean {
  return venue.length + ticker.length <= longestName;
}

export function shortMover({ row, moveCents }: Mover): ShortMover {
  const { venue, ticker, synthetic } = row;
  return {
    venue,
    ticker,
    title: shortText(row.title, titleLength),
    priceCents: priceOf(row),
    moveCents,
    synthetic,
  };
}

function regionsOf(rows: readonly MarketRow[], activityIn: ActivityIn): RegionState[] {
  return groupRows(rows, ({ region }) => region)
    .filter(([region]) => region.length <= longestName)
    .slice(0, mostRegions)
    .map(([region, own]) => ({
      region,
      markets: own.length,
      regime: regimeOf(own, componentsOf(own, activityIn(own, { region }))).label,
      moveCents: oneDecimal(meanOf(own.flatMap((row) => moveOf(row) ?? [])) ?? 0),
      synthetic: own.every((row) => row.synthetic),
    }));
}

const lists = ["movers", "regions", "unavailable"] as const;

/** The longest list loses its last item until the whole fits. */
function fitted(state: WorldState): WorldState {
  if (tokensOf(state) <= mostStateTokens) return state;
  const longest = lists.reduce((a, b) => (tokensOf(state[b]) > tokensOf(state[a]) ? b : a));
  if (state[longest].length === 0) return state;
  return fitted({ ...state, [longest]: state[longest].slice(0, -1) });
}

function tokensOf(value: unknown): number {
  return mostTokens(JSON.stringify(value));
}
