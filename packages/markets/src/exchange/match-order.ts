// Price-time priority: an order meets the best standing ones first, of one price the oldest, each at the standing order's price.
import { type Book, bookSideOf, isReal, type StandingOrder } from "./book.ts";

export type Fill = {
  /** As it stood before. */
  readonly maker: StandingOrder;
  readonly quantity: number;
};

export type Matched = {
  readonly book: Book;
  readonly fills: readonly Fill[];
  /** Orders of its own owner that it would have met: nobody trades with themselves. */
  readonly withdrawn: readonly StandingOrder[];
  /** What is left of it. */
  readonly left: number;
};

/** `stays`: whether what is left of it joins the book. */
export function matchOrder(book: Book, order: StandingOrder, stays: boolean): Matched {
  const isBid = bookSideOf(order) === "bid";
  const opposite = isBid ? book.asks : book.bids;
  const fills: Fill[] = [];
  const withdrawn: StandingOrder[] = [];
  let left = order.quantity;
  let next = 0;
  let part: StandingOrder | undefined;
  for (; left > 0 && next < opposite.length; next++) {
    const maker = opposite[next] as StandingOrder;
    if (isBid ? maker.priceCents > order.priceCents : maker.priceCents < order.priceCents) break;
    if (maker.accountId === order.accountId && isReal(order)) {
      withdrawn.push(maker);
      continue;
    }
    const quantity = Math.min(left, maker.quantity);
    fills.push({ maker, quantity });
    left -= quantity;
    if (quantity < maker.quantity) part = { ...maker, quantity: maker.quantity - quantity };
  }
  const met = next === 0 ? opposite : remaining(opposite, next, part);
  const own = isBid ? book.bids : book.asks;
  const joined = stays && left > 0 ? withOrder(own, { ...order, quantity: left }, isBid) : own;
  return { book: isBid ? { bids: joined, asks: met } : { bids: met, asks: joined }, fills, withdrawn, left };
}

/** Without those that were met; the last of them may have something left. */
function remaining(
  orders: readonly StandingOrder[],
  met: number,
  part: StandingOrder | undefined,
): StandingOrder[] {
  const rest = orders.slice(met);
  if (part !== undefined) rest.unshift(part);
  return rest;
}

/** Behind everything that is as good. */
function withOrder(orders: readonly StandingOrder[], order: StandingOrder, isBid: boolean): StandingOrder[] {
  const isBefore = ({ priceCents }: StandingOrder) =>
    isBid ? priceCents >= order.priceCents : priceCents <= order.priceCents;
  let low = 0;
  let high = orders.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(orders[middle] as StandingOrder)) low = middle + 1;
    else high = middle;
  }
  return orders.toSpliced(low, 0, order);
}
