import type { Order } from "../exchange/exchange.ts";
import { hasExpired, type Intent, withState } from "./intent.ts";
import type { IntentState } from "./intent-states.ts";

/** The intent as its order now has it, or nothing where it is so already. */
export function followOrder(intent: Intent, order: Order, now: number): Intent | undefined {
  const { orderId, filled } = order;
  const state = stateBy(intent, order, now);
  if (state === intent.state && orderId === intent.orderId && filled === intent.filled) return undefined;
  const moved = state === intent.state ? intent : withState(intent, state, now, order.reason);
  return { ...moved, orderId, filled };
}

function stateBy(intent: Intent, { status, filled }: Order, now: number): IntentState {
  if (status === "filled") return "filled";
  if (status === "open") return filled === 0 ? "executing" : "partial";
  return hasExpired(intent, now) ? "expired" : "cancelled";
}
