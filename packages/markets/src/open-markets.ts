import {
  type Clock,
  createMemorySearchIndex,
  type Ids,
  type Installation,
  type ModelAdapter,
  processInstallation,
  randomIds,
  type SearchIndex,
  type Store,
  systemClock,
  type Tool,
} from "@spfunctions/kernel";
import { openKalshi } from "./adapters/kalshi/open-kalshi.ts";
import { openPolymarket } from "./adapters/polymarket/open-polymarket.ts";
import type { VenueOptions } from "./adapters/venue-options.ts";
import { embeddedReader } from "./exchange/embedded-reader.ts";
import type { Exchange, Ledger } from "./exchange/exchange.ts";
import { openExchange } from "./exchange/open-exchange.ts";
import { keptSeed } from "./kept-seed.ts";
import { openMirror } from "./simulation/mirror.ts";
import { openSimulation } from "./simulation/open-simulation.ts";
import { type Tending, tendMarkets } from "./tend-markets.ts";
import { briefTools } from "./tools/brief-tools.ts";
import { executionTools } from "./tools/execution-tools.ts";
import { indexTools } from "./tools/index-tools.ts";
import { intentTools } from "./tools/intent-tools.ts";
import { listedTools } from "./tools/listed-tools.ts";
import { marketTools } from "./tools/market-tools.ts";
import type { MarketsHost } from "./tools/markets-host.ts";
import { paperTools } from "./tools/paper-tools.ts";
import { portfolioTools } from "./tools/portfolio-tools.ts";
import { researchTools } from "./tools/research-tools.ts";
import { savedTools } from "./tools/saved-tools.ts";
import { worldTools } from "./tools/world-tools.ts";
import { type RealVenueName, realVenues } from "./venue/real-venues.ts";
import type { VenueReader } from "./venue/venue-reader.ts";
import { type WatchSources, watchSources } from "./watch/watch-sources.ts";
import { openWorld, type World } from "./world/open-world.ts";

/** How a real venue is read; an empty object takes its public address. */
export type RealVenue = Omit<VenueOptions, "clock">;

export type MarketsOptions = {
  /** Where books, accounts, intents and lists are kept. */
  readonly store: Store;
  readonly clock?: Clock | undefined;
  readonly ids?: Ids | undefined;
  readonly search?: SearchIndex | undefined;
  /** What the simulated markets are made from: the same seed, the same history. A store keeps the one it began with. */
  readonly seed?: string | undefined;
  /** How many series are simulated; about four markets are open for each. */
  readonly series?: number | undefined;
  /** Real venues are read only where they are named here. */
  readonly venues?: { readonly [Name in RealVenueName]?: RealVenue | undefined } | undefined;
  /** Who writes briefs. */
  readonly model?: ModelAdapter | undefined;
  /**
   * Proves that intents were written here. Without one a secret of this process is taken: what was armed in an earlier process, or by an
   * older version, is stopped then, and has to be armed again.
   */
  readonly installation?: Installation | undefined;
  /** Whether a key may still call a tool (a platform's `mayCall`): what it has armed fires only then. Without it nothing is armed. */
  readonly mayCall?: MarketsHost["mayCall"];
  /** Explains why a key may not call a tool (a platform's `explainCall`), so that an order that is stopped for it names the gate. */
  readonly explainCall?: MarketsHost["explainCall"];
  /** Makes the governed call that fires an armed order (a platform's `callOrdered`, or `call` of `govern()`). Without it nothing is armed, and nothing fires. */
  readonly fire?: MarketsHost["fire"];
  /** What an account is given on each ledger when it first trades. */
  readonly openingCents?: { readonly [Name in Ledger]?: number | undefined } | undefined;
};

export type Markets = {
  /** The tools, for whoever governs them. */
  readonly pack: readonly Tool[];
  readonly readers: readonly VenueReader[];
  readonly live: Exchange;
  readonly paper: Exchange;
  readonly watch: WatchSources;
  /** Lets time pass in the markets until it is stopped: standing orders are met, closed markets settle, armed intents fire, alert rules are met, real venues are read. */
  readonly tend: (options?: Tending) => () => Promise<void>;
};

/** Prediction markets: an exchange of its own, real venues where asked for, and the tools over them. */
export async function openMarkets(options: MarketsOptions): Promise<Markets> {
  const {
    store,
    clock = systemClock,
    ids = randomIds,
    search = createMemorySearchIndex(),
    model,
    installation = processInstallation(),
    mayCall,
    explainCall,
    fire,
  } = options;
  const simulation = openSimulation(await keptSeed(store, clock, options));
  const exchangeOf = (ledger: Ledger) =>
    openExchange({ ledger, store, clock, ids, simulation, openingCents: options.openingCents?.[ledger] });
  const live = exchangeOf("live");
  const paper = exchangeOf("paper");
  const readers = [
    embeddedReader({ clock, live, simulation }),
    openMirror(simulation, clock),
    ...openVenues(options, clock),
  ];
  const proves = installation.keyHash;
  const host: MarketsHost = {
    store,
    proves,
    clock,
    ids,
    readers,
    live,
    paper,
    search,
    model,
    mayCall,
    explainCall,
    fire,
  };
  const world = openWorld(host);
  return {
    pack: toolsOn(host, world),
    readers,
    live,
    paper,
    watch: watchSources(world, clock),
    tend: (tending) => tendMarkets(host, world, tending),
  };
}

const openers: { readonly [Name in RealVenueName]: (options: VenueOptions) => VenueReader } = {
  kalshi: openKalshi,
  polymarket: openPolymarket,
};

function openVenues({ venues = {} }: MarketsOptions, clock: Clock): VenueReader[] {
  return realVenues.flatMap((name) => {
    const venue = venues[name];
    return venue === undefined ? [] : [openers[name]({ ...venue, clock })];
  });
}

function toolsOn(host: MarketsHost, world: World): readonly Tool[] {
  return [
    ...worldTools(world),
    ...marketTools(world),
    ...indexTools(world),
    ...researchTools(world),
    ...briefTools(host, world),
    ...portfolioTools(host),
    ...savedTools(host),
    ...intentTools(host),
    ...executionTools(host),
    ...paperTools(host),
    ...listedTools(),
  ];
}
