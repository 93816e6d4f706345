import { hashInput, RevisionConflictError } from "@spfunctions/contracts";
import type { Order } from "../exchange/exchange.ts";
import { type Arming, findDraft, requireSameOrder } from "./arm-intent.ts";
import { driveIntent, type IntentHost } from "./drive-intent.ts";
import { type Intent, type IntentFacts, newIntent, withState } from "./intent.ts";
import { type HeldIntent, lookForIntent, saveIntent, unkept } from "./intent-documents.ts";
import { isUnanswered, unknownOutcome } from "./unknown-outcome.ts";

/**
 * The intent that a call executes: the draft that it names, or one of its own, so that every live order is an intent's and can be
 * looked at and taken back. What the same call has begun before a crash it finds again (X1).
 */
export async function intentToExecute(
  host: IntentHost,
  intentId: string | undefined,
  facts: IntentFacts,
  arming: Arming,
): Promise<HeldIntent> {
  const { accountId, key, now } = arming;
  const name = intentId ?? ownIntentId(arming);
  const begun = await lookForIntent(host, accountId, name);
  if (begun?.intent.armedBy === key) {
    requireSameOrder(begun, facts);
    return begun;
  }
  if (intentId !== undefined) return await findDraft(host, intentId, facts, arming);
  return unkept(accountId, newIntent(name, facts, now));
}

/** The name of the intent of a call that names none. */
export function ownIntentId({ accountId, key }: Pick<Arming, "accountId" | "key">): string {
  const [, digits = ""] = hashInput([accountId, key]).split(":");
  return `int_${digits.slice(0, 32)}`;
}

/** Sends the order of an intent that has no trigger, or whose trigger holds. Called again by the same call, it goes on where it was. */
export async function executeIntent(
  host: IntentHost,
  held: HeldIntent,
  arming: Arming,
): Promise<{ readonly intent: Intent; readonly order: Order | undefined }> {
  const { accountId, now } = arming;
  let isSending = held.intent.armedBy === arming.key;
  try {
    const sending = isSending ? held : await beginSending(host, held, arming);
    isSending = true;
    const { intent } = await driveIntent(host, sending, { now, isCall: true });
    const { orderId } = intent;
    const order = orderId === undefined ? undefined : await host.live.writtenOrder(accountId, orderId);
    return { intent, order };
  } catch (fault) {
    // What is kept as executing is sent by somebody, whatever has become of this call.
    const isUnknown = isSending || isUnanswered(fault);
    throw isUnknown ? unknownOutcome(`intents.get (${held.intent.intentId})`, fault) : fault;
  }
}

async function beginSending(
  host: IntentHost,
  held: HeldIntent,
  { key, keyId, now, call }: Arming,
): Promise<HeldIntent> {
  // In one write: between these states there is nothing to wait for.
  const isFired = held.intent.state === "triggered";
  const steps = isFired ? (["executing"] as const) : (["armed", "triggered", "executing"] as const);
  const sending = steps.reduce((before, state) => withState(before, state, now), held.intent);
  const armedCall = isFired ? held.intent.armedCall : { ...call, at: now };
  const next = { ...sending, armedBy: key, armedKeyId: keyId, armedCall };
  const saved = await saveIntent(host, held, next, now);
  if (saved !== undefined) return saved;
  throw new RevisionConflictError(
    "the intent was changed at the same time; nothing was sent, look at it with intents.get and try again",
  );
}
