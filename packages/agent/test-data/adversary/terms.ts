// Under which law a model is let loose: any policy of a runtime's, any that a run is given besides, any tools that it is shown.
import { type AgentPolicy, scopes } from "@spfunctions/contracts";
import type { GivenPrincipal, RunsOptions } from "@spfunctions/kernel";
import * as fc from "fast-check";
import { arbitraryPolicy } from "../../../contracts/test-data/arbitrary-policies.ts";
import { openPolicy } from "../../../kernel/test-data/judge-samples.ts";
import type { RuntimeRunInput, RuntimeToolSelectionPolicy } from "../../src/v1/runtime-options.ts";
import { mostly, seldom } from "./seldom.ts";
import { toolNames } from "./tools.ts";

export const accountId = "acct_1";

export type RunTermsGiven = Pick<RuntimeRunInput, "tools" | "maxSteps" | "policy" | "output" | "sessionId">;

export type LawGiven = {
  readonly policy: AgentPolicy;
  readonly run: RunTermsGiven;
  readonly selection: RuntimeToolSelectionPolicy;
  readonly principal: GivenPrincipal;
  readonly strategy: NonNullable<RunsOptions["strategy"]>;
};

const patterns = ["world.*", "notes.*", "orders.*", "tools.search", "world.read", "notes.write"];
const names = fc.subarray([...patterns, "orders.paper", "orders.place", "jobs.start", "keys.create"]);

const parts = ["allow", "deny", "maxSideEffect", "maxCostEffect", "approvals", "trade"] as const;

/** Mostly open ones with something taken away: of policies made by chance alone hardly any lets something pass. */
const anyPolicy: fc.Arbitrary<AgentPolicy> = fc
  .record({
    chance: arbitraryPolicy,
    kept: mostly(
      fc.oneof(fc.constant<string[]>([]), fc.subarray<string>([...parts], { maxLength: 2 })),
      fc.constant<string[]>([...parts]),
    ),
    allowTools: seldom(names, 6),
    denyTools: seldom(names, 5),
    lifted: seldom(fc.constantFrom("secret" as const, "live_trade" as const), 2),
  })
  .map(({ chance, kept, allowTools, denyTools, lifted }) => ({
    ...openPolicy,
    ...(lifted && { approvals: { requireForSideEffectAtOrAbove: lifted } }),
    ...Object.fromEntries(Object.entries(chance).filter(([field]) => kept.includes(field))),
    ...(allowTools && { allowTools }),
    ...(denyTools && { denyTools }),
  }));

/** Without one of the first two nothing begins at all. */
const anyBudget = fc.record(
  {
    maxSteps: mostly(fc.integer({ min: 2, max: 8 }), fc.nat({ max: 2 })),
    maxToolCalls: mostly(fc.integer({ min: 1, max: 8 }), fc.nat({ max: 2 })),
    maxTokens: seldom(fc.constantFrom(100, 20_000, 200_000), 6),
    maxWallMs: seldom(fc.constantFrom(1, 60_000, 10_000_000), 6),
    budgetUsd: seldom(fc.constantFrom(0, 0.01, 1), 6),
  },
  { requiredKeys: ["maxSteps", "maxToolCalls"] },
);

const anySession = fc.record({
  persist: fc.boolean(),
  ttlMs: fc.constantFrom(1000, 86_400_000),
  maxHistoryTokens: fc.constantFrom(0, 500, 2000, 100_000),
});

const agentPolicy: fc.Arbitrary<AgentPolicy> = fc
  .tuple(anyPolicy, anyBudget, anySession)
  .map(([policy, budget, session]) => ({ ...policy, budget: present(budget), session }));

/** One level more can have a budget, too. */
const lessPolicy: fc.Arbitrary<AgentPolicy> = fc
  .tuple(anyPolicy, seldom(anyBudget, 2))
  .map(([policy, budget]) => ({ ...policy, ...(budget && { budget: present(budget) }) }));

const answerSchema = {
  type: "object",
  properties: { answer: { type: "string" } },
  required: ["answer"],
  additionalProperties: false,
} as const;

const anyRun: fc.Arbitrary<RunTermsGiven> = fc.record({
  tools: seldom(fc.subarray([...toolNames]), 4),
  maxSteps: seldom(fc.nat({ max: 6 }), 5),
  policy: seldom(lessPolicy, 4),
  output: seldom(fc.constant(answerSchema), 3),
  sessionId: seldom(fc.constant("monday"), 2),
});

const anySelection: fc.Arbitrary<RuntimeToolSelectionPolicy> = fc.record({
  mode: fc.constantFrom("explicit", "manifest-search", "preload-only"),
  preload: fc.subarray(toolNames.filter((name) => name !== "events.search")),
  maxCandidateTools: fc.nat({ max: 8 }),
});

const anyPrincipal: fc.Arbitrary<GivenPrincipal> = fc.record({
  accountId: fc.constant(accountId),
  keyId: fc.constant("starter"),
  scopes: fc.oneof(
    { weight: 4, arbitrary: fc.constant([...scopes]) },
    { weight: 1, arbitrary: fc.subarray([...scopes]) },
  ),
  kind: fc.constantFrom("key", "local", "operator", "token"),
});

const anyStrategy = fc.constantFrom<NonNullable<RunsOptions["strategy"]>>(
  { type: "sequential" },
  { type: "bounded_concurrent", maxInFlight: 3 },
  { type: "bounded_concurrent", maxInFlight: 64 },
  { type: "ordered_batch", maxInFlight: 4 },
);

export const anyLaw: fc.Arbitrary<LawGiven> = fc
  .record({
    policy: agentPolicy,
    run: anyRun,
    selection: anySelection,
    principal: anyPrincipal,
    strategy: anyStrategy,
  })
  .map(({ run, ...law }) => ({
    ...law,
    // Whoever chooses himself says what.
    run: law.selection.mode === "explicit" ? { ...run, tools: run.tools ?? toolNames } : run,
  }));

function present<Value extends object>(given: Value): Value {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Value;
}
