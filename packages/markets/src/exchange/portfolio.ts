import type { SimulatedMarket } from "../simulation/simulated-market.ts";
import { priceOf, type StandingOrder } from "./book.ts";
import type { BroughtUp } from "./bring-up.ts";
import type { Ledger as LedgerName, Portfolio, Position } from "./exchange.ts";
import type { Account } from "./kept-exchange.ts";

type Stake = { readonly market: SimulatedMarket; readonly up: BroughtUp };

export type PortfolioTerms = {
  readonly ledger: LedgerName;
  readonly accountId: string;
  readonly account: Account;
  /** The markets that the account has a stake in, brought up to now. */
  readonly markets: readonly Stake[];
};

/** What an account has, with everything that has happened up to now, whether or not it is written down already. */
export function portfolioOf({ ledger, accountId, account, markets }: PortfolioTerms): Portfolio {
  const gained = markets.reduce((sum, { up }) => sum + (up.ledger.cash.get(accountId) ?? 0), 0);
  const cashCents = account.cashCents + gained;
  const standing = markets.flatMap(({ up }) =>
    [...up.ledger.book.bids, ...up.ledger.book.asks].filter((order) => order.accountId === accountId),
  );
  const reservedCents = standing.reduce((sum, order) => sum + reservedFor(order), 0);
  const positions = markets.flatMap((stake) => positionIn(stake, accountId));
  const equityCents = positions.reduce((sum, { valueCents }) => sum + valueCents, cashCents + reservedCents);
  return { ledger, cashCents, reservedCents, positions, openOrders: standing.length, equityCents };
}

function reservedFor({ action, side, priceCents, quantity }: StandingOrder): number {
  return action === "buy" ? quantity * priceOf(side, priceCents) : 0;
}

function positionIn({ market: { ticker, title }, up: { ledger } }: Stake, accountId: string): Position[] {
  const { bids, asks } = ledger.book;
  const held = { ...ledger.holding(accountId) };
  for (const { accountId: owner, action, side, quantity } of [...bids, ...asks])
    if (owner === accountId && action === "sell") held[side] += quantity;
  if (held.yes + held.no === 0) return [];
  const isOthers = (order: StandingOrder) => order.accountId !== accountId;
  const yesCents = bids.find(isOthers)?.priceCents ?? 0;
  const noCents = 100 - (asks.find(isOthers)?.priceCents ?? 100);
  return [{ ticker, title, ...held, valueCents: held.yes * yesCents + held.no * noCents }];
}
