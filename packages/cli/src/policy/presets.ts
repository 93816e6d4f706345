import type { AgentPolicy } from "@spfunctions/contracts";

/** Policies to begin with, from the one that allows least. The ceiling of costs is the default. */
export const presets = {
  "read-only": { maxSideEffect: "none" },
  writer: { maxSideEffect: "user_write" },
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

export const presetNames = Object.keys(presets) as Preset[];

/** Those that help offers: the others are for tools that trade. */
export const offeredPresets: readonly Preset[] = ["read-only", "writer"];
