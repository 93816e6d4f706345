// G1, J1: the order of an intent is sent by a governed call of the key that armed it, which whoever hosts the markets makes: it is judged
// now, and on record. What stops that call stops the order.
import {
  canonicalJson,
  HostConfigurationNeededError,
  InvalidTransitionError,
  isSimpleFunctionsError,
  type SimpleFunctionsError,
  type Verdict,
} from "@spfunctions/contracts";
import type { EarlierCall, ToolContext } from "@spfunctions/kernel";
import type { MarketsHost } from "../tools/markets-host.ts";
import type { IntentHost } from "./drive-intent.ts";
import { type Intent, noProof, type Stop, stopped } from "./intent.ts";
import {
  findIntent,
  type HeldIntent,
  type IntentStore,
  lookForIntent,
  saveIntent,
} from "./intent-documents.ts";
import { giveUpOrder } from "./intent-order.ts";

export type FiringHost = IntentHost & Pick<MarketsHost, "fire" | "clock" | "explainCall">;

/** How long the call that has begun to send an order is left alone: it, or whoever settles it after a crash, ends before that. */
const sendingMs = 60_000;

/** Why an order is given up whose call was to send it. */
const leftByCall: Stop = { code: "cancelled", reason: "the call that was to send it ended before it did" };

/** Whether nobody has sent the order of an intent that was to be sent. */
function isUnsent({ state, orderId }: Intent): boolean {
  return state === "triggered" || (state === "executing" && orderId === undefined);
}

/** Whether a governed call is to send the order of an intent now. */
export function isToFire(intent: Intent, now: number): boolean {
  const since = intent.history.at(-1)?.at ?? 0;
  return isUnsent(intent) && (intent.state === "triggered" || now - since >= sendingMs);
}

/** Has the call made that sends an intent's order, and answers what has come of it. Throws if it is to be tried again later. */
export async function fireOrder(host: FiringHost, held: HeldIntent): Promise<HeldIntent> {
  const { accountId, intent } = held;
  // What was to be sent at once is not sent later.
  if (intent.trigger === undefined) return await stopOrder(host, held, leftByCall);
  const fault = await faultOf(host, held);
  const after = await findIntent(host, accountId, intent.intentId);
  if (!isUnsent(after.intent) || after.intent.firingKey !== intent.firingKey) return after;
  if (fault !== undefined && isToTryAgain(fault)) throw fault;
  return await stopOrder(host, after, stopOf(fault));
}

/** An intent without a valid proof is not fired: it is kept as stopped, or what may have been sent of it is given up. */
export async function disarm(host: FiringHost, held: HeldIntent): Promise<HeldIntent> {
  const { accountId, intent, isProven } = held;
  if (isProven) return held;
  if (isUnsent(intent)) return await stopOrder(host, held, noProof);
  if (intent.state !== "stopped") return held;
  const saved = await saveIntent(host, held, intent, host.clock.now());
  return saved ?? (await findIntent(host, accountId, intent.intentId));
}

/** Whether the call was made, whatever has come of it, is on record. */
async function faultOf(
  { fire }: FiringHost,
  { accountId, intent }: HeldIntent,
): Promise<SimpleFunctionsError | undefined> {
  const { armedCall, armedKeyId: keyId, firingKey: idempotencyKey } = intent;
  if (fire === undefined) return noHost();
  if (armedCall === undefined || keyId === undefined || idempotencyKey === undefined)
    return new InvalidTransitionError("nobody has kept which call armed it; arm it again");
  const { input, at: orderedAt } = armedCall;
  try {
    await fire({ accountId, keyId, tool: "execution.place", input, idempotencyKey, orderedAt });
    return undefined;
  } catch (error) {
    if (isSimpleFunctionsError(error)) return error;
    throw error;
  }
}

function noHost(): SimpleFunctionsError {
  return new HostConfigurationNeededError(
    "no host fires orders here; open the markets with fire, and arm it again",
    { details: { reason: "not_configured_here" } },
  );
}

/** Nothing was decided about the order: another process makes the call just now, or the store cannot be written, or the host closes. */
function isToTryAgain({ code, details }: SimpleFunctionsError): boolean {
  const isLater = ["idempotency_in_progress", "journal_append_failed", "lease_lost"].includes(code);
  return isLater || details?.["reason"] === "closing";
}

/** S1: the words of an error hold no secret. */
function stopOf(fault: SimpleFunctionsError | undefined): Stop {
  if (fault === undefined)
    return { code: "internal", reason: "the call that was to send its order has sent none; arm it again" };
  const { gate } = (fault.details?.["verdict"] ?? {}) as Partial<Verdict>;
  return { ...(gate !== undefined && { gate }), code: fault.code, reason: fault.message };
}

/** Of what may have been sent it is made sure that it was, or never is; then it cannot be armed again. */
async function stopOrder(host: FiringHost, held: HeldIntent, stop: Stop): Promise<HeldIntent> {
  const { accountId, intent } = held;
  const now = host.clock.now();
  const next =
    intent.state === "executing"
      ? await giveUpOrder(host.live, accountId, intent, now, { state: "cancelled", reason: stop.reason })
      : stopped(intent, now, stop);
  const saved = next && (await saveIntent(host, held, next, now));
  return saved ?? (await findIntent(host, accountId, intent.intentId));
}

const firingKeyForm = /^fire:(int_[0-9A-Za-z-]{8,64}):\d+$/;

type FiringCall = Pick<ToolContext, "principal" | "idempotencyKey">;

/** The intent whose order a call is to send, because its trigger holds; undefined for every other call. */
export async function intentFiredBy(
  kept: IntentStore,
  input: object,
  { principal: { accountId, keyId }, idempotencyKey }: FiringCall,
): Promise<HeldIntent | undefined> {
  const [, intentId] = firingKeyForm.exec(idempotencyKey) ?? [];
  const held = intentId === undefined ? undefined : await lookForIntent(kept, accountId, intentId);
  if (held === undefined || !held.isProven) return undefined;
  const { firingKey, armedKeyId, armedCall } = held.intent;
  const isIts = firingKey === idempotencyKey && armedKeyId === keyId && armedCall !== undefined;
  return isIts && canonicalJson(armedCall.input) === canonicalJson(input) ? held : undefined;
}

/** The call that has armed the order which a call is to send. */
export async function callThatArmed(
  kept: IntentStore,
  input: object,
  call: FiringCall,
): Promise<EarlierCall | undefined> {
  return (await intentFiredBy(kept, input, call))?.intent.armedCall;
}

/** A key of this form is for firing: what comes with it and fires nothing was overtaken, and places nothing else. */
export function requireNoFiring(idempotencyKey: string): void {
  if (!firingKeyForm.test(idempotencyKey)) return;
  throw new InvalidTransitionError(
    "the intent that this call was to fire is not as it was; nothing was sent, look at it with intents.get",
    { details: { reason: "not_firing" } },
  );
}
