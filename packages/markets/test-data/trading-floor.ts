import { type Clock, createMemoryStore, type Ids, type Store } from "@spfunctions/kernel";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { countingIds } from "../../kernel/test-data/call-ids.ts";
import { ledgers, type Exchange, type Ledger } from "../src/exchange/exchange.ts";
import { type ExchangeTerms, openExchange } from "../src/exchange/open-exchange.ts";
import { tickMs } from "../src/simulation/simulated-market.ts";
import { marketNamed, opening, quietMarkets } from "./quiet-markets.ts";

type FloorTerms = {
  readonly store?: Store;
  readonly clock?: ManualClock;
  readonly ids?: Ids;
  readonly simulation?: ExchangeTerms["simulation"];
  readonly openingCents?: number;
};

/** Several exchanges over one store and one clock. Unless told otherwise nobody simulated trades there. */
export function tradingFloor(terms: FloorTerms = {}) {
  const {
    store = createMemoryStore(),
    clock = new ManualClock(opening + tickMs),
    ids = countingIds(),
    simulation = quietMarkets([marketNamed("RAIN"), marketNamed("SNOW")]),
    openingCents,
  } = terms;
  const open = (
    over: { readonly ledger?: Ledger; readonly store?: Store; readonly clock?: Clock } = {},
  ): Exchange => openExchange({ ledger: "live", store, clock, ids, simulation, openingCents, ...over });
  return { store, clock, simulation, open, exchange: open() };
}

const statuses = {
  account: ["open"],
  order: ["open", "filled", "cancelled"],
  trade: ["done"],
  market: ["live", "quiet", "settled"],
} as const;

/** Every document of the exchange, byte for byte, by its kind, owner and name. */
export async function keptIn(store: Store, which: readonly Ledger[] = ledgers): Promise<[string, string][]> {
  const all: [string, string][] = [];
  for (const ledger of which)
    for (const [what, some] of Object.entries(statuses))
      for (const status of some) {
        const kind = `exchange.${ledger}.${what}`;
        for (const accountId of await store.accountsWith(kind, status))
          for (const { id, body } of await store.documents({ kind, accountId, status, limit: 100_000 }))
            all.push([JSON.stringify([kind, accountId, id, status]), body]);
      }
  return all.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** The code and the reason of a refusal. */
export async function refusalOf(call: Promise<unknown>): Promise<{ code: string; reason?: string }> {
  try {
    await call;
  } catch (error) {
    const { code, details } = error as { code: string; details?: { reason?: string } };
    return { code, ...(details?.reason !== undefined && { reason: details.reason }) };
  }
  throw new Error("it was not refused");
}
