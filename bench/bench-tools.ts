import { defineTool } from "@spfunctions/agent";
import type { GivenPrincipal } from "@spfunctions/kernel";

export const principal: GivenPrincipal = {
  accountId: "bench",
  keyId: "bench",
  scopes: ["read", "write"],
  kind: "local",
};

/** About 200 bytes in, 80 out. */
export const input = {
  venue: "kalshi",
  ticker: "KXFEDDECISION-26SEP-H0",
  side: "yes",
  quantity: 25,
  limitPriceCents: 62,
  filters: { minVolume: 12_500.5, tags: ["rates", "fomc"], includeClosed: false },
};
const output = { id: "order-77", status: "resting", filled: 0, remaining: 25, priceCents: 62 };

/** Next to nothing, so that what is measured is the law. */
export function bare(given: unknown): unknown {
  return (given as typeof input).quantity > 0 ? output : null;
}

const shared = {
  description: "Does next to nothing.",
  input: {
    type: "object",
    properties: {
      venue: { type: "string" },
      ticker: { type: "string" },
      side: { enum: ["yes", "no"] },
      quantity: { type: "integer", minimum: 1 },
      limitPriceCents: { type: "integer" },
      filters: { type: "object" },
    },
    required: ["venue", "ticker", "side", "quantity"],
    additionalProperties: false,
  },
  output: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  permissions: ["orders:write"],
  run: bare,
} as const;

/** A free read, a paid read (two records, NORMAL) and a write (two records, FULL). */
export const tools = [
  defineTool({ ...shared, name: "bench.read", sideEffect: "none", costEffect: "none" }),
  defineTool({ ...shared, name: "bench.search", sideEffect: "none", costEffect: "search_cost" }),
  defineTool({ ...shared, name: "bench.write", sideEffect: "user_write", costEffect: "none" }),
];
