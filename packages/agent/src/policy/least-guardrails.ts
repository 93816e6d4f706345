// The tightest guardrails that let recorded orders pass. What a guardrail means is asked of `tradeViolation`, not said again here.
import {
  type AgentPolicy,
  orderCostCents,
  type TradeFacts,
  type TradeGuardrails,
  tradeGuardrailsSchema,
  tradeViolation,
} from "@spfunctions/contracts";
import { type OrderFacts, readOrder, withHarmless } from "./order-facts.ts";
import { isReplayed, type PastCall } from "./past-calls.ts";

export type GivenGuardrails = NonNullable<AgentPolicy["trade"]>;

/** Stands for the venue of orders that do not show theirs: a list of venues names at least one. */
export const unrecordedVenue = "not-recorded";

/** What a guardrail has to be for an order that breaks it as it is by default. */
const grants = {
  requireLimitPrice: false,
  dryRunOnly: false,
  allowAutoExecute: true,
  allowRuntimeStart: true,
} as const satisfies Partial<TradeGuardrails>;
type Grant = keyof typeof grants;

/** Guardrails for these calls, or none where none of them is a live trade. */
export function leastGuardrails(calls: readonly PastCall[]): GivenGuardrails | undefined {
  const trades = calls.filter(({ contract }) => contract?.sideEffect === "live_trade");
  if (trades.length === 0) return undefined;
  // A replayed order is not looked into, but needs that there are guardrails.
  const judged = trades.filter((call) => !isReplayed(call)).map(orderOf);
  const venues = venuesIn(judged);
  const allowedVenues = venues.length > 0 ? venues : [venuesIn(trades.map(orderOf))[0] ?? unrecordedVenue];
  const orders = judged.map((order) => withVenue(order, allowedVenues));
  const base = {
    allowedVenues,
    maxOrderCostCents: highest(orders.map(orderCostCents)),
    maxQuantity: highest(orders.map(({ quantity }) => Number(quantity))),
  };
  const rails = orders.reduce(loosenedFor, tradeGuardrailsSchema.parse(base));
  return {
    ...base,
    ...Object.fromEntries(Object.entries(grants).filter(([name, grant]) => rails[name as Grant] === grant)),
  };
}

function orderOf({ contract, input }: PastCall): OrderFacts {
  return readOrder(contract?.trade, input);
}

function venuesIn(orders: readonly OrderFacts[]): string[] {
  const shown = orders.flatMap(({ shown: { venue }, hidden }) =>
    typeof venue === "string" && !hidden.includes("venue") ? [venue] : [],
  );
  return [...new Set(shown)].toSorted();
}

function withVenue(order: OrderFacts, [venue]: readonly string[]): TradeFacts {
  const facts = withHarmless(order);
  return order.hidden.includes("venue") ? { ...facts, venue } : facts;
}

function highest(numbers: readonly number[]): number {
  return numbers.reduce((most, one) => Math.max(most, one), 0);
}

function loosenedFor(rails: TradeGuardrails, order: TradeFacts): TradeGuardrails {
  const field = tradeViolation(rails, order, () => true)?.field;
  if (field === undefined || !isGrant(field) || rails[field] === grants[field]) return rails;
  return loosenedFor({ ...rails, [field]: grants[field] }, order);
}

function isGrant(field: keyof TradeGuardrails): field is Grant {
  return Object.hasOwn(grants, field);
}
