// What one round of checking sees of a venue, asking it as little as may be: its list once, a market by itself only where the list
// has it not or where something would change, and the past only once.
import type { Clock, StoredDocument } from "@spfunctions/kernel";
import type { MarketRow } from "../venue/market.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { candlesFor, priceAt } from "./price-ago.ts";
import { venuePatience } from "./venue-patience.ts";

/** What was found out in the rounds before. Whoever gives it again asks the venues less. */
export type AlertMemory = {
  readonly markets: Map<string, { readonly at: number; readonly market: MarketRow | undefined }>;
  readonly faults: Map<string, { readonly at: number; readonly fault: unknown }>;
  readonly prices: Map<string, number | undefined>;
  /** The rules that the last round has left to the next one. */
  left?: AsyncGenerator<StoredDocument, void, void> | undefined;
};

export function newAlertMemory(): AlertMemory {
  return { markets: new Map(), faults: new Map(), prices: new Map() };
}

const mostRemembered = 10_000;

/**
 * How long a market that no list has is taken for what it was, while nothing would change; and how long one that cannot be read is
 * left alone, so that what its venue then says no to is not always the same.
 */
const keepMs = 30_000;

export type VenueLook = {
  /** As the list has it, or where that has it not, as it was a moment ago. */
  readonly glance: (ticker: string) => Promise<MarketRow | undefined>;
  /** As it is now. */
  readonly ask: (ticker: string) => Promise<MarketRow | undefined>;
  readonly priceAgo: (ticker: string, minutes: number) => Promise<number | undefined>;
  /** Whether it has been asked as much as a round may. */
  readonly isSpent: () => boolean;
};

type Round = { readonly now: number; readonly clock: Clock; readonly signal?: AbortSignal | undefined };

export async function lookAtVenue(
  reader: VenueReader,
  { markets, faults, prices }: AlertMemory,
  { now, clock, signal }: Round,
): Promise<VenueLook> {
  const listed = new Map((await reader.rows(signal)).map((row) => [row.ticker, row]));
  const nameOf = (...parts: readonly (string | number)[]) => JSON.stringify([reader.venue, ...parts]);
  const isRecent = ({ at }: { readonly at: number }) => Math.abs(now - at) < keepMs;
  const { asking, isSpent } = venuePatience(reader, clock);

  async function read<Answer>(ticker: string, answer: () => Promise<Answer>): Promise<Answer> {
    const known = faults.get(nameOf(ticker));
    if (known !== undefined && isRecent(known)) throw known.fault;
    return await asking(async () => {
      try {
        return await answer();
      } catch (fault) {
        if (signal?.aborted !== true) remember(faults, nameOf(ticker), { at: now, fault });
        throw fault;
      }
    });
  }
  async function ask(ticker: string): Promise<MarketRow | undefined> {
    const market = await read(ticker, () => reader.market(ticker, signal));
    remember(markets, nameOf(ticker), { at: now, market });
    return market;
  }
  return {
    isSpent,
    ask,
    glance: async (ticker) => {
      const row = listed.get(ticker);
      if (row !== undefined) return row;
      const known = markets.get(nameOf(ticker));
      return known !== undefined && isRecent(known) ? known.market : await ask(ticker);
    },
    priceAgo: async (ticker, minutes) => {
      const candle = candlesFor(minutes, now);
      const name = nameOf(ticker, candle.interval, candle.at);
      if (!prices.has(name))
        remember(prices, name, await read(ticker, () => priceAt(reader, ticker, candle, signal)));
      return prices.get(name);
    },
  };
}

/** The oldest makes room. */
function remember<Value>(known: Map<string, Value>, name: string, value: Value): void {
  known.delete(name);
  known.set(name, value);
  const [oldest] = known.keys();
  if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
}
