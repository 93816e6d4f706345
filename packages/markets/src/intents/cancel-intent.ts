import { InvalidTransitionError } from "@spfunctions/contracts";
import type { DocumentWrite } from "@spfunctions/kernel";
import type { IntentHost } from "./drive-intent.ts";
import { followOrder } from "./follow-order.ts";
import { endedByTime, type Intent, withState } from "./intent.ts";
import {
  findIntent,
  type HeldIntent,
  type IntentStore,
  lookForIntent,
  saveIntent,
  writeIntent,
} from "./intent-documents.ts";
import { withdraw } from "./intent-order.ts";
import { badTransition } from "./intent-states.ts";
import { orUnknown } from "./unknown-outcome.ts";

type CancelHost = IntentStore & Pick<IntentHost, "live">;

/**
 * The intent as it is once it is cancelled. `documents` are for the caller to write: none where it was cancelled before, or where an
 * order stood. What stands of an order is taken back, and that cannot be undone: it is written here.
 */
export async function cancelIntent(
  host: CancelHost,
  accountId: string,
  intentId: string,
  now: number,
): Promise<{ readonly intent: Intent; readonly documents: readonly DocumentWrite[] }> {
  const held = await findIntent(host, accountId, intentId);
  const intent = endedByTime(held.intent, now);
  if (intent.state === "cancelled") return { intent, documents: [] };
  if (isSent(intent)) {
    const lookWith = `intents.get (${intentId})`;
    return { intent: await orUnknown(lookWith, () => takeBack(host, held, now)), documents: [] };
  }
  const cancelled = withState(intent, "cancelled", now);
  return { intent: cancelled, documents: [writeIntent(host, held, cancelled)] };
}

/** The intent where it is cancelled, or its order is taken back already and nobody has written that; otherwise nothing. */
export async function cancelledIntent(
  host: CancelHost,
  accountId: string,
  intentId: string,
  now: number,
): Promise<Intent | undefined> {
  const { live } = host;
  const held = await lookForIntent(host, accountId, intentId);
  if (held === undefined) return undefined;
  const { orderId } = held.intent;
  const isFollowed = isSent(held.intent) && orderId !== undefined;
  const order = isFollowed ? await live.writtenOrder(accountId, orderId) : undefined;
  const intent = (order && followOrder(held.intent, order, now)) ?? held.intent;
  return intent.state === "cancelled" ? intent : undefined;
}

function isSent({ state }: Intent): boolean {
  return state === "executing" || state === "partial";
}

/** Where somebody else has followed the order first, what they have written is the answer. */
async function takeBack(host: CancelHost, held: HeldIntent, now: number): Promise<Intent> {
  const { live } = host;
  const { accountId, intent } = held;
  if (intent.orderId === undefined) throw beingSent();
  const order = await withdraw(live, accountId, intent, intent.orderId);
  if (order.status === "filled") throw badTransition("filled", "cancelled");
  const next = followOrder(intent, order, now) ?? intent;
  if ((await saveIntent(host, held, next, now)) !== undefined) return next;
  const current = await findIntent(host, accountId, intent.intentId);
  return isSent(current.intent) ? await takeBack(host, current, now) : current.intent;
}

/** Nobody knows yet whether the venue has it: to call it cancelled could be untrue. */
function beingSent(): InvalidTransitionError {
  return new InvalidTransitionError(
    "an intent that is executing cannot become cancelled while its order is being sent; ask again in a moment",
    { details: { from: "executing", to: "cancelled", reason: "being_sent" }, retry: "after_wait" },
  );
}
