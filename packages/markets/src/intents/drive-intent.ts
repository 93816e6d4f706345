// A step is decided, then written by compare-and-set; only then is the next one decided. An order is sent by an intent that is
// kept as executing, under a key made of its id: however often a process dies, and however many go on with it, it is sent once (X1).
import type { MarketsHost } from "../tools/markets-host.ts";
import { followOrder } from "./follow-order.ts";
import { hasExpired, type Intent, withState } from "./intent.ts";
import { findIntent, type HeldIntent, saveIntent } from "./intent-documents.ts";
import { giveUpOrder, sendOrder, standingOrder } from "./intent-order.ts";
import { triggerHolds } from "./trigger.ts";

/** Why an intent was ended that nobody has cancelled. */
export const keyHasEnded = "the key that armed it may not place orders any more";

export type IntentHost = Pick<MarketsHost, "store" | "live" | "mayCall">;

type Market = Pick<IntentHost, "live" | "mayCall">;

/** Moves an intent on as far as it goes now, and answers what it has come to. */
export async function driveIntent(
  { store, live, mayCall }: IntentHost,
  held: HeldIntent,
  now: number,
): Promise<HeldIntent> {
  const { accountId } = held;
  let current = held;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each step stands on the one before
    const next = await nextOf({ live, mayCall }, current, now);
    if (next === undefined) return current;
    // Where somebody else was first, what they have written is gone on from.
    // oxlint-disable-next-line no-await-in-loop
    const saved = await saveIntent(store, current, next, now);
    // oxlint-disable-next-line no-await-in-loop
    current = saved ?? (await findIntent(store, accountId, current.intent.intentId));
  }
}

async function nextOf(
  market: Market,
  { accountId, intent }: HeldIntent,
  now: number,
): Promise<Intent | undefined> {
  switch (intent.state) {
    case "armed":
      if (hasExpired(intent, now)) return withState(intent, "expired", now);
      return (await isMet(market, intent)) ? withState(intent, "triggered", now) : undefined;
    case "triggered":
      if (hasExpired(intent, now)) return withState(intent, "expired", now);
      return (await mayFire(market, accountId, intent))
        ? withState(intent, "executing", now)
        : withState(intent, "cancelled", now, keyHasEnded);
    case "executing":
    case "partial":
      return intent.orderId === undefined
        ? await send(market, accountId, intent, now)
        : followOrder(intent, await standingOrder(market.live, accountId, intent, intent.orderId, now), now);
    default:
      return undefined;
  }
}

/** What a dead process has left may be sent long after: not once its time is over, or its key may not order any more. */
async function send(
  market: Market,
  accountId: string,
  intent: Intent,
  now: number,
): Promise<Intent | undefined> {
  const { live } = market;
  if (hasExpired(intent, now)) return await giveUpOrder(live, accountId, intent, now, { state: "expired" });
  const isLate = intent.trigger !== undefined && !(await mayFire(market, accountId, intent));
  return isLate
    ? await giveUpOrder(live, accountId, intent, now, { state: "cancelled" })
    : await sendOrder(live, accountId, intent, now);
}

/** Whoever armed it answers for it: a key that has ended, or may not place orders any more, sends none. */
async function mayFire({ mayCall }: Market, accountId: string, { armedKeyId }: Intent): Promise<boolean> {
  return armedKeyId !== undefined && (await mayCall?.(accountId, armedKeyId, "execution.place")) === true;
}

/** By the book as it is now: what another has just taken from it is gone. */
async function isMet({ live }: Market, { trigger, ticker }: Intent): Promise<boolean> {
  if (trigger === undefined) return true;
  const book = await live.depth(ticker);
  return book !== undefined && triggerHolds(trigger, book);
}
