// M1: at any tick a market of the mirror is worth what its embedded one is, give or take a few cents of the mirror's own.
// M2: nothing can be traded here, and every market says that it is synthetic.
// M3: nothing tells what is yet to come: whoever asks for a later time gets now.
import type { Clock } from "@spfunctions/kernel";
import type { MarketRow } from "../venue/market.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { candlesOf } from "./candles.ts";
import { drawWidth, type MarketLife } from "./market-life.ts";
import { mirroredTicker, mirroredTitle, originalTicker } from "./mirror-names.ts";
import { fraction, mix, mixText, valueNoise } from "./noise.ts";
import type { Simulation } from "./open-simulation.ts";
import { depthOf, ordersOf } from "./participants.ts";
import { rememberFew } from "./remember-few.ts";
import { rowAt } from "./row.ts";
import { type SimulatedMarket, tickAt, tickMs } from "./simulated-market.ts";

const mirrorVenue = "mirror";

const oneIn = 10;

type Mirrored = { readonly market: SimulatedMarket; readonly life: MarketLife };

/** A second synthetic venue to compare the embedded one with: it lists about a tenth of its questions, at prices of its own. */
export function openMirror(simulation: Simulation, clock: Clock): VenueReader {
  const seedKey = mixText(0x3117, simulation.seed);
  const mirrored = new WeakMap<SimulatedMarket, Mirrored>();

  function mirror(original: SimulatedMarket): Mirrored {
    const known = mirrored.get(original);
    if (known !== undefined) return known;
    const made = { market: renamed(original), life: lifeBeside(simulation, seedKey, original) };
    mirrored.set(original, made);
    return made;
  }
  function find(ticker: string): Mirrored | undefined {
    const original = simulation.find(originalTicker(ticker));
    return original !== undefined && isListed(seedKey, original) ? mirror(original) : undefined;
  }
  const rowsOfTick = rememberFew(4, (tick: number): readonly MarketRow[] =>
    simulation
      .openAt(tick * tickMs)
      .filter((original) => isListed(seedKey, original))
      .map(mirror)
      .map(({ market, life }) => rowAt(market, life, tick)),
  );
  return {
    venue: mirrorVenue,
    synthetic: true,
    rows: async () => rowsOfTick(tickAt(clock.now())),
    rowsAt: async (at) => rowsOfTick(tickAt(Math.min(at, clock.now()))),
    market: async (ticker) => {
      const found = find(ticker);
      if (found === undefined) return undefined;
      const tick = tickAt(clock.now());
      const depth = depthOf(ordersOf(found.life, tick));
      return { ...rowAt(found.market, found.life, tick), depth, rules: found.market.rules };
    },
    candles: async (ticker, range) => {
      const found = find(ticker);
      const to = Math.min(range.to, (tickAt(clock.now()) + 1) * tickMs);
      return found && candlesOf(found.life, { ...range, to });
    },
  };
}

/** All markets of a series are listed, or none. */
function isListed(seedKey: number, { event }: SimulatedMarket): boolean {
  return mixText(seedKey, event.slice(0, event.lastIndexOf("-"))) % oneIn === 0;
}

function renamed(original: SimulatedMarket): SimulatedMarket {
  const ticker = mirroredTicker(original.ticker);
  return {
    ...original,
    venue: mirrorVenue,
    ticker,
    event: ticker.slice(0, ticker.lastIndexOf("-")),
    title: mirroredTitle(original.title),
  };
}

function lifeBeside(simulation: Simulation, seedKey: number, original: SimulatedMarket): MarketLife {
  const key = mixText(seedKey, original.ticker);
  const eventKey = mixText(seedKey, original.event);
  return {
    key,
    openTick: tickAt(original.opensAt),
    closeTick: tickAt(original.closesAt),
    liquidity: 1 + fraction(mix(key, 1)) * 60,
    categoryKey: mixText(seedKey, original.category),
    width: drawWidth(eventKey),
    widthKey: mix(eventKey, 2),
    fairAt: (tick) => {
      const quote = simulation.quoteAt(original, tick);
      if (quote === undefined) return 50;
      const own = 2.5 * valueNoise(eventKey, tick, 480) + 1.5 * valueNoise(mix(eventKey, 3), tick, 60);
      const fair = Math.floor((quote.bidCents + quote.askCents) / 2 + own + 0.5);
      return Math.min(98, Math.max(2, fair));
    },
  };
}
