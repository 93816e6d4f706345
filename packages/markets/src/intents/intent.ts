import { isErrorCode, strictObject } from "@spfunctions/contracts";
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
  /** The key of the call that executes it at once: the same call tried again goes on, any other is refused. */
  armedBy: z.string().optional(),
  /** The API key that armed it, which must still be good when it fires. */
  armedKeyId: z.string().optional(),
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
