// What has come of a step in a market, as documents: the market, and every account, order and trade that it has touched.
import { InternalError, InvalidInputError } from "@spfunctions/contracts";
import type { DocumentWrite } from "@spfunctions/kernel";
import { simulatedAccount } from "./book.ts";
import type { BroughtUp } from "./bring-up.ts";
import type { Order, Trade } from "./exchange.ts";
import type { Account, Kept, KeptExchange } from "./kept-exchange.ts";
import type { OrderChange } from "./ledger.ts";
import type { MarketState } from "./market-state.ts";

/**
 * Markets in which an account may have a stake.
 * @limit market.stakes | `invalid_input`, reason `too_many_markets` | fixed: all of them are gone through whenever somebody looks
 */
export const mostMarkets = 200;

export type Step = {
  readonly ticker: string;
  readonly revision: number;
  readonly up: BroughtUp;
  /** An order that was not there before, and whose it is. */
  readonly fresh?: { readonly accountId: string; readonly order: Order } | undefined;
};

export type Written = {
  readonly documents: readonly DocumentWrite[];
  readonly orders: ReadonlyMap<string, Order>;
};

export async function writeChanges(kept: KeptExchange, step: Step): Promise<Written> {
  const { ticker, revision, up, fresh } = step;
  const { ledger, tick, phase } = up;
  const state = ledger.end({ tick, phase });
  const { orders, trades } = await changedOrders(kept, step);
  const owners = new Set([...ledger.cash.keys(), ...(fresh === undefined ? [] : [fresh.accountId])]);
  owners.delete(simulatedAccount);
  const accounts = await Promise.all(
    [...owners].map(async (accountId) => {
      const account = await kept.account(accountId);
      const value = changedAccount(account, accountId, ticker, state, ledger.cash.get(accountId) ?? 0);
      return kept.putAccount(accountId, value, account.revision);
    }),
  );
  const documents = [
    kept.putMarket(ticker, state, revision),
    ...accounts,
    ...[...orders.values()].map((order) => kept.putOrder(order.accountId, order.value, order.revision)),
    ...trades.map(({ accountId, trade }) => kept.putTrade(accountId, trade)),
  ];
  return { documents, orders: new Map([...orders].map(([id, { value }]) => [id, value])) };
}

function changedAccount(
  { value: { cashCents, depositedCents, tickers } }: Kept<Account>,
  accountId: string,
  ticker: string,
  state: MarketState,
  gained: number,
): Account {
  if (cashCents + gained < 0)
    throw new InvalidInputError(
      `the order needs ${-gained} cents and ${cashCents} are free; order less, or cancel what stands`,
      { details: { reason: "insufficient_cash", path: "/quantity" } },
    );
  const hasStake = [...state.bids, ...state.asks, ...state.holdings].some(
    (one) => one.accountId === accountId,
  );
  const others = tickers.filter((one) => one !== ticker);
  if (hasStake && others.length >= mostMarkets)
    throw new InvalidInputError(
      `you have orders or contracts in ${mostMarkets} markets, and there may be no more; leave one first`,
      { details: { reason: "too_many_markets", path: "/ticker" } },
    );
  return {
    cashCents: cashCents + gained,
    depositedCents,
    tickers: hasStake ? [...others, ticker].toSorted() : others,
  };
}

type OwnedOrder = Kept<Order> & { readonly accountId: string };
type OwnedTrade = { readonly accountId: string; readonly trade: Trade };

async function changedOrders(
  kept: KeptExchange,
  { up: { ledger }, fresh }: Step,
): Promise<{ orders: Map<string, OwnedOrder>; trades: OwnedTrade[] }> {
  const orders = new Map<string, OwnedOrder>();
  const trades: OwnedTrade[] = [];
  if (fresh !== undefined)
    orders.set(fresh.order.orderId, { accountId: fresh.accountId, value: fresh.order, revision: 0 });
  for (const change of ledger.changes) {
    const { accountId, orderId } = change;
    // oxlint-disable-next-line no-await-in-loop -- each once, and few
    const before = orders.get(orderId) ?? (await knownOrder(kept, accountId, orderId));
    if (change.type === "filled") trades.push({ accountId, trade: tradeOf(before.value, change) });
    orders.set(orderId, { ...before, value: changedOrder(before.value, change) });
  }
  return { orders, trades };
}

async function knownOrder(kept: KeptExchange, accountId: string, orderId: string): Promise<OwnedOrder> {
  const found = await kept.order(accountId, orderId);
  if (found === undefined) throw new InternalError("an order stands in a book and is kept nowhere");
  return { accountId, ...found };
}

/** An order as it is once something has come of it. */
export function changedOrder(order: Order, change: OrderChange): Order {
  if (change.type === "ended")
    return { ...order, status: "cancelled", reason: change.reason, changedAt: change.at };
  const { quantity, priceCents, feeCents, left, at } = change;
  return {
    ...order,
    filled: order.filled + quantity,
    filledCents: order.filledCents + quantity * priceCents,
    feeCents: order.feeCents + feeCents,
    status: left === 0 ? "filled" : order.status,
    changedAt: at,
  };
}

/** Later trades come first, in the order of their names. */
const timeCeiling = 9_999_999_999_999;

function tradeOf(
  { orderId, ticker, action, side, filled }: Order,
  { quantity, priceCents, feeCents, at }: Extract<OrderChange, { type: "filled" }>,
): Trade {
  const tradeId = `trd_${timeCeiling - at}-${orderId.slice("ord_".length)}-${9_999_999 - filled}`;
  return { tradeId, orderId, ticker, action, side, quantity, priceCents, feeCents, at };
}
