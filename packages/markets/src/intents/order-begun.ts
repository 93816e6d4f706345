// X1: what became of an order whose call had no end. Nothing is sent here: what was not sent before is given up, so that what is said
// of it stays true.
import type { ToolContext } from "@spfunctions/kernel";
import { viewOfOrder } from "../exchange/order-view.ts";
import { isSameOrder } from "./arm-intent.ts";
import { ownIntentId } from "./execute-intent.ts";
import { followOrder } from "./follow-order.ts";
import { findIntent, type HeldIntent, lookForIntent, saveIntent } from "./intent-documents.ts";
import { findOrder, giveUpOrder } from "./intent-order.ts";
import type { Placed, Placing, PlacingHost } from "./place-order.ts";

/**
 * What a call that was to place an order at once has placed, and nothing where there is no order of it and will be none. An order
 * that waits for its trigger is written with the end of its call: without that end there is none.
 */
export async function orderBegun(
  host: PlacingHost,
  { facts, intentId, dryRun }: Placing,
  { principal: { accountId }, idempotencyKey: key }: ToolContext,
): Promise<Placed | undefined> {
  if (dryRun || facts.trigger !== undefined) return undefined;
  const begun = await lookForIntent(host.store, accountId, intentId ?? ownIntentId({ accountId, key }));
  // What another call has begun with this key is not this one's.
  if (begun?.intent.armedBy !== key || !isSameOrder(begun, facts)) return undefined;
  const now = host.clock.now();
  const { intent } = await withoutSending(host, begun, now);
  if (intent.orderId === undefined) return undefined;
  const order = await findOrder(host.live, accountId, intent, intent.orderId);
  return { intent: followOrder(intent, order, now) ?? intent, order: viewOfOrder(order) };
}

/** The intent with its order, or ended without one. Where somebody else drives it at the same time, what they have written counts. */
async function withoutSending(
  { store, live }: Pick<PlacingHost, "store" | "live">,
  held: HeldIntent,
  now: number,
): Promise<HeldIntent> {
  const { accountId, intent } = held;
  if (intent.state !== "executing" || intent.orderId !== undefined) return held;
  const reason = "the call that was to send it ended before it did";
  const next = (await giveUpOrder(live, accountId, intent, now, { state: "cancelled", reason })) ?? intent;
  const saved = await saveIntent(store, held, next, now);
  if (saved !== undefined) return saved;
  return await withoutSending({ store, live }, await findIntent(store, accountId, intent.intentId), now);
}
