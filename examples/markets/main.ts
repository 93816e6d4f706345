// Prediction markets under law: a world to read, an exchange to trade on, and guardrails that stop what they should.
import assert from "node:assert/strict";
import { createMemoryStore, newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { openMarkets } from "@spfunctions/markets";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform, type Platform } from "@spfunctions/server";

const store = createMemoryStore();
const installation = openInstallation(newInstallationSecret());
const markets = await openMarkets({
  store,
  seed: "example",
  // It proves that an armed order was armed here.
  installation,
  // What was armed fires later, by a call that the platform makes for the key that armed it: judged then, and recorded.
  mayCall: (...key) => platform.mayCall(...key),
  explainCall: (...key) => platform.explainCall(...key),
  fire: (order) => platform.callOrdered(order),
});
const platform: Platform = await openPlatform({ store, installation, packs: markets.pack });

// Whoever may write may trade on paper. Live orders need the scope `trade`, and guardrails that a person has set.
const analyst = await platform.createKey("desk", { name: "analyst", scopes: ["read", "write"] });
const trader = await platform.createKey("desk", {
  name: "trader",
  scopes: ["trade"],
  trade: { allowedVenues: ["embedded"], maxOrderCostCents: 2_000, maxQuantity: 50, dryRunOnly: false },
});
const read = connectEmbedded(platform, { apiKey: analyst.secret });
const trade = connectEmbedded(platform, { apiKey: trader.secret });

// The whole world in under 1,000 tokens, and the market that is traded most at a narrow spread.
const world = await read.world.read();
console.log(`${world.counts.markets} markets, ${world.regime.label}: ${world.regime.reason}`);
const { items } = await read.markets.screen({ by: "volume", maxSpreadCents: 3, limit: 1 });
const [market] = items;
assert(market !== undefined && market.askCents !== null);
console.log(market.ticker, market.title, `${market.bidCents} / ${market.askCents}`);

// On paper: an order at the price that is asked.
const wanted = {
  ticker: market.ticker,
  action: "buy",
  side: "yes",
  quantity: 10,
  limitPriceCents: market.askCents,
} as const;
const { order } = await read.paper.order(wanted, { idempotencyKey: "paper-1" });
console.log(
  "on paper:",
  order.status,
  `${order.filled} for ${order.filledCents} cents, fees ${order.feeCents}`,
);

// Live: what would it come to, and then for real. The receipt says who did it, and under which policy.
const live = { ...wanted, venue: "embedded" };
const dry = await trade.execution.place({ ...live, dryRun: true });
const placed = await trade.execution
  .place({ ...live, dryRun: false }, { idempotencyKey: "live-1" })
  .withReceipt();
assert.equal(placed.data.order?.filledCents, dry.order?.filledCents);
assert.equal(placed.receipt?.sideEffect, "live_trade");

// The same key again is the same order, and nothing is bought twice.
const again = await trade.execution.place({ ...live, dryRun: false }, { idempotencyKey: "live-1" });
assert.equal(again.order?.orderId, placed.data.order?.orderId);

// More than the guardrails allow is refused before anything happens, and the answer names the guardrail.
await assert.rejects(async () => await trade.execution.place({ ...live, quantity: 51, dryRun: false }), {
  code: "trade_guardrail",
  message: /maxQuantity/,
});
// Who may only write may not trade live at all; and no venue but the embedded one is ever sent an order.
await assert.rejects(async () => await read.execution.place({ ...live, dryRun: true }), {
  code: "policy_denied",
});

const { positions, cashCents } = await read.portfolio.state();
console.log(
  "live:",
  positions.map(({ ticker, yes }) => `${yes} × ${ticker}`).join(),
  `and ${cashCents} cents`,
);
assert.equal(positions[0]?.yes, placed.data.order?.filled);

await platform.close();
