import type { Candle, MarketRow } from "../venue/market.ts";
import type { CandleRange } from "../venue/venue-reader.ts";
import { candlesOf } from "./candles.ts";
import { embeddedVenue } from "./catalogue/event-markets.ts";
import { openCatalogue } from "./catalogue/open-catalogue.ts";
import type { MarketLife } from "./market-life.ts";
import { mixText } from "./noise.ts";
import { ordersOf, quoteOf, type TickQuote } from "./participants.ts";
import { rememberFew } from "./remember-few.ts";
import { rowAt } from "./row.ts";
import { type SimulatedMarket, type TickOrders, tickAt } from "./simulated-market.ts";

/** The markets of the embedded venue and what happens in them: the same for the same seed, whoever asks and whenever. */
export type Simulation = {
  readonly venue: string;
  readonly seed: string;
  /** The markets that are open at a time, in the order of their tickers. */
  readonly openAt: (ms: number) => readonly SimulatedMarket[];
  /** Any market that closes from 2020 to 2099, by its ticker. */
  readonly find: (ticker: string) => SimulatedMarket | undefined;
  readonly ordersAt: (market: SimulatedMarket, tick: number) => TickOrders;
  /** What `ordersAt` comes to; the last price is that of the last tick in which somebody took. Nothing while it is not open. */
  readonly quoteAt: (market: SimulatedMarket, tick: number) => TickQuote | undefined;
  /** The markets that are open at a time, as they are then. */
  readonly rowsAt: (ms: number) => readonly MarketRow[];
  readonly rowOf: (market: SimulatedMarket, ms: number) => MarketRow;
  readonly candles: (market: SimulatedMarket, range: CandleRange) => readonly Candle[];
};

/** About four markets are open for each series. */
export const defaultSeries = 720;

/** Nothing is read or written: what is kept is only what was computed a moment ago. */
export function openSimulation({
  seed,
  series,
}: {
  readonly seed: string;
  readonly series?: number;
}): Simulation {
  const catalogue = openCatalogue(mixText(0x51f0, seed), series ?? defaultSeries);
  const lifeOf = (market: SimulatedMarket): MarketLife => {
    const life = catalogue.lifeOf(market);
    if (life === undefined)
      throw new RangeError(`${market.ticker} is not a market of this simulation; use one that it gave`);
    return life;
  };
  const rowsOfTick = rememberFew(4, (tick: number) =>
    catalogue.livingAt(tick).map(({ market, life }) => rowAt(market, life, tick)),
  );
  return {
    venue: embeddedVenue,
    seed,
    openAt: (ms) => catalogue.openAt(tickAt(ms)),
    find: catalogue.find,
    ordersAt: (market, tick) => ordersOf(lifeOf(market), tick),
    quoteAt: (market, tick) => quoteOf(lifeOf(market), tick),
    rowsAt: (ms) => rowsOfTick(tickAt(ms)),
    rowOf: (market, ms) => rowAt(market, lifeOf(market), tickAt(ms)),
    candles: (market, range) => candlesOf(lifeOf(market), range),
  };
}
