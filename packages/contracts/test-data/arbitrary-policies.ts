import * as fc from "fast-check";
import { costEffects } from "../src/effect/cost-effect.ts";
import { sideEffects } from "../src/effect/side-effect.ts";
import { type AgentPolicy, parsePolicy } from "../src/policy/agent-policy.ts";
import { type PolicyLevel, policyLevelNames } from "../src/policy/policy-levels.ts";

const none = { requiredKeys: [] };
const count = fc.nat({ max: 100 });
const milliseconds = fc.integer({ min: 1, max: 100_000 });
const permissions = fc.subarray(["world:read", "orders:write", "net", "user_data"]);
const tools = fc.subarray(["world.read", "world.*", "orders.place", "keys.create"]);

export const arbitraryGuardrails = fc.record(
  {
    allowedVenues: fc.subarray(["kalshi", "polymarket", "paper"], { minLength: 1 }),
    maxOrderCostCents: fc.nat({ max: 1000 }),
    maxQuantity: fc.nat({ max: 20 }),
    requireLimitPrice: fc.boolean(),
    dryRunOnly: fc.boolean(),
    allowAutoExecute: fc.boolean(),
    allowRuntimeStart: fc.boolean(),
    requireJurisdiction: fc.boolean(),
    jurisdiction: fc.constantFrom("US", "us-ny", "DE"),
    blockedJurisdictions: fc.subarray(["US", "US-NY", "FR"]),
    confirmToken: fc.constant("hash of kept"),
  },
  { requiredKeys: ["allowedVenues", "maxOrderCostCents", "maxQuantity"] },
);

/** Any policy a person could write. */
export const arbitraryPolicy: fc.Arbitrary<AgentPolicy> = fc.record(
  {
    allow: permissions,
    deny: permissions,
    allowTools: tools,
    denyTools: tools,
    maxSideEffect: fc.constantFrom(...sideEffects),
    maxCostEffect: fc.constantFrom(...costEffects),
    trade: arbitraryGuardrails,
    budget: fc.record(
      {
        maxSteps: count,
        maxToolCalls: count,
        maxTokens: count,
        maxWallMs: count,
        budgetUsd: fc.double({ min: 0, max: 100, noNaN: true }),
        maxChildren: count,
        maxDepth: count,
      },
      none,
    ),
    approvals: fc.record(
      {
        requireForSideEffectAtOrAbove: fc.constantFrom(...sideEffects),
        requireForCostEffectAtOrAbove: fc.constantFrom(...costEffects),
        ttlMs: milliseconds,
        approvers: fc.subarray(["key_1", "key_2", "key_3"]),
        onDenied: fc.constantFrom("continue" as const, "fail" as const),
      },
      none,
    ),
    session: fc.record({ persist: fc.boolean(), ttlMs: milliseconds, maxHistoryTokens: count }),
  },
  none,
);

export const arbitraryLevel: fc.Arbitrary<PolicyLevel> = fc.record({
  level: fc.constantFrom(...policyLevelNames),
  policy: arbitraryPolicy.map(parsePolicy),
});
