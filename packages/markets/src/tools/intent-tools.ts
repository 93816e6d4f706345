import { InvalidInputError, strictObject, timestampSchema, withoutSecret } from "@spfunctions/contracts";
import { defineTool } from "@spfunctions/kernel";
import { z } from "zod";
import { cancelIntent, cancelledIntent } from "../intents/cancel-intent.ts";
import { endedByTime, newIntent, orderFacts, timeInForceSchema } from "../intents/intent.ts";
import {
  findIntent,
  intentKind,
  readIntent,
  roomForDraft,
  unkept,
  writeIntent,
} from "../intents/intent-documents.ts";
import {
  intentViewSchema,
  limitPriceSchema,
  shownIntentIdSchema,
  viewOfIntent,
} from "../intents/intent-view.ts";
import { intentStates } from "../intents/intent-states.ts";
import { requireKnownVenue } from "../intents/trading-venue.ts";
import { triggerSchema } from "../intents/trigger.ts";
import { savedPage } from "../saved/saved-page.ts";
import { keptTickerSchema } from "../venue/ticker.ts";
import type { MarketsHost } from "./markets-host.ts";

type IntentToolsHost = Pick<MarketsHost, "store" | "proves" | "clock" | "ids" | "readers" | "live">;

const one = strictObject({ intentId: shownIntentIdSchema });
const answered = strictObject({ intent: intentViewSchema });

/** Intents: drafts of orders, and the orders that were sent. None of these tools can send one: only `execution.place` does. */
export function intentTools(host: IntentToolsHost) {
  const { store, clock, ids } = host;
  const isSynthetic = (venue: string) =>
    host.readers.some((reader) => reader.venue === venue && reader.synthetic);
  return [
    defineTool({
      name: "intents.create",
      title: "Draft an order",
      description:
        "Keeps a draft of an order. A draft never fires by itself: execution.place, given the same facts and the intentId, arms it.",
      permissions: ["intents:write"],
      sideEffect: "user_write",
      costEffect: "api_cost",
      risk: ["account_context", "user_data", "state_mutation"],
      stability: "beta",
      input: strictObject({
        ...orderFacts,
        venue: withoutSecret(orderFacts.venue, "venue"),
        ticker: keptTickerSchema,
        limitPriceCents: limitPriceSchema.optional(),
        timeInForce: timeInForceSchema.optional(),
        trigger: triggerSchema.optional(),
        expiresAt: timestampSchema.optional(),
      }),
      output: answered,
      http: { method: "POST", path: "/api/intents" },
      sdk: { package: "@spfunctions/sdk", method: "intents.create" },
      // What it changes is written with the record of its end: without that record nothing has happened.
      reconcile: () => ({ status: "failed" }) as const,
      run: async ({ limitPriceCents, expiresAt, ...facts }, { principal: { accountId }, commit }) => {
        const now = clock.now();
        requireKnownVenue(host, facts.venue);
        const end = readExpiry(expiresAt, now);
        const ended = await roomForDraft(host, accountId, now);
        const intent = newIntent(
          `int_${ids.unique()}`,
          { ...facts, limitCents: limitPriceCents, expiresAt: end },
          now,
        );
        commit([...ended, writeIntent(host, unkept(accountId, intent), intent)]);
        return { intent: viewOfIntent(intent, isSynthetic(intent.venue)) };
      },
    }),
    defineTool({
      name: "intents.get",
      title: "Look at an intent",
      description: "One intent of this account: its order, where it stands, and how it came there.",
      permissions: ["intents:read"],
      sideEffect: "none",
      costEffect: "api_cost",
      risk: ["account_context", "user_data"],
      stability: "beta",
      input: one,
      output: answered,
      http: { method: "GET", path: "/api/intents/{intentId}" },
      sdk: { package: "@spfunctions/sdk", method: "intents.get" },
      run: async ({ intentId }, { principal: { accountId } }) => {
        const held = await findIntent(host, accountId, intentId);
        const intent = endedByTime(held.intent, clock.now());
        return { intent: viewOfIntent(intent, isSynthetic(intent.venue)) };
      },
    }),
    defineTool({
      name: "intents.list",
      title: "List the intents",
      description:
        "The intents of this account, by state if asked. One that is stopped does not fire: stoppedBy says which gate stopped it, and execution.place with its intentId arms it again.",
      permissions: ["intents:read"],
      sideEffect: "none",
      costEffect: "api_cost",
      risk: ["account_context", "user_data"],
      stability: "beta",
      input: strictObject({
        after: shownIntentIdSchema.optional(),
        limit: z.int().min(1).max(100).optional(),
        state: z.enum(intentStates).optional(),
      }),
      output: strictObject({ items: z.array(intentViewSchema), next: z.string().optional() }),
      http: { method: "GET", path: "/api/intents" },
      sdk: { package: "@spfunctions/sdk", method: "intents.list" },
      run: async ({ state: status, ...page }, { principal: { accountId } }) =>
        await savedPage(store, { kind: intentKind, accountId, status, ...page }, (document) => {
          const intent = endedByTime(readIntent(document, host).intent, clock.now());
          return viewOfIntent(intent, isSynthetic(intent.venue));
        }),
    }),
    defineTool({
      name: "intents.cancel",
      title: "Cancel an intent",
      description:
        "Ends a draft or an armed intent, and takes back what still stands of its order; what was filled stays filled. Cancelling it again changes nothing.",
      permissions: ["intents:write"],
      sideEffect: "user_write",
      costEffect: "venue_request_cost",
      risk: ["account_context", "user_data", "venue", "state_mutation"],
      idempotency: { type: "natural" },
      stability: "beta",
      input: one,
      output: answered,
      http: { method: "POST", path: "/api/intents/{intentId}/cancel" },
      sdk: { package: "@spfunctions/sdk", method: "intents.cancel" },
      run: async ({ intentId }, { principal: { accountId }, commit }) => {
        const now = clock.now();
        const { intent, documents } = await cancelIntent(host, accountId, intentId, now);
        if (documents.length > 0) commit(documents);
        return { intent: viewOfIntent(intent, isSynthetic(intent.venue)) };
      },
      reconcile: async ({ intentId }, { principal: { accountId } }) => {
        const intent = await cancelledIntent(host, accountId, intentId, clock.now());
        if (intent === undefined) return { status: "failed" };
        return {
          status: "completed",
          output: { intent: viewOfIntent(intent, isSynthetic(intent.venue)) },
        };
      },
    }),
  ];
}

/** A time that is still to come, in milliseconds. */
export function readExpiry(expiresAt: string | undefined, now: number): number | undefined {
  const end = expiresAt === undefined ? undefined : Date.parse(expiresAt);
  if (end === undefined || end > now) return end;
  throw new InvalidInputError("expiresAt has passed; give a time to come, or leave it out", {
    details: { path: "/expiresAt", reason: "expired" },
  });
}
