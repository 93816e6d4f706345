// A step is decided, then written by compare-and-set; only then is the next one decided. An order is sent by a governed call alone, for an
// intent that is kept as executing, under a key made of its id: however often a process dies, and however many go on with it, it is
// sent once (X1).
import type { MarketsHost } from "../tools/markets-host.ts";
import { followOrder } from "./follow-order.ts";
import { hasExpired, type Intent, keyHasEnded, noProof, type Stop, withState } from "./intent.ts";
import { findIntent, type HeldIntent, type IntentStore, saveIntent } from "./intent-documents.ts";
import { giveUpOrder, sendOrder, standingOrder } from "./intent-order.ts";
import { triggerHolds } from "./trigger.ts";

export type IntentHost = IntentStore & Pick<MarketsHost, "live" | "mayCall">;

type Driving = {
  readonly now: number;
  /** Whether the governed call that the intent is executed by asks: nobody else sends its order. */
  readonly isCall?: boolean;
};

/** Moves an intent on as far as it goes now, and answers what it has come to. */
export async function driveIntent(host: IntentHost, held: HeldIntent, driving: Driving): Promise<HeldIntent> {
  const { accountId } = held;
  let current = held;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each step stands on the one before
    const next = await nextOf(host, current, driving);
    if (next === undefined) return current;
    // Where somebody else was first, what they have written is gone on from.
    // oxlint-disable-next-line no-await-in-loop
    const saved = await saveIntent(host, current, next, driving.now);
    // oxlint-disable-next-line no-await-in-loop
    current = saved ?? (await findIntent(host, accountId, current.intent.intentId));
  }
}

async function nextOf(
  host: IntentHost,
  { accountId, intent, revision, isProven }: HeldIntent,
  { now, isCall }: Driving,
): Promise<Intent | undefined> {
  const { live } = host;
  const { state, orderId } = intent;
  switch (state) {
    case "armed":
      if (hasExpired(intent, now)) return withState(intent, "expired", now);
      return (await isMet(live, intent))
        ? { ...withState(intent, "triggered", now), firingKey: `fire:${intent.intentId}:${revision + 1}` }
        : undefined;
    case "triggered":
      return hasExpired(intent, now) ? withState(intent, "expired", now) : undefined;
    case "executing":
    case "partial": {
      if (orderId !== undefined)
        return followOrder(intent, await standingOrder(live, accountId, intent, orderId, now), now);
      if (hasExpired(intent, now))
        return await giveUpOrder(live, accountId, intent, now, { state: "expired" });
      if (isCall !== true) return undefined;
      // B22: of what may have been sent before it is only made sure that nobody sends it any more.
      const { reason } = isProven ? ((await stopByKey(host, accountId, intent)) ?? {}) : noProof;
      return reason === undefined
        ? await sendOrder(live, accountId, intent, now)
        : await giveUpOrder(live, accountId, intent, now, { state: "cancelled", reason });
    }
    default:
      return undefined;
  }
}

/** Whoever armed it answers for it: for a key that has ended, or may not place orders any more, nothing is sent. */
export async function stopByKey(
  { mayCall }: Pick<IntentHost, "mayCall">,
  accountId: string,
  { trigger, armedKeyId = "" }: Intent,
): Promise<Stop | undefined> {
  if (trigger === undefined || mayCall === undefined) return undefined;
  return (await mayCall(accountId, armedKeyId, "execution.place")) ? undefined : keyHasEnded;
}

/** By the book as it is now: what another has just taken from it is gone. */
async function isMet(live: MarketsHost["live"], { trigger, ticker }: Intent): Promise<boolean> {
  if (trigger === undefined) return true;
  const book = await live.depth(ticker);
  return book !== undefined && triggerHolds(trigger, book);
}
