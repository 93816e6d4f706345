import { contractPlan } from "../packages/server/test-data/contract-plan.ts";
import { marketsHouse, soundInputs, trade } from "./test-data/markets-house.ts";

contractPlan("contract tests on the markets", {
  house: marketsHouse,
  tools: Object.keys(soundInputs("")),
  personal: [
    "alerts.create",
    "alerts.list",
    "execution.place",
    "intents.cancel",
    "intents.create",
    "intents.get",
    "intents.list",
    "keys.list",
    "paper.cancel",
    "paper.order",
    "paper.orders",
    "portfolio.state",
    "portfolio.trades",
    "watchlists.add",
    "watchlists.list",
  ],
  reserved: {
    "auth.status": "forbidden",
    "events.search": "deferred",
    "intents.propose": "forbidden",
    "investigations.create": "deferred",
    "market.related": "deferred",
    "webhooks.create": "deferred",
  },
  live: {
    path: "/api/execution/orders",
    order: ({ ticker }) => ({ ...soundInputs(ticker)["execution.place"], dryRun: true }),
    tooMany: trade.maxQuantity + 1,
    careful: { scopes: ["trade"], trade: { ...trade, dryRunOnly: true } },
    trading: { scopes: ["trade"], trade },
    dryData: { synthetic: true, dryRun: true },
    placedData: { synthetic: true, dryRun: false },
    placed: async ({ markets }) => (await markets.live.portfolio("acct_1")).openOrders,
  },
});
