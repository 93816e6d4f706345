import { classPack } from "../test-data/class-pack.ts";
import { contractPlan } from "../test-data/contract-plan.ts";
import { testPlatform } from "../test-data/test-platform.ts";

const guardrails = { allowedVenues: ["kalshi"], maxOrderCostCents: 1000, maxQuantity: 10 };

contractPlan("contract tests", {
  house: testPlatform,
  tools: classPack([]).flatMap(({ contract: { name, status } }) => (status === "implemented" ? [name] : [])),
  personal: ["keys.list", "portfolio.state"],
  reserved: { "events.search": "deferred" },
  live: {
    path: "/api/execution",
    order: () => ({ venue: "kalshi", side: "yes", quantity: 1, limitPriceCents: 50, dryRun: true }),
    tooMany: 11,
    // Guardrails that say nothing of dry runs allow nothing else.
    careful: { scopes: ["trade"], trade: guardrails },
    trading: { scopes: ["trade"], trade: { ...guardrails, dryRunOnly: false } },
    dryData: { tool: "execution.place", echo: { dryRun: true } },
    placedData: { tool: "execution.place", echo: { dryRun: false } },
    placed: async ({ deeds }) =>
      deeds.filter(({ input }) => !(input as { readonly dryRun: boolean }).dryRun).length,
  },
});
