// The embedded venue as everybody sees it: what the simulated participants do, and what somebody real has done on the live ledger.
import type { Clock } from "@spfunctions/kernel";
import type { SimulatedMarket } from "../simulation/simulated-market.ts";
import { type Candle, intervalMs, type MarketDetail, type MarketRow } from "../venue/market.ts";
import type { CandleRange, VenueReader } from "../venue/venue-reader.ts";
import type { Activity, Exchange, Print } from "./exchange.ts";

export type EmbeddedVenue = {
  readonly clock: Clock;
  readonly live: Pick<Exchange, "activity" | "activities" | "depth">;
  readonly simulation: {
    readonly find: (ticker: string) => SimulatedMarket | undefined;
    readonly rowsAt: (at: number) => readonly MarketRow[];
    readonly rowOf: (market: SimulatedMarket, at: number) => MarketRow;
    readonly candles: (market: SimulatedMarket, range: CandleRange) => readonly Candle[];
  };
};

const dayMs = 86_400_000;

export function embeddedReader({ clock, live, simulation }: EmbeddedVenue): VenueReader {
  return {
    venue: "embedded",
    synthetic: true,
    rows: async () => {
      const now = clock.now();
      const activities = await live.activities();
      const rows = simulation.rowsAt(now);
      if (activities.size === 0) return rows;
      return rows.map((row) => withActivity(row, activities.get(row.ticker), now));
    },
    market: async (ticker): Promise<MarketDetail | undefined> => {
      const market = simulation.find(ticker);
      if (market === undefined) return undefined;
      const now = clock.now();
      const activity = await live.activity(ticker);
      const depth = activity?.depth ?? (await live.depth(ticker)) ?? { bids: [], asks: [] };
      return { ...withActivity(simulation.rowOf(market, now), activity, now), depth, rules: market.rules };
    },
    candles: async (ticker, range) => {
      const market = simulation.find(ticker);
      if (market === undefined) return undefined;
      const { prints = [] } = (await live.activity(ticker)) ?? {};
      const to = Math.min(range.to, clock.now() + 1);
      const candles = simulation.candles(market, { ...range, to });
      return candles.map((candle) => {
        const until = Math.min(candle.at + intervalMs[range.interval], to);
        return withPrints(candle, printsIn(prints, candle.at, until));
      });
    },
    // Nobody is shown what has not happened yet.
    rowsAt: (at) => Promise.resolve(simulation.rowsAt(Math.min(at, clock.now()))),
  };
}

function withActivity(row: MarketRow, activity: Activity | undefined, now: number): MarketRow {
  if (activity === undefined || row.status !== "open") return row;
  const { depth, prints } = activity;
  const recent = printsIn(prints, now - dayMs, now + 1);
  return {
    ...row,
    bidCents: depth.bids[0]?.priceCents ?? null,
    askCents: depth.asks[0]?.priceCents ?? null,
    dayVolume: row.dayVolume + volumeOf(recent),
  };
}

/** What somebody real paid widens a candle; where it opened and closed is what the others did. */
function withPrints(candle: Candle, prints: readonly Print[]): Candle {
  if (prints.length === 0) return candle;
  return {
    ...candle,
    highCents: Math.max(candle.highCents, ...prints.map(({ highCents }) => highCents)),
    lowCents: Math.min(candle.lowCents, ...prints.map(({ lowCents }) => lowCents)),
    volume: candle.volume + volumeOf(prints),
  };
}

function printsIn(prints: readonly Print[], from: number, until: number): readonly Print[] {
  return prints.filter(({ at }) => at >= from && at < until);
}

function volumeOf(prints: readonly Print[]): number {
  return prints.reduce((sum, { quantity }) => sum + quantity, 0);
}
