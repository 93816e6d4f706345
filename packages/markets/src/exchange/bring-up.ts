// Brings a market from the tick it was left in up to now. The simulated participants act in every tick; where nobody real stands in
// the book, what they did before the last tick has left no trace, and is not gone through.
import { tickAt, tickMs, type SimulatedMarket, type TickOrders } from "../simulation/simulated-market.ts";
import { type Book, isReal, simulatedAccount, type StandingOrder } from "./book.ts";
import { Ledger } from "./ledger.ts";
import type { MarketState } from "./market-state.ts";

export type OrdersAt = (market: SimulatedMarket, tick: number) => TickOrders;

/** How far one step goes at most. */
type Stride = {
  readonly ticks: number;
  /** Orders that are ended, or accounts that are paid, in a settlement. */
  readonly settled: number;
};

/** As much as is written at once. */
const written: Stride = { ticks: 1000, settled: 100 };
/** All the way, for whoever only looks. */
export const unwritten: Stride = { ticks: Infinity, settled: Infinity };

/** A market that is about to change: what has come of the time since, and where it stands. */
export type BroughtUp = {
  readonly ledger: Ledger;
  readonly tick: number;
  readonly phase: MarketState["phase"];
  /** Whether this was one step, and there are more until now. */
  readonly isBehind: boolean;
};

/** One step from where a market was left towards now. */
export function bringUp(
  state: MarketState,
  market: SimulatedMarket,
  now: number,
  ordersAt: OrdersAt,
  stride: Stride = written,
): BroughtUp {
  const ledger = new Ledger(state);
  // A clock that was set back undoes nothing.
  const isOver = state.phase !== "open" || now >= market.closesAt;
  const last = Math.max(state.tick, isOver ? tickAt(market.closesAt - 1) : tickAt(now));
  const first = standsAnybody(ledger.book) ? Math.max(state.tick + 1, tickAt(market.opensAt)) : last;
  const tick = Math.min(last, first + stride.ticks - 1);
  for (let next = Math.max(first, state.tick + 1); next <= tick; next++)
    actInTick(ledger, ordersAt(market, next), next);
  if (!isOver || tick < last) return { ledger, tick, phase: state.phase, isBehind: tick < last };
  const phase = state.phase === "settled" ? "settled" : settle(ledger, market, stride.settled);
  return { ledger, tick, phase, isBehind: phase === "settling" };
}

function actInTick(ledger: Ledger, { quotes, taker }: TickOrders, tick: number): void {
  ledger.withdrawSimulated();
  const at = tick * tickMs;
  for (const quote of quotes) ledger.trade(simulated(quote), true, at);
  if (taker !== undefined) ledger.trade(simulated(taker), false, at);
}

/** The simulated participants never sell: whoever offers yes buys no. */
function simulated({ side, priceCents, quantity }: TickOrders["quotes"][number]): StandingOrder {
  return {
    accountId: simulatedAccount,
    orderId: "",
    action: "buy",
    side: side === "bid" ? "yes" : "no",
    priceCents,
    quantity,
  };
}

/** One step: orders end first, then everybody is paid, so many at once. */
function settle(
  ledger: Ledger,
  { closesAt, outcome }: SimulatedMarket,
  atOnce: number,
): MarketState["phase"] {
  ledger.withdrawSimulated();
  const standing = [...ledger.book.bids, ...ledger.book.asks].map(({ orderId }) => orderId);
  ledger.withdraw(standing.slice(0, atOnce), "market_closed", closesAt);
  if (standing.length > atOnce) return "settling";
  const { holders } = ledger;
  for (const accountId of holders.slice(0, atOnce)) ledger.pay(accountId, outcome);
  return holders.length > atOnce ? "settling" : "settled";
}

function standsAnybody({ bids, asks }: Book): boolean {
  return bids.some(isReal) || asks.some(isReal);
}
