import { defineTool } from "@spfunctions/agent";
import { z } from "zod";

const shelves = new Map([["apples", 12]]);

/** Reads the stock: nothing changes, nothing is paid. */
const stock = defineTool({
  name: "stock.read",
  description: "How many of an article are on the shelf.",
  input: z.object({ article: z.string() }),
  output: z.object({ article: z.string(), count: z.int() }),
  permissions: ["stock:read"],
  sideEffect: "none",
  costEffect: "none",
  run: ({ article }) => ({ article, count: shelves.get(article) ?? 0 }),
});

/** Orders more: the world is different afterwards, so the tool says so. */
const order = defineTool({
  name: "stock.order",
  description: "Orders more of an article from the supplier.",
  input: z.object({
    article: z.string(),
    count: z.int().min(1).max(100),
    // A secret is declared: what is hidden and declared by nobody would have to be approved by a person.
    login: z.string().meta({ "x-sf-secret": true }).optional(),
  }),
  output: z.object({ orderId: z.string(), count: z.int() }),
  permissions: ["stock:write"],
  sideEffect: "user_write",
  costEffect: "api_cost",
  // The supplier forgets a key after a day; until then the same key never orders twice.
  idempotency: { type: "key", keyRetentionMs: 86_400_000 },
  run: ({ article, count }, { idempotencyKey }) => {
    shelves.set(article, (shelves.get(article) ?? 0) + count);
    return { orderId: `order-${idempotencyKey.slice(-8)}`, count };
  },
});

export default [stock, order];
