import type { AgentPolicy } from "@spfunctions/contracts";

/** Policies to begin with, from the one that allows least. */
export const presets = {
  "read-only": { maxSideEffect: "none", maxCostEffect: "venue_request_cost" },
  writer: { maxSideEffect: "user_write", maxCostEffect: "venue_request_cost" },
  paper: { maxSideEffect: "paper_trade", maxCostEffect: "venue_request_cost" },
  live: {
    maxSideEffect: "live_trade",
    maxCostEffect: "venue_request_cost",
    trade: {
      allowedVenues: ["embedded"],
      maxOrderCostCents: 500,
      maxQuantity: 10,
      requireLimitPrice: true,
      dryRunOnly: true,
    },
  },
} as const satisfies Readonly<Record<string, AgentPolicy>>;

export type Preset = keyof typeof presets;
