import {
  ContractViolationError,
  type ErrorCode,
  InvalidInputError,
  InvalidTransitionError,
  isSimpleFunctionsError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import type { SimulatedMarket } from "../simulation/simulated-market.ts";
import { type Book, bookSideOf, priceOf, simulatedAccount, type StandingOrder } from "./book.ts";
import type { BroughtUp } from "./bring-up.ts";
import { type Order, orderActions, orderSides, type WantedOrder } from "./exchange.ts";

/**
 * The most contracts in one order.
 * @limit market.contracts | `invalid_input` | fixed: part of the tools' contracts
 */
export const mostContracts = 1_000_000;
/**
 * Orders of one account that stand in one market.
 * @limit market.standingOrders | `invalid_input`, reason `too_many_orders` | fixed: a book is one document, and nobody may make it long for everybody
 */
export const mostStanding = 200;

type Placing = { readonly accountId: string; readonly orderId: string; readonly wanted: WantedOrder };

/** Lets an order meet a market that was brought up to now; what cannot be is thrown. Gives the order as it came. */
export function placeIn(
  { ledger, phase }: BroughtUp,
  { opensAt }: SimulatedMarket,
  now: number,
  { accountId, orderId, wanted }: Placing,
): Order {
  if (now < opensAt) throw new InvalidTransitionError("the market is not open yet; wait until it opens");
  if (phase !== "open")
    throw new InvalidTransitionError("the market is closed; nothing can be ordered any more");
  const { ticker, action, side, quantity, limitCents, timeInForce = "gtc" } = wanted;
  if (action === "sell" && ledger.holding(accountId)[side] < quantity)
    throw new InvalidInputError(
      `the order sells ${quantity} contracts and ${ledger.holding(accountId)[side]} are free; sell less, buy the other side, or cancel what stands`,
      { details: { reason: "insufficient_contracts", path: "/quantity" } },
    );
  const unlimited = bookSideOf({ action, side }) === "bid" ? 99 : 1;
  const priceCents = limitCents === undefined ? unlimited : priceOf(side, limitCents);
  const order: StandingOrder = { accountId, orderId, action, side, priceCents, quantity };
  ledger.trade(order, limitCents !== undefined && timeInForce === "gtc", now);
  requireRoom(ledger.book, accountId);
  return {
    orderId,
    ticker,
    action,
    side,
    quantity,
    limitCents: limitCents ?? null,
    status: "open",
    filled: 0,
    filledCents: 0,
    feeCents: 0,
    placedAt: now,
    changedAt: now,
  };
}

function requireRoom({ bids, asks }: Book, accountId: string): void {
  const isOwn = (order: StandingOrder) => order.accountId === accountId;
  if (bids.filter(isOwn).length + asks.filter(isOwn).length <= mostStanding) return;
  throw new InvalidInputError(
    `${mostStanding} orders of yours stand in this market, and there may be no more; cancel some, or order with ioc`,
    { details: { reason: "too_many_orders" } },
  );
}

/** What the tools' schemas have already refused; here for whoever comes another way. */
export function requireSound(accountId: string, { action, side, quantity, limitCents }: WantedOrder): void {
  const isCount = Number.isSafeInteger(quantity) && quantity >= 1 && quantity <= mostContracts;
  const isPrice =
    limitCents === undefined || (Number.isSafeInteger(limitCents) && limitCents >= 1 && limitCents <= 99);
  const isKnown = orderActions.includes(action) && orderSides.includes(side);
  if (accountId === simulatedAccount || !isKnown || !isCount || !isPrice)
    throw new ContractViolationError(
      `an order is somebody's, who buys or sells yes or no: 1 to ${mostContracts} contracts at 1 to 99 cents, in whole numbers`,
    );
}

const refusals: ReadonlySet<ErrorCode> = new Set(["invalid_input", "not_found", "invalid_transition"]);

/** Whether an order was refused, and not only went wrong. */
export function isRefusal(fault: unknown): fault is SimpleFunctionsError {
  return isSimpleFunctionsError(fault) && refusals.has(fault.code);
}
