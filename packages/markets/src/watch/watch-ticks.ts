import { NotFoundError } from "@spfunctions/contracts";
import type { Clock } from "@spfunctions/kernel";
import type { MarketRow } from "../venue/market.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { eachTick } from "./each-tick.ts";

export type TickWatch = {
  /** Only these; every market of the venue unless given. */
  readonly tickers?: readonly string[];
  /** The first venue unless given. */
  readonly venue?: string;
  readonly signal?: AbortSignal;
};

export type TickEvent = {
  readonly type: "tick";
  readonly at: number;
  readonly venue: string;
  readonly ticker: string;
  readonly bidCents: number | null;
  readonly askCents: number | null;
  readonly lastCents: number | null;
  readonly synthetic: boolean;
};

/** The prices of markets: first as they are, then whatever has changed with each tick. It ends with its signal. */
export async function* watchTicks(
  { readers, clock }: { readonly readers: readonly VenueReader[]; readonly clock: Clock },
  { tickers, venue, signal }: TickWatch,
): AsyncGenerator<TickEvent, void, void> {
  const reader = venue === undefined ? readers[0] : readers.find((one) => one.venue === venue);
  if (reader === undefined)
    throw new NotFoundError("there is no such venue; leave it out to watch the first one");
  const wanted = tickers && new Set(tickers);
  let seen: ReadonlyMap<string, string> = new Map();
  for await (const rows of eachTick(clock, signal, () => reader.rows(signal))) {
    const at = clock.now();
    // Only what is there now is remembered: markets come and go for as long as somebody looks.
    const shown = new Map<string, string>();
    for (const row of rows) {
      if (wanted?.has(row.ticker) === false) continue;
      const event = tickOf(row, at);
      const prices = `${event.bidCents} ${event.askCents} ${event.lastCents}`;
      shown.set(row.ticker, prices);
      if (seen.get(row.ticker) === prices) continue;
      yield event;
      if (signal?.aborted === true) return;
    }
    seen = shown;
  }
}

function tickOf(
  { venue, ticker, bidCents, askCents, lastCents, synthetic }: MarketRow,
  at: number,
): TickEvent {
  return { type: "tick", at, venue, ticker, bidCents, askCents, lastCents, synthetic };
}
