import type { ToolDefinition } from "@spfunctions/contracts";

/** The contract of a tool that places practice orders. */
export const placeOrder: ToolDefinition = {
  name: "paper.order",
  compatName: "paper_order",
  title: "Place a paper order",
  description: "Places an order with play money on the embedded exchange.",
  status: "implemented",
  stability: "experimental",
  authRequired: true,
  access: { anonymousAllowed: false },
  permissions: ["paper:trade"],
  sideEffect: "paper_trade",
  costEffect: "none",
  risk: ["paper_trade", "state_mutation"],
  idempotency: { type: "key", keyRetentionMs: 604_800_000 },
  input: {
    type: "object",
    required: ["ticker", "quantity"],
    properties: { ticker: { type: "string" }, quantity: { type: "integer", minimum: 1 } },
  },
  output: { type: "object" },
  agent: { callable: true, defaultEnabled: false, name: "paper.order" },
  traceEvents: ["tool.started", "tool.completed"],
  replay: { replayable: true, match: "tool+inputHash" },
};
