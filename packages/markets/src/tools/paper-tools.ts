import { strictObject } from "@spfunctions/contracts";
import { defineTool } from "@spfunctions/kernel";
import { z } from "zod";
import {
  type Order,
  orderActions,
  orderSides,
  orderStatuses,
  type WantedOrder,
} from "../exchange/exchange.ts";
import { orderKeyMs } from "../exchange/order-keys.ts";
import { orderViewSchema, shownOrderIdSchema, viewOfOrder } from "../exchange/order-view.ts";
import { mostContracts } from "../exchange/place-in.ts";
import { orUnknown } from "../intents/unknown-outcome.ts";
import { limitSchema } from "./market-view.ts";
import { keptTickerSchema } from "../venue/ticker.ts";
import type { MarketsHost } from "./markets-host.ts";
import { pageOf } from "./page-of.ts";

const trading = {
  permissions: ["paper:trade"],
  sideEffect: "paper_trade",
  costEffect: "venue_request_cost",
  risk: ["account_context", "user_data", "venue", "state_mutation", "paper_trade"],
  stability: "beta",
} as const;

const wantedSchema = strictObject({
  ticker: keptTickerSchema,
  action: z.enum(orderActions),
  side: z.enum(orderSides),
  quantity: z.int().min(1).max(mostContracts),
  limitPriceCents: z.int().min(1).max(99).optional(),
  timeInForce: z.enum(["gtc", "ioc"]).optional(),
});

const answered = strictObject({ synthetic: z.literal(true), order: orderViewSchema });

/** Trading on paper: the same exchange, another ledger, nobody's money. */
export function paperTools({ paper }: Pick<MarketsHost, "paper">) {
  return [
    defineTool({
      ...trading,
      name: "paper.order",
      title: "Place an order on paper",
      description:
        "Places an order on the paper ledger of the embedded venue: at its limit or better, or without a limit at whatever the book has. What is not filled at once stands unless timeInForce is ioc.",
      idempotency: { type: "key", keyRetentionMs: orderKeyMs },
      input: wantedSchema,
      output: answered,
      http: { method: "POST", path: "/api/paper/orders" },
      sdk: { package: "@spfunctions/sdk", method: "paper.order" },
      run: async (input, { principal: { accountId }, idempotencyKey }) => {
        const order = await orUnknown("paper.orders", () =>
          paper.place(accountId, idempotencyKey, wantedOf(input)),
        );
        return answerOf(order);
      },
      reconcile: async (input, { principal: { accountId }, idempotencyKey }) => {
        const order = await paper.placed(accountId, idempotencyKey, wantedOf(input));
        return order === undefined ? { status: "failed" } : { status: "completed", output: answerOf(order) };
      },
    }),
    defineTool({
      ...trading,
      name: "paper.cancel",
      title: "Cancel an order on paper",
      description:
        "Takes back what is left of an order on paper. What was filled stays filled; cancelling again changes nothing.",
      idempotency: { type: "natural" },
      input: strictObject({ orderId: shownOrderIdSchema }),
      output: answered,
      http: { method: "POST", path: "/api/paper/orders/{orderId}/cancel" },
      sdk: { package: "@spfunctions/sdk", method: "paper.cancel" },
      run: async ({ orderId }, { principal: { accountId } }) => {
        return answerOf(await orUnknown("paper.orders", () => paper.cancel(accountId, orderId)));
      },
      reconcile: async ({ orderId }, { principal: { accountId } }) => {
        const order = await paper.writtenOrder(accountId, orderId);
        if (order?.status !== "cancelled") return { status: "failed" };
        return { status: "completed", output: answerOf(order) };
      },
    }),
    defineTool({
      name: "paper.orders",
      title: "List the orders on paper",
      description: "The account's orders on paper, all or those of one status.",
      permissions: ["paper:read"],
      sideEffect: "none",
      costEffect: "api_cost",
      risk: ["account_context", "user_data"],
      stability: "beta",
      input: strictObject({
        status: z.enum(orderStatuses).optional(),
        after: shownOrderIdSchema.optional(),
        limit: limitSchema.optional(),
      }),
      output: strictObject({
        synthetic: z.literal(true),
        items: z.array(orderViewSchema),
        next: shownOrderIdSchema.optional(),
      }),
      http: { method: "GET", path: "/api/paper/orders" },
      sdk: { package: "@spfunctions/sdk", method: "paper.orders" },
      run: async ({ status, after, limit = 50 }, { principal: { accountId } }) => {
        const found = await paper.orders(accountId, { status, after, limit: limit + 1 });
        return {
          synthetic: true,
          ...pageOf(found.map(viewOfOrder), limit, ({ orderId }) => orderId),
        } as const;
      },
    }),
  ];
}

function wantedOf({ limitPriceCents, ...wanted }: z.infer<typeof wantedSchema>): WantedOrder {
  return { ...wanted, limitCents: limitPriceCents };
}

function answerOf(order: Order): z.infer<typeof answered> {
  return { synthetic: true, order: viewOfOrder(order) };
}
