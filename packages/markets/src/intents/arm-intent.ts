import { IdempotencyConflictError, InvalidInputError, InvalidTransitionError } from "@spfunctions/contracts";
import { type ArmedCall, hasExpired, type Intent, type IntentFacts, withState } from "./intent.ts";
import { findIntent, type HeldIntent, type IntentStore } from "./intent-documents.ts";
import { badTransition } from "./intent-states.ts";

/** Who arms: the account and its key, and the idempotency key, which is the same in every attempt at one call. */
export type Arming = {
  readonly accountId: string;
  readonly keyId: string;
  readonly key: string;
  readonly now: number;
  /** The call itself, without its time. */
  readonly call: Omit<ArmedCall, "at">;
};

/**
 * A kept draft, or an intent that was stopped, that is exactly the order that was judged. Of a draft that this installation has kept,
 * its own `expiresAt` counts as well; otherwise everything is as the call says it.
 */
export async function findDraft(
  kept: IntentStore,
  intentId: string,
  facts: IntentFacts,
  { accountId, now }: Arming,
): Promise<HeldIntent> {
  const held = await findIntent(kept, accountId, intentId);
  const { state } = held.intent;
  if (state !== "pending" && state !== "stopped") throw badTransition(state, "armed");
  const isOwnTime = state === "pending" && held.isProven;
  const intent = isOwnTime ? held.intent : { ...held.intent, expiresAt: facts.expiresAt };
  if (hasExpired(intent, now))
    throw badTransition(state, "armed", "its time is over; make another with intents.create");
  const other = differing(intent, facts);
  if (other.length === 0) return { ...held, intent };
  throw new InvalidTransitionError(
    `the order is not the one of the intent: ${other.join(", ")} differ; give the intent's own facts, or make another intent`,
    { details: { reason: "facts_differ", fields: other } },
  );
}

/** An intent that this very call has begun to execute is gone on with, and with no other order than it began. */
export function requireSameOrder(held: HeldIntent, facts: IntentFacts): void {
  if (isSameOrder(held, facts)) return;
  throw new IdempotencyConflictError(
    "another order was placed with this key; take a new key for a new order",
  );
}

export function isSameOrder({ intent }: HeldIntent, facts: IntentFacts): boolean {
  return differing(intent, facts).length === 0;
}

/** `expiresAt` may be left out: it bounds an order, and the intent's own stays. */
function differing(intent: Intent, facts: IntentFacts): string[] {
  const plain = ["venue", "ticker", "action", "side", "quantity"] as const;
  const other: string[] = plain.filter((name) => intent[name] !== facts[name]);
  if (intent.limitCents !== facts.limitCents) other.push("limitPriceCents");
  if (intent.timeInForce !== facts.timeInForce) other.push("timeInForce");
  const isSameTrigger =
    intent.trigger?.when === facts.trigger?.when && intent.trigger?.priceCents === facts.trigger?.priceCents;
  if (!isSameTrigger) other.push("trigger");
  if (facts.expiresAt !== undefined && facts.expiresAt !== intent.expiresAt) other.push("expiresAt");
  return other;
}

/** A draft that waits for its trigger from now on, and no longer than its market is open. */
export function armed(
  draft: Intent,
  closesAt: number,
  { keyId, now, call }: Pick<Arming, "keyId" | "now" | "call">,
): Intent {
  const expiresAt = Math.min(draft.expiresAt ?? closesAt, closesAt);
  if (now >= expiresAt)
    throw new InvalidInputError("expiresAt has passed, or the market has closed: it could never fire", {
      details: { path: "/expiresAt", reason: "expired" },
    });
  return {
    ...withState(draft, "armed", now),
    expiresAt,
    armedKeyId: keyId,
    armedCall: { ...call, at: now },
    stoppedBy: undefined,
  };
}
