import type { Store } from "@spfunctions/kernel";
import { priceOf } from "../src/exchange/book.ts";
import type { Ledger as LedgerName } from "../src/exchange/exchange.ts";
import type { Account } from "../src/exchange/kept-exchange.ts";
import type { MarketState } from "../src/exchange/market-state.ts";

export type Total = {
  /** Everything that there is, in whoever's hands, and what was paid in. Both must be the same. */
  readonly cents: number;
  readonly depositedCents: number;
  /** Markets that are open and have not as many yes as no contracts, or an escrow of another size. */
  readonly uneven: readonly string[];
  readonly crossed: readonly string[];
};

/** Counts all money and contracts of a ledger, from what is written and nothing else. */
export async function totalOf(store: Store, ledger: LedgerName): Promise<Total> {
  const bodies = async (what: string, status: string) => {
    const kind = `exchange.${ledger}.${what}`;
    const accounts = await store.accountsWith(kind, status);
    const found = await Promise.all(
      accounts.map((accountId) => store.documents({ kind, accountId, status, limit: 10_000 })),
    );
    return found.flat();
  };
  const accounts = (await bodies("account", "open")).map(({ body }) => JSON.parse(body) as Account);
  const markets = (await Promise.all(["live", "quiet", "settled"].map((status) => bodies("market", status))))
    .flat()
    .map(({ id, body }) => ({ id, state: JSON.parse(body) as MarketState }));
  return {
    cents: sum(accounts.map(({ cashCents }) => cashCents)) + sum(markets.map(({ state }) => heldBy(state))),
    depositedCents: sum(accounts.map(({ depositedCents }) => depositedCents)),
    uneven: markets.filter(({ state }) => !isEven(state)).map(({ id }) => id),
    crossed: markets
      .filter(({ state: { bids, asks } }) => (bids[0]?.priceCents ?? 0) >= (asks[0]?.priceCents ?? 100))
      .map(({ id }) => id),
  };
}

function heldBy({ bids, asks, escrowCents, feeCents, simulatedCents }: MarketState): number {
  const reserved = [...bids, ...asks]
    .filter(({ accountId, action }) => accountId !== "" && action === "buy")
    .map(({ side, priceCents, quantity }) => quantity * priceOf(side, priceCents));
  return sum(reserved) + escrowCents + feeCents + simulatedCents;
}

function isEven({ phase, bids, asks, holdings, escrowCents }: MarketState): boolean {
  const contracts = (side: "yes" | "no") =>
    sum(holdings.map((holding) => holding[side])) +
    sum(
      [...bids, ...asks]
        .filter((one) => one.action === "sell" && one.side === side)
        .map((one) => one.quantity),
    );
  if (phase === "settled") return holdings.length === 0 && escrowCents === 0;
  if (phase === "settling") return true;
  return contracts("yes") === contracts("no") && escrowCents === 100 * contracts("yes");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
