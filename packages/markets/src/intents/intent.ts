import { errorCodeSchema, gates, isErrorCode, strictObject } from "@spfunctions/contracts";
import { z } from "zod";
import { orderActions, orderSides, type WantedOrder } from "../exchange/exchange.ts";
import { mostContracts } from "../exchange/place-in.ts";
import { type IntentState, intentStates, requireTransition } from "./intent-states.ts";
import { tickerSchema } from "../venue/ticker.ts";
import { priceCentsSchema, triggerSchema } from "./trigger.ts";

export const intentIdSchema = z
  .string()
  .regex(/^int_[0-9A-Za-z-]{8,64}$/, "expected an intent id, int_ and 8 to 64 characters");

const momentSchema = z.int().nonnegative();

/** What an order is: the facts that the guardrails judge and that the venue is given. */
export const orderFacts = {
  venue: z.string().min(1).max(64),
  ticker: tickerSchema,
  action: z.enum(orderActions),
  side: z.enum(orderSides),
  quantity: z.int().min(1).max(mostContracts),
};
export const timeInForceSchema = z.enum(["gtc", "ioc"]);

/** Why an order does not fire: the gate that stopped its call, if one did, and the code and the words of the refusal. */
export const stopSchema = strictObject({
  gate: z.enum(gates).optional(),
  code: errorCodeSchema,
  reason: z.string(),
});
export type Stop = z.infer<typeof stopSchema>;

/** Why an intent is stopped whose row has no valid proof. */
export const noProof: Stop = {
  code: "journal_corrupt",
  reason:
    "this installation did not write it as it is: an older version did, or another process without the installation's secret, or somebody changed it; arm it again",
};

/** Why an intent is stopped whose key has ended. */
export const keyHasEnded: Stop = {
  code: "forbidden",
  reason:
    "the key that armed it may not place orders any more: it has ended, or a policy forbids it; arm it again with a key that may",
};

/** The call that begins something: it is made again, word for word, when the order fires. */
const armedCallSchema = strictObject({
  callId: z.string(),
  /** The approval that it ran by, if it needed one. */
  approvalId: z.string().optional(),
  input: z.record(z.string(), z.json()),
  at: momentSchema,
});
export type ArmedCall = z.infer<typeof armedCallSchema>;

/** An intent as it is kept. */
export const intentSchema = strictObject({
  intentId: intentIdSchema,
  ...orderFacts,
  limitCents: priceCentsSchema.optional(),
  timeInForce: timeInForceSchema.optional(),
  trigger: triggerSchema.optional(),
  expiresAt: momentSchema.optional(),
  state: z.enum(intentStates),
  history: z
    .array(strictObject({ state: z.enum(intentStates), at: momentSchema, reason: z.string().optional() }))
    .min(1),
  /** The idempotency key of the call that executes it: the same call tried again goes on, any other is refused. */
  armedBy: z.string().optional(),
  /** The API key that armed it, which must still be good when it fires. */
  armedKeyId: z.string().optional(),
  /** The call that armed it, or that executes it at once. */
  armedCall: armedCallSchema.optional(),
  /** The idempotency key of the call that fires it. */
  firingKey: z.string().optional(),
  /** Of one that is stopped. */
  stoppedBy: stopSchema.optional(),
  orderId: z.string().optional(),
  filled: z.int().nonnegative(),
  /** What the venue said when it took no order. */
  rejection: strictObject({
    code: z.string().refine(isErrorCode, "expected an error code"),
    message: z.string(),
  }).optional(),
});
export type Intent = z.infer<typeof intentSchema>;

export type IntentFacts = Pick<
  Intent,
  "venue" | "ticker" | "action" | "side" | "quantity" | "limitCents" | "timeInForce" | "trigger" | "expiresAt"
>;

export function newIntent(intentId: string, facts: IntentFacts, now: number): Intent {
  return { ...facts, intentId, state: "pending", history: [{ state: "pending", at: now }], filled: 0 };
}

/** The intent in its next state; a state that cannot follow is refused. */
export function withState(intent: Intent, state: IntentState, now: number, reason?: string): Intent {
  requireTransition(intent.state, state);
  const entry = { state, at: now, ...(reason !== undefined && { reason }) };
  return { ...intent, state, history: [...intent.history, entry] };
}

/** The intent as one that does not fire until somebody arms it again. */
export function stopped(intent: Intent, now: number, stoppedBy: Stop): Intent {
  return { ...withState(intent, "stopped", now, stoppedBy.reason), stoppedBy, firingKey: undefined };
}

export function hasExpired({ expiresAt }: Pick<Intent, "expiresAt">, now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt;
}

/** A draft whose time is over is expired since then, whether or not anybody has written so. */
export function endedByTime(intent: Intent, now: number): Intent {
  const { state, expiresAt } = intent;
  if (state !== "pending" || expiresAt === undefined || now < expiresAt) return intent;
  return withState(intent, "expired", expiresAt);
}

/** What the venue is given. */
export function wantedOrder(facts: Omit<IntentFacts, "venue" | "trigger" | "expiresAt">): WantedOrder {
  const { ticker, action, side, quantity, limitCents, timeInForce } = facts;
  return { ticker, action, side, quantity, limitCents, timeInForce };
}
