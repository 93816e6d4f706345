import { govern, type Governed } from "@spfunctions/agent";
import { createMemorySearchIndex, openInstallation, type Pack, type Store } from "@spfunctions/kernel";
import { countingIds } from "../../kernel/test-data/call-ids.ts";
import { openExchange } from "../src/exchange/open-exchange.ts";
import { executionTools } from "../src/tools/execution-tools.ts";
import { intentTools } from "../src/tools/intent-tools.ts";
import type { MarketsHost } from "../src/tools/markets-host.ts";
import { paperTools } from "../src/tools/paper-tools.ts";
import { tradingPolicy } from "../test-data/governed-desk.ts";
import { day, marketNamed, opening, quietMarkets } from "../test-data/quiet-markets.ts";
import { type Prices, tradingDesk } from "../test-data/trading-desk.ts";

/** The same in every process: what one has kept the others can prove. */
const installation = openInstallation(new Uint8Array(32).fill(7));

export type Calls = Governed<readonly Pack[]>;

/** Of what every process of one test is made. */
type Ground = { readonly prices: Prices; readonly days: number; readonly about: "paper" | "live" };

/** One process: the exchange, and the account's seat before it. */
export function processOn(
  store: Store,
  life: number,
  { prices, days, about }: Ground,
): MarketsHost & { calls: Calls } {
  const ids = countingIds(life);
  const { clock } = prices;
  const markets = quietMarkets([marketNamed("RAIN", { closesAt: opening + days * day })], prices.ordersAt);
  const open = (ledger: "live" | "paper") => openExchange({ ledger, store, clock, ids, simulation: markets });
  const { readers } = tradingDesk({ prices, store, ids });
  const proves = installation.keyHash;
  const answerable = { mayCall: async () => true, fire: async () => undefined };
  const more = { search: createMemorySearchIndex(), model: undefined, proves, ...answerable };
  const host = { store, clock, ids, readers, live: open("live"), paper: open("paper"), ...more };
  const packs: readonly Pack[] =
    about === "paper" ? [paperTools(host)] : [intentTools(host), executionTools(host)];
  const scopes = ["read", "write", "trade"] as const;
  const principal = { accountId: "ann", keyId: "key-1", scopes, kind: "key" } as const;
  return { ...host, calls: govern({ packs, policy: tradingPolicy, principal, store, clock, ids }) };
}
