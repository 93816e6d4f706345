import { isSimpleFunctionsError, JournalCorruptError } from "@spfunctions/contracts";
import type { Exchange, Order } from "../exchange/exchange.ts";
import { isRefusal } from "../exchange/place-in.ts";
import { followOrder } from "./follow-order.ts";
import { hasExpired, type Intent, wantedOrder, withState } from "./intent.ts";

/**
 * The intent by what the venue made of its order. What it made is final for the key: whoever else drives the same intent, now or
 * later, finds the same order, or the same refusal.
 */
export async function sendOrder(
  live: Exchange,
  accountId: string,
  intent: Intent,
  now: number,
): Promise<Intent | undefined> {
  try {
    const order = await live.place(accountId, orderKeyOf(intent), wantedOrder(intent), { isFinal: true });
    return followOrder(intent, order, now);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, message } = error;
    return { ...withState(intent, "rejected", now, message), rejection: { code, message } };
  }
}

/** The intent without its order, which nobody can send any more; or with it, where somebody had sent it already. */
export async function giveUpOrder(
  live: Exchange,
  accountId: string,
  intent: Intent,
  now: number,
  { state, reason }: { readonly state: "expired" | "cancelled"; readonly reason?: string },
): Promise<Intent | undefined> {
  const order = await live.giveUp(accountId, orderKeyOf(intent), wantedOrder(intent));
  return order === undefined ? withState(intent, state, now, reason) : followOrder(intent, order, now);
}

function orderKeyOf({ intentId }: Intent): string {
  return `intent:${intentId}`;
}

/** Its order, of which nothing is left standing once the intent has expired. */
export async function standingOrder(
  live: Exchange,
  accountId: string,
  intent: Intent,
  orderId: string,
  now: number,
): Promise<Order> {
  const order = await findOrder(live, accountId, intent, orderId);
  return order.status === "open" && hasExpired(intent, now)
    ? await withdraw(live, accountId, intent, orderId)
    : order;
}

/** Takes back what stands of an intent's order; what was filled meanwhile stays filled. */
export async function withdraw(
  live: Exchange,
  accountId: string,
  intent: Intent,
  orderId: string,
): Promise<Order> {
  try {
    return await live.cancel(accountId, orderId);
  } catch (error) {
    if (!isSimpleFunctionsError(error) || error.code !== "invalid_transition") throw error;
    return await findOrder(live, accountId, intent, orderId);
  }
}

/** The order of an intent that has one, as it was last written. */
export async function findOrder(
  live: Exchange,
  accountId: string,
  { intentId }: Intent,
  orderId: string,
): Promise<Order> {
  const order = await live.writtenOrder(accountId, orderId);
  if (order !== undefined) return order;
  throw new JournalCorruptError(
    `the order of the intent ${intentId} is not there; restore the data folder from a backup`,
    { details: { reason: "order_missing" } },
  );
}
