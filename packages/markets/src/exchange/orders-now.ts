// Orders as they are now: what the time since has made of those that stand, before anybody has written it.
import { RevisionConflictError } from "@spfunctions/contracts";
import type { Exchange, Order } from "./exchange.ts";
import type { Kept, KeptExchange } from "./kept-exchange.ts";
import type { OrderChange } from "./ledger.ts";
import { changedOrder } from "./write-changes.ts";

/** What has come of the orders in a market since it was last written. */
export type ChangesIn = (ticker: string) => Promise<readonly OrderChange[]>;

/** How often orders are read anew while others write them. */
const attempts = 200;
const ordersAtOnce = 100;

export async function ordersAsOfNow(
  kept: KeptExchange,
  accountId: string,
  orders: readonly Kept<Order>[],
  changesIn: ChangesIn,
): Promise<Order[]> {
  let read = orders;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const standing = read.filter(({ value }) => value.status === "open");
    // oxlint-disable-next-line no-await-in-loop -- again, on what is there now
    const changes = await changesOf(standing, changesIn);
    const names = read.map(({ value }) => value.orderId);
    // oxlint-disable-next-line no-await-in-loop
    const after = standing.length === 0 ? read : await kept.ordersNamed(accountId, names);
    // What a look has seen is not in the order yet, as long as nobody has written the order since.
    if (after.every(({ revision }, at) => revision === read[at]?.revision))
      return read.map(({ value }) => (changes.get(value.orderId) ?? []).reduce(changedOrder, value));
    read = after;
  }
  throw new RevisionConflictError(
    "others have changed these orders again and again meanwhile; look again in a moment",
  );
}

async function changesOf(
  standing: readonly Kept<Order>[],
  changesIn: ChangesIn,
): Promise<ReadonlyMap<string, readonly OrderChange[]>> {
  const found = new Map<string, OrderChange[]>(standing.map(({ value }) => [value.orderId, []]));
  for (const ticker of new Set(standing.map(({ value }) => value.ticker))) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, with turns for others between
    for (const change of await changesIn(ticker)) found.get(change.orderId)?.push(change);
  }
  return found;
}

/** A page of an account's orders, by the status that they have now. */
export async function listOrders(
  kept: KeptExchange,
  accountId: string,
  page: Parameters<Exchange["orders"]>[1],
  changesIn: ChangesIn,
): Promise<Order[]> {
  const { status, after = "", limit } = page;
  const asOfNow = (orders: readonly Kept<Order>[]) => ordersAsOfNow(kept, accountId, orders, changesIn);
  if (status === undefined) return await asOfNow(await kept.orders(accountId, page));
  const found = new Map<string, Order>();
  for (let last: string | undefined = after; last !== undefined && found.size < limit; ) {
    const some = { status: "open", after: last, limit: ordersAtOnce };
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const standing = await kept.orders(accountId, some);
    // oxlint-disable-next-line no-await-in-loop
    for (const order of await asOfNow(standing)) if (order.status === status) found.set(order.orderId, order);
    last = standing.length < ordersAtOnce ? undefined : standing.at(-1)?.value.orderId;
  }
  // Only then: what was written meanwhile is found twice, and never not at all.
  const written = status === "open" ? [] : await kept.orders(accountId, page);
  for (const { value } of written) found.set(value.orderId, value);
  return [...found.values()].toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1)).slice(0, limit);
}
