import { strictObject, timestampSchema } from "@spfunctions/contracts";
import { z } from "zod";
import { shownOrderIdSchema } from "../exchange/order-view.ts";
import { type Intent, intentIdSchema, orderFacts, stopSchema, timeInForceSchema } from "./intent.ts";
import { intentStates } from "./intent-states.ts";
import { priceCentsSchema, triggerSchema } from "./trigger.ts";

/** It names an intent and opens nothing: records show it. */
export const shownIntentIdSchema = intentIdSchema.meta({ "x-sf-public": true });

/** The price an order is bounded by, as every door calls it. */
export const limitPriceSchema = priceCentsSchema.meta({
  description: "Cents for a contract of the side that is ordered.",
});

/** An intent as its account sees it. */
export const intentViewSchema = strictObject({
  intentId: shownIntentIdSchema,
  state: z.enum(intentStates),
  ...orderFacts,
  limitPriceCents: limitPriceSchema.optional(),
  timeInForce: timeInForceSchema.optional(),
  trigger: triggerSchema.optional(),
  expiresAt: timestampSchema.optional(),
  orderId: shownOrderIdSchema.optional(),
  filled: z.int().nonnegative(),
  history: z.array(
    strictObject({ state: z.enum(intentStates), at: timestampSchema, reason: z.string().optional() }),
  ),
  armedKeyId: z.string().meta({ "x-sf-public": true, description: "The key that armed it." }).optional(),
  /** Why it does not fire, of one that is stopped. Armed again with execution.place, it waits once more. */
  stoppedBy: stopSchema.optional(),
  synthetic: z.boolean(),
});
export type IntentView = z.infer<typeof intentViewSchema>;

export function viewOfIntent(intent: Intent, synthetic: boolean): IntentView {
  const { limitCents, expiresAt, history, ...kept } = intent;
  const { armedBy: _, rejection: __, armedCall: ___, firingKey: ____, ...same } = kept;
  return {
    ...same,
    ...(limitCents !== undefined && { limitPriceCents: limitCents }),
    ...(expiresAt !== undefined && { expiresAt: isoOf(expiresAt) }),
    history: history.map(({ at, ...entry }) => ({ ...entry, at: isoOf(at) })),
    synthetic,
  };
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
