import {
  InvalidInputError,
  snapshotJson,
  strictObject,
  timestampSchema,
  withoutSecret,
} from "@spfunctions/contracts";
import { defineTool } from "@spfunctions/kernel";
import { z } from "zod";
import { orderKeyMs } from "../exchange/order-keys.ts";
import { orderViewSchema, shownOrderIdSchema } from "../exchange/order-view.ts";
import { type IntentFacts, orderFacts, timeInForceSchema } from "../intents/intent.ts";
import {
  intentViewSchema,
  limitPriceSchema,
  shownIntentIdSchema,
  viewOfIntent,
} from "../intents/intent-view.ts";
import { callThatArmed } from "../intents/fire-order.ts";
import { orderBegun } from "../intents/order-begun.ts";
import { type Placed, type Placing, type PlacingHost, placeOrder } from "../intents/place-order.ts";
import { embeddedVenueOf, requireTradingVenue } from "../intents/trading-venue.ts";
import { triggerSchema } from "../intents/trigger.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { readExpiry } from "./intent-tools.ts";
import type { MarketsHost } from "./markets-host.ts";

type ExecutionHost = PlacingHost & Pick<MarketsHost, "readers">;

const inputSchema = strictObject({
  ...orderFacts,
  limitPriceCents: limitPriceSchema.optional(),
  timeInForce: timeInForceSchema.optional(),
  dryRun: z.boolean().meta({ description: "true: says what the order would come to, and changes nothing." }),
  intentId: shownIntentIdSchema
    .meta({ description: "A draft with exactly these facts, which this arms." })
    .optional(),
  trigger: triggerSchema.optional(),
  expiresAt: timestampSchema
    .meta({ description: "With a trigger: until when it waits, and what then still stands is taken back." })
    .optional(),
  autoExecute: z
    .boolean()
    .meta({ description: "true with a trigger: the order is sent later, by itself." })
    .optional(),
  startsRuntime: z
    .boolean()
    .meta({
      description:
        "Whether a runtime is to be started for it. The embedded venue needs none and starts none.",
    })
    .optional(),
  jurisdiction: withoutSecret(z.string().min(1).max(64), "jurisdiction").optional(),
  confirm: z.string().min(1).max(512).meta({ "x-sf-secret": true }).optional(),
});
type ExecutionInput = z.infer<typeof inputSchema>;

const outputSchema = strictObject({
  venue: z.string(),
  synthetic: z.boolean(),
  dryRun: z.boolean(),
  /** What was placed; or would be, and has no name then; absent where it waits for its trigger. */
  order: strictObject({ ...orderViewSchema.shape, orderId: shownOrderIdSchema.optional() }).optional(),
  /** What the order is of, or what waits; absent in a dry run. */
  intent: intentViewSchema.optional(),
});

/** The one tool that sends live orders, and the only one that arms an intent. */
export function executionTools(host: ExecutionHost) {
  return [
    defineTool({
      name: "execution.place",
      title: "Place a live order",
      description:
        "Places a live order under the guardrails of the caller's policy: at once, or with a trigger and autoExecute once the book is there. With an intentId it arms that draft, and the facts must be the draft's own. The answer names the intent that the order is of: intents.get shows it, and intents.cancel takes back what stands.",
      permissions: ["execution:place"],
      sideEffect: "live_trade",
      costEffect: "venue_request_cost",
      risk: ["account_context", "user_data", "venue", "state_mutation", "live_trade"],
      idempotency: { type: "key", keyRetentionMs: orderKeyMs },
      stability: "beta",
      agent: { callable: true },
      trade: {
        venue: "/venue",
        side: "/side",
        quantity: "/quantity",
        limitPriceCents: "/limitPriceCents",
        dryRun: "/dryRun",
        autoExecute: "/autoExecute",
        startsRuntime: "/startsRuntime",
        jurisdiction: "/jurisdiction",
        confirm: "/confirm",
      },
      input: inputSchema,
      output: outputSchema,
      http: { method: "POST", path: "/api/execution/orders" },
      sdk: { package: "@spfunctions/sdk", method: "execution.place" },
      run: async (input, context) => {
        const reader = requireTradingVenue(host, input.venue);
        requireTogether(input);
        const facts = { ...factsOf(input), expiresAt: readExpiry(input.expiresAt, host.clock.now()) };
        return answerOf(
          reader,
          input,
          await placeOrder(host, reader, { ...input, facts, input: keptOf(input) }, context),
        );
      },
      reconcile: async (input, context) => {
        const reader = embeddedVenueOf(host);
        // To any other venue nothing was sent.
        if (input.venue !== reader.venue) return { status: "failed" };
        const placed = await orderBegun(
          host,
          { ...input, facts: factsOf(input), input: keptOf(input) },
          context,
        );
        if (placed === undefined) return { status: "failed" };
        return { status: "completed", output: answerOf(reader, input, placed) };
      },
      orderedBy: async (input, context) => await callThatArmed(host, keptOf(input), context),
    }),
  ];
}

function answerOf(
  { venue, synthetic }: VenueReader,
  { dryRun }: ExecutionInput,
  { order, intent }: Placed,
): z.infer<typeof outputSchema> {
  return {
    venue,
    synthetic,
    dryRun,
    ...(order !== undefined && { order }),
    ...(intent !== undefined && { intent: viewOfIntent(intent, synthetic) }),
  };
}

function factsOf({ venue, ticker, action, side, quantity, ...input }: ExecutionInput): IntentFacts {
  const { limitPriceCents: limitCents, timeInForce, trigger } = input;
  return { venue, ticker, action, side, quantity, limitCents, timeInForce, trigger };
}

/** S1: what is kept of a call. The word that confirms it is kept nowhere: under a policy that asks for one, nothing fires later. */
function keptOf(input: ExecutionInput): Placing["input"] {
  const kept = { ...input };
  delete kept.confirm;
  return snapshotJson(kept) as Placing["input"];
}

/** What waits for a trigger executes by itself, and must say so: `allowAutoExecute` governs it by that. */
function requireTogether({ trigger, autoExecute, expiresAt }: ExecutionInput): void {
  if (trigger !== undefined && autoExecute !== true)
    throw bad("/autoExecute", "an order with a trigger executes by itself later: say autoExecute: true");
  if (trigger === undefined && autoExecute === true)
    throw bad("/autoExecute", "an order without a trigger is placed at once: leave autoExecute out");
  if (trigger === undefined && expiresAt !== undefined)
    throw bad("/expiresAt", "an order without a trigger is placed at once: leave expiresAt out");
}

function bad(path: string, message: string): InvalidInputError {
  return new InvalidInputError(message, { details: { path } });
}
