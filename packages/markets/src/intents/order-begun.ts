// X1: what became of an order whose call had no end. Nothing is sent here: what was not sent before is given up, so that what is said
// of it stays true.
import type { ToolContext } from "@spfunctions/kernel";
import { viewOfOrder } from "../exchange/order-view.ts";
import { isSameOrder } from "./arm-intent.ts";
import { ownIntentId } from "./execute-intent.ts";
import { intentFiredBy } from "./fire-order.ts";
import { followOrder } from "./follow-order.ts";
import {
  findIntent,
  type HeldIntent,
  type IntentStore,
  lookForIntent,
  saveIntent,
} from "./intent-documents.ts";
import { type Intent, stopped } from "./intent.ts";
import { findOrder, giveUpOrder } from "./intent-order.ts";
import type { Placed, Placing, PlacingHost } from "./place-order.ts";

/**
 * What a call that was to place an order at once has placed, and nothing where there is no order of it and will be none. An order
 * that waits for its trigger is written with the end of its call: without that end there is none.
 */
export async function orderBegun(
  host: PlacingHost,
  { facts, intentId, dryRun, input }: Placing,
  context: Pick<ToolContext, "principal" | "idempotencyKey">,
): Promise<Placed | undefined> {
  if (dryRun) return undefined;
  const { accountId } = context.principal;
  const key = context.idempotencyKey;
  const fired = await intentFiredBy(host, input, context);
  if (fired === undefined && facts.trigger !== undefined) return undefined;
  const begun = fired ?? (await lookForIntent(host, accountId, intentId ?? ownIntentId({ accountId, key })));
  // What another call has begun with this key is not this one's.
  if (begun === undefined || !isSameOrder(begun, facts)) return undefined;
  if (fired === undefined && begun.intent.armedBy !== key) return undefined;
  const now = host.clock.now();
  const { intent } = await withoutSending(host, begun, now);
  if (intent.orderId === undefined) return undefined;
  const order = await findOrder(host.live, accountId, intent, intent.orderId);
  return { intent: followOrder(intent, order, now) ?? intent, order: viewOfOrder(order) };
}

/** The intent with its order, or ended without one. Where somebody else drives it at the same time, what they have written counts. */
async function withoutSending(
  host: IntentStore & Pick<PlacingHost, "live">,
  held: HeldIntent,
  now: number,
): Promise<HeldIntent> {
  const { accountId, intent } = held;
  const reason = "the call that was to send it ended before it did";
  const next = await unsent(host, held, now, reason);
  if (next === undefined) return held;
  const saved = await saveIntent(host, held, next, now);
  if (saved !== undefined) return saved;
  return await withoutSending(host, await findIntent(host, accountId, intent.intentId), now);
}

async function unsent(
  { live }: Pick<PlacingHost, "live">,
  { accountId, intent }: HeldIntent,
  now: number,
  reason: string,
): Promise<Intent | undefined> {
  if (intent.state === "triggered")
    return stopped(intent, now, { code: "cancelled", reason: `${reason}; arm it again` });
  if (intent.state !== "executing" || intent.orderId !== undefined) return undefined;
  return (await giveUpOrder(live, accountId, intent, now, { state: "cancelled", reason })) ?? intent;
}
