import {
  type Clock,
  createMemoryStore,
  createMemorySearchIndex,
  type Ids,
  type OrderedCall,
  processInstallation,
  type Store,
} from "@spfunctions/kernel";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { countingIds } from "../../kernel/test-data/call-ids.ts";
import { openExchange } from "../src/exchange/open-exchange.ts";
import { tickAt, tickMs, type TickOrders } from "../src/simulation/simulated-market.ts";
import type { MarketsHost } from "../src/tools/markets-host.ts";
import type { MarketDetail } from "../src/venue/market.ts";
import type { VenueReader } from "../src/venue/venue-reader.ts";
import { governedDesk, tradingPolicy } from "./governed-desk.ts";
import { marketNamed, opening, quietMarkets } from "./quiet-markets.ts";

/** How many contracts the simulated participants offer on either side. */
export const offered = 50;

/** What the simulated participants hold a market worth: a price that the test moves, from one tick to the next. */
export class Prices {
  readonly clock = new ManualClock(opening + tickMs);
  readonly #middles: { readonly from: number; readonly middle: number }[] = [{ from: 0, middle: 50 }];

  /** From the next tick on they bid one cent below it and ask one above. */
  move(middle: number): void {
    this.clock.advance(tickMs);
    this.#middles.unshift({ from: tickAt(this.clock.now()), middle });
  }

  readonly ordersAt = (_: unknown, tick: number): TickOrders => {
    const middle = this.#middles.find(({ from }) => tick >= from)?.middle ?? 50;
    return {
      quotes: [
        { side: "bid", priceCents: middle - 1, quantity: offered },
        { side: "ask", priceCents: middle + 1, quantity: offered },
      ],
      taker: undefined,
    };
  };
}

type DeskTerms = {
  readonly prices?: Prices;
  readonly store?: Store;
  readonly ids?: Ids;
  readonly model?: MarketsHost["model"];
  readonly mayCall?: MarketsHost["mayCall"];
  readonly fire?: MarketsHost["fire"] | undefined;
};

const markets = quietMarkets([marketNamed("RAIN"), marketNamed("SNOW")]);

/** A process that trades on the real exchange; several may share prices and a store. */
export function tradingDesk(terms: DeskTerms = {}): MarketsHost & { readonly prices: Prices } {
  const { prices = new Prices(), store = createMemoryStore(), ids = countingIds() } = terms;
  const { clock } = prices;
  const simulation = { find: markets.find, ordersAt: prices.ordersAt };
  const open = (ledger: "live" | "paper") => openExchange({ ledger, store, clock, ids, simulation });
  const live = open("live");
  const desk: MarketsHost & { readonly prices: Prices } = {
    prices,
    store,
    proves: processInstallation().keyHash,
    clock,
    ids,
    readers: [
      readerOf(live, clock, { venue: "embedded", synthetic: true }),
      readerOf(live, clock, { venue: "kalshi", synthetic: false }),
    ],
    live,
    paper: open("paper"),
    search: createMemorySearchIndex(),
    model: terms.model,
    mayCall: terms.mayCall ?? (() => Promise.resolve(true)),
    fire: terms.fire ?? (async (order) => await fireAt(desk, order)),
  };
  return desk;
}

/** A host that makes the call which fires an order, for whichever key has armed it. */
export async function fireAt(desk: MarketsHost, order: OrderedCall): Promise<unknown> {
  const { accountId, keyId, tool, input, idempotencyKey } = order;
  const calls = governedDesk(desk, tradingPolicy, accountId, undefined, keyId);
  try {
    return await calls.call(tool, input, { idempotencyKey });
  } finally {
    await calls.close();
  }
}

/** Both markets, as their books have them, as if they were this venue's. */
function readerOf(
  live: MarketsHost["live"],
  clock: Clock,
  whose: Pick<VenueReader, "venue" | "synthetic">,
): VenueReader {
  const market = async (ticker: string): Promise<MarketDetail | undefined> => {
    const found = markets.find(ticker);
    const depth = await live.depth(ticker);
    if (found === undefined || depth === undefined) return undefined;
    const { outcome: _, rules, ...shown } = found;
    const status = clock.now() < found.closesAt ? "open" : "closed";
    const [bid, ask] = [depth.bids[0]?.priceCents ?? null, depth.asks[0]?.priceCents ?? null];
    const quote = { bidCents: bid, askCents: ask, lastCents: bid, dayAgoCents: 40, dayVolume: 7 };
    return { ...shown, ...whose, ...quote, status, depth, rules };
  };
  return {
    ...whose,
    market,
    rows: async () => {
      const details = await Promise.all(["RAIN", "SNOW"].map(market));
      return details.flatMap((detail) => {
        if (detail === undefined) return [];
        const { depth: _, rules: __, ...row } = detail;
        return [row];
      });
    },
    candles: () => Promise.resolve(undefined),
  };
}
