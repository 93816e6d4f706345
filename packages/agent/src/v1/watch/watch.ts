import type { Clock } from "@spfunctions/kernel";
import { systemClock } from "@spfunctions/kernel";
import type { SimpleFunctions } from "@spfunctions/sdk";
import { eachTick, type TickTerms } from "./each-tick.ts";
import type { TickEvent, WorldEvent } from "./watch-events.ts";
import { syntheticTick, syntheticTickers, syntheticWorld } from "./synthetic.ts";

export type TickWatch = TickTerms & {
  /** Only these; unless given, those that move most. */
  readonly tickers?: readonly string[] | undefined;
};

/** What goes on in the markets, for as long as somebody looks: first as it is, then with every tick. */
export type Watch = {
  /** What has changed with each tick. */
  readonly ticks: (watch?: TickWatch) => AsyncGenerator<TickEvent, void, void>;
  readonly world: (watch?: TickTerms) => AsyncGenerator<WorldEvent, void, void>;
};

export type WatchOptions = {
  /** Whose platform is asked, with its key. Without a key what is seen is made up, the same for everybody at the same time. */
  readonly client?: SimpleFunctions | undefined;
  readonly clock?: Clock | undefined;
};

export function watchOver({ client, clock = systemClock }: WatchOptions): Watch {
  const asked = client?.hasApiKey() === true ? client : undefined;
  return {
    ticks: (terms = {}) => watchTicks(asked, clock, terms),
    world: (terms = {}) => watchWorld(asked, clock, terms),
  };
}

async function* watchTicks(
  client: SimpleFunctions | undefined,
  clock: Clock,
  { tickers, ...terms }: TickWatch,
): AsyncGenerator<TickEvent, void, void> {
  let seen: ReadonlyMap<string, string> = new Map();
  for await (const now of eachTick(clock, terms)) {
    const ticks = await unlessEnded(ticksAt(client, now, tickers, terms.signal), terms);
    if (ticks === undefined) return;
    // Only what is there now is remembered: markets come and go for as long as somebody looks.
    const shown = new Map(
      ticks.map((tick) => [tick.ticker, `${tick.bidCents} ${tick.askCents} ${tick.lastCents}`]),
    );
    for (const tick of ticks) {
      if (terms.signal?.aborted === true) return;
      if (seen.get(tick.ticker) !== shown.get(tick.ticker)) yield tick;
    }
    seen = shown;
  }
}

async function ticksAt(
  client: SimpleFunctions | undefined,
  now: number,
  tickers: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<TickEvent[]> {
  if (client === undefined) return (tickers ?? syntheticTickers).map((ticker) => syntheticTick(ticker, now));
  const wanted = tickers ?? (await client.world.read({}, { signal })).movers.map(({ ticker }) => ticker);
  return await Promise.all(
    wanted.map(async (one): Promise<TickEvent> => {
      const { venue, ticker, bidCents, askCents, lastCents, synthetic } = await client.market.inspect(
        { ticker: one },
        { signal },
      );
      return {
        type: "tick",
        at: new Date(now).toISOString(),
        venue,
        ticker,
        bidCents,
        askCents,
        lastCents,
        synthetic,
      };
    }),
  );
}

async function* watchWorld(
  client: SimpleFunctions | undefined,
  clock: Clock,
  terms: TickTerms,
): AsyncGenerator<WorldEvent, void, void> {
  for await (const now of eachTick(clock, terms)) {
    const world = await unlessEnded(worldAt(client, now, terms.signal), terms);
    if (world === undefined) return;
    yield world;
  }
}

async function worldAt(
  client: SimpleFunctions | undefined,
  now: number,
  signal: AbortSignal | undefined,
): Promise<WorldEvent> {
  if (client === undefined) return syntheticWorld(now);
  const { at, synthetic, regime, indices, movers } = await client.world.read({}, { signal });
  return { type: "world", at, synthetic, regime, indices, movers };
}

/** Nothing once nobody looks any more: what was asked for then is called off, and that is no failure. */
async function unlessEnded<Seen>(seeing: Promise<Seen>, { signal }: TickTerms): Promise<Seen | undefined> {
  try {
    const seen = await seeing;
    return signal?.aborted === true ? undefined : seen;
  } catch (error) {
    if (signal?.aborted === true) return undefined;
    throw error;
  }
}
