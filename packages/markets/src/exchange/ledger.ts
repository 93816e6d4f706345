// Who has what in one market, while something happens in it. Every change moves money or contracts from somewhere to somewhere.
import { type Book, isReal, priceOf, simulatedAccount, type StandingOrder } from "./book.ts";
import { tickAt, tickMs } from "../simulation/simulated-market.ts";
import { FeeCount } from "./fees.ts";
import type { Print } from "./exchange.ts";
import type { Holding, MarketState } from "./market-state.ts";
import { type Fill, matchOrder } from "./match-order.ts";

/** Something that came of an order: a part of it was filled, or what was left of it was ended. */
export type OrderChange = {
  readonly accountId: string;
  readonly orderId: string;
} & (
  | {
      readonly type: "filled";
      readonly quantity: number;
      /** Cents for a contract of the order's side. */
      readonly priceCents: number;
      readonly feeCents: number;
      readonly left: number;
      readonly at: number;
    }
  | { readonly type: "ended"; readonly reason: string; readonly at: number }
);

type Receipt = Pick<Extract<OrderChange, { type: "filled" }>, "quantity" | "feeCents" | "left" | "at"> & {
  readonly yesCents: number;
};

/** How many minutes are remembered: a book is written with every order, and is to be short. */
const printsKept = 120;

export class Ledger {
  #state: MarketState;
  #book: Book;
  readonly #holdings: Map<string, Holding>;
  readonly #cash = new Map<string, number>();
  readonly #changes: OrderChange[] = [];
  #prints: readonly Print[];

  constructor(state: MarketState) {
    this.#state = state;
    this.#book = { bids: state.bids, asks: state.asks };
    this.#prints = state.prints;
    this.#holdings = new Map(state.holdings.map(({ accountId, yes, no }) => [accountId, { yes, no }]));
  }

  get book(): Book {
    return this.#book;
  }

  /** What every account has gained or lost in cash. */
  get cash(): ReadonlyMap<string, number> {
    return this.#cash;
  }

  get changes(): readonly OrderChange[] {
    return this.#changes;
  }

  get holders(): readonly string[] {
    return [...this.#holdings.keys()];
  }

  holding(accountId: string): Holding {
    return this.#holdings.get(accountId) ?? { yes: 0, no: 0 };
  }

  /** Lets an order meet the book. What is left of it stands if it `stays`, and is given back otherwise. */
  trade(order: StandingOrder, stays: boolean, at: number): void {
    const { book, fills, withdrawn, left } = matchOrder(this.#book, order, stays);
    this.#book = book;
    // First: what comes back may make pairs with what is free, but not with what this order is about to sell.
    this.#setAside(order, order.quantity);
    for (const met of withdrawn) this.#giveBack(met, "own_order_met", at);
    const fees = new FeeCount();
    let open = order.quantity;
    for (const fill of fills) {
      open -= fill.quantity;
      this.#settle(order, fill, { left: open, fees, at });
    }
    if (!stays && left > 0) this.#giveBack({ ...order, quantity: left }, "not_filled", at);
  }

  /** Takes orders out of the book, as far as they stand. */
  withdraw(orderIds: readonly string[], reason: string, at: number): void {
    const named = new Set(orderIds);
    const isOther = ({ orderId }: StandingOrder) => !named.has(orderId);
    const { bids, asks } = this.#book;
    this.#book = { bids: bids.filter(isOther), asks: asks.filter(isOther) };
    for (const order of [...bids, ...asks]) if (!isOther(order)) this.#giveBack(order, reason, at);
  }

  /** The simulated participants take back what they had standing. */
  withdrawSimulated(): void {
    this.#book = { bids: this.#book.bids.filter(isReal), asks: this.#book.asks.filter(isReal) };
  }

  /** Pays an account what its contracts are worth now that the market has ended; who gets nothing has been paid too. */
  pay(accountId: string, outcome: "yes" | "no"): void {
    const owed = 100 * this.holding(accountId)[outcome];
    this.#holdings.delete(accountId);
    this.#cash.set(accountId, (this.#cash.get(accountId) ?? 0) + owed);
    this.#state = { ...this.#state, escrowCents: this.#state.escrowCents - owed };
  }

  /** Everything as it stands now. */
  end(over: Pick<MarketState, "tick" | "phase">): MarketState {
    const simulated = this.#cash.get(simulatedAccount) ?? 0;
    return {
      ...this.#state,
      ...over,
      ...this.#book,
      holdings: [...this.#holdings].map(([accountId, { yes, no }]) => ({ accountId, yes, no })),
      simulatedCents: this.#state.simulatedCents + simulated,
      prints: this.#prints,
    };
  }

  #settle(
    order: StandingOrder,
    { maker, quantity }: Fill,
    { left, fees, at }: { readonly left: number; readonly fees: FeeCount; readonly at: number },
  ): void {
    const { priceCents } = maker;
    if (!isReal(order) && !isReal(maker)) return;
    this.#prints = withPrint(this.#prints, { at, priceCents, quantity });
    const feeCents = isReal(order) ? fees.add(priceCents, quantity) : 0;
    this.#move(order.accountId, -feeCents);
    this.#state = {
      ...this.#state,
      feeCents: this.#state.feeCents + feeCents,
      escrowCents: this.#state.escrowCents + escrowed(order, maker, quantity),
    };
    // What an order was better off than its limit comes back to it.
    if (order.action === "buy" && isReal(order))
      this.#move(order.accountId, quantity * (own(order, order.priceCents) - own(order, priceCents)));
    this.#receive(order, { quantity, yesCents: priceCents, feeCents, left, at });
    this.#receive(maker, {
      quantity,
      yesCents: priceCents,
      feeCents: 0,
      left: maker.quantity - quantity,
      at,
    });
  }

  #receive(order: StandingOrder, { yesCents, ...filled }: Receipt): void {
    const { accountId, orderId, action, side } = order;
    const { quantity } = filled;
    const priceCents = own(order, yesCents);
    if (action === "buy") this.#hold(accountId, side, quantity);
    else this.#move(accountId, quantity * priceCents);
    // The simulated participants set nothing aside for what they have standing.
    if (!isReal(order)) {
      if (action === "buy") this.#move(accountId, -quantity * priceCents);
      return;
    }
    this.#changes.push({ type: "filled", accountId, orderId, priceCents, ...filled });
  }

  /** Takes what an order could need out of its owner's hands. */
  #setAside(order: StandingOrder, quantity: number): void {
    const { accountId, action, side, priceCents } = order;
    if (!isReal(order)) return;
    if (action === "buy") this.#move(accountId, -quantity * own(order, priceCents));
    else this.#hold(accountId, side, -quantity);
  }

  #giveBack(order: StandingOrder, reason: string, at: number): void {
    const { accountId, orderId } = order;
    this.#setAside(order, -order.quantity);
    if (isReal(order)) this.#changes.push({ type: "ended", accountId, orderId, reason, at });
  }

  #move(accountId: string, cents: number): void {
    if (cents !== 0) this.#cash.set(accountId, (this.#cash.get(accountId) ?? 0) + cents);
  }

  /** A yes and a no together are 100 cents, and become that at once. */
  #hold(accountId: string, side: "yes" | "no", quantity: number): void {
    const before = this.holding(accountId);
    const after = { ...before, [side]: before[side] + quantity };
    const pairs = Math.max(0, Math.min(after.yes, after.no));
    const left = { yes: after.yes - pairs, no: after.no - pairs };
    if (left.yes === 0 && left.no === 0) this.#holdings.delete(accountId);
    else this.#holdings.set(accountId, left);
    if (pairs === 0) return;
    this.#move(accountId, 100 * pairs);
    this.#state = { ...this.#state, escrowCents: this.#state.escrowCents - 100 * pairs };
  }
}

/** A price of yes as a price of what the order is about. */
function own({ side }: StandingOrder, yesCents: number): number {
  return priceOf(side, yesCents);
}

function withPrint(
  prints: readonly Print[],
  {
    at,
    priceCents,
    quantity,
  }: { readonly at: number; readonly priceCents: number; readonly quantity: number },
): Print[] {
  const minute = tickAt(at) * tickMs;
  const last = prints.at(-1);
  const isSame = last?.at === minute;
  const before = isSame ? prints.slice(0, -1) : prints.slice(1 - printsKept);
  return [
    ...before,
    {
      at: minute,
      lowCents: Math.min(priceCents, isSame ? last.lowCents : priceCents),
      highCents: Math.max(priceCents, isSame ? last.highCents : priceCents),
      quantity: quantity + (isSame ? last.quantity : 0),
    },
  ];
}

/** Two who buy make new pairs, two who sell end them, and otherwise contracts change hands. */
function escrowed(order: StandingOrder, maker: StandingOrder, quantity: number): number {
  if (order.action !== maker.action) return 0;
  return order.action === "buy" ? 100 * quantity : -100 * quantity;
}
