import { strictObject, timestampSchema } from "@spfunctions/contracts";
import { defineTool } from "@spfunctions/kernel";
import { z } from "zod";
import { type Ledger, ledgers, orderActions, orderSides } from "../exchange/exchange.ts";
import { shownOrderIdSchema } from "../exchange/order-view.ts";
import { isoTime, limitSchema, listOf } from "./market-view.ts";
import type { MarketsHost } from "./markets-host.ts";
import { pageOf } from "./page-of.ts";

const reading = {
  permissions: ["portfolio:read"],
  sideEffect: "none",
  costEffect: "venue_request_cost",
  risk: ["account_context", "user_data", "venue"],
  stability: "beta",
} as const;

const ledgerSchema = z.enum(ledgers).optional().meta({ description: "Which ledger; live unless said." });
const tradeIdSchema = z
  .string()
  .regex(/^trd_[\w-]{1,196}$/)
  .meta({ "x-sf-public": true });

/** What an account has, and how it came to it. */
export function portfolioTools({ live, paper }: Pick<MarketsHost, "live" | "paper">) {
  const exchangeOf = (ledger: Ledger) => (ledger === "live" ? live : paper);
  return [
    defineTool({
      ...reading,
      name: "portfolio.state",
      title: "Look at the portfolio",
      description:
        "Cash, what is reserved for standing orders, and positions of this account at the embedded venue.",
      input: strictObject({ ledger: ledgerSchema }),
      output: strictObject({
        synthetic: z.literal(true),
        venue: z.literal("embedded"),
        ledger: z.enum(ledgers),
        cashCents: z.int(),
        reservedCents: z.int(),
        equityCents: z.int(),
        openOrders: z.int(),
        positions: listOf(
          strictObject({
            ticker: z.string(),
            title: z.string(),
            yes: z.int(),
            no: z.int(),
            valueCents: z.int(),
          }),
        ),
      }),
      http: { method: "GET", path: "/api/portfolio" },
      sdk: { package: "@spfunctions/sdk", method: "portfolio.state" },
      run: async ({ ledger = "live" }, { principal: { accountId } }) => {
        const portfolio = await exchangeOf(ledger).portfolio(accountId);
        return { synthetic: true, venue: "embedded", ...portfolio } as const;
      },
    }),
    defineTool({
      ...reading,
      name: "portfolio.trades",
      title: "List the trades",
      description: "What this account has traded at the embedded venue, newest first.",
      input: strictObject({
        ledger: ledgerSchema,
        after: tradeIdSchema.optional(),
        limit: limitSchema.optional(),
      }),
      output: strictObject({
        synthetic: z.literal(true),
        items: z.array(
          strictObject({
            tradeId: tradeIdSchema,
            orderId: shownOrderIdSchema,
            ticker: z.string(),
            action: z.enum(orderActions),
            side: z.enum(orderSides),
            quantity: z.int(),
            priceCents: z.int(),
            feeCents: z.int(),
            at: timestampSchema,
          }),
        ),
        next: tradeIdSchema.optional(),
      }),
      http: { method: "GET", path: "/api/portfolio/trades" },
      sdk: { package: "@spfunctions/sdk", method: "portfolio.trades" },
      run: async ({ ledger = "live", after, limit = 50 }, { principal: { accountId } }) => {
        const found = await exchangeOf(ledger).trades(accountId, { after, limit: limit + 1 });
        const views = found.map(({ at, ...trade }) => ({ ...trade, at: isoTime(at) }));
        return { synthetic: true, ...pageOf(views, limit, ({ tradeId }) => tradeId) } as const;
      },
    }),
  ];
}
