// Calls before the judge: the tools, who calls, by which policies, and with what.
import {
  type AgentPolicy,
  canonicalJson,
  type ContractTool,
  type Gate,
  type GateReport,
  type JsonValue,
  parsePolicy,
  type PolicyLevel,
  type PolicyLevelName,
  type Principal,
  principalSchema,
  type Verdict,
  verdictSchema,
} from "@spfunctions/contracts";
import type { JudgedInput } from "../src/judge/input-gates.ts";
import { compileJudge, type Judge, type JudgedCall, type JudgeView } from "../src/judge/judge.ts";
import type { Tool } from "../src/tool/define-tool.ts";
import { registerPacks, type ToolRegistry } from "../src/tool/registry.ts";

/** Who calls, as a person writes it. */
export const somebody = {
  accountId: "acct_1",
  keyId: "key_1",
  scopes: ["read", "write", "trade", "admin"],
  kind: "local",
} as const;

export function principalWith(changes: Partial<Record<keyof Principal, unknown>> = {}): Principal {
  return principalSchema.parse({ ...somebody, ...changes });
}

export const anonymous = principalWith({ kind: "anonymous", scopes: [] });

/** Policies as levels: the first is the agent's, then the session's and the run's; one may be said by name. */
export function levelsOf(...policies: readonly AgentPolicy[]): PolicyLevel[] {
  const names: readonly PolicyLevelName[] = ["agent", "session", "run", "key", "server", "parent"];
  return policies.map((policy, index) => ({ level: names[index] ?? "parent", policy: parsePolicy(policy) }));
}

/** A policy that stops nothing that any policy could let pass. */
export const openPolicy = {
  maxSideEffect: "live_trade",
  maxCostEffect: "llm_cost",
  trade: {
    allowedVenues: ["kalshi", "paper"],
    maxOrderCostCents: 1_000_000,
    maxQuantity: 10_000,
    requireLimitPrice: false,
    dryRunOnly: false,
    allowAutoExecute: true,
    allowRuntimeStart: true,
  },
} as const satisfies AgentPolicy;

export const order = {
  venue: "kalshi",
  side: "buy",
  quantity: 3,
  limitPriceCents: 40,
  dryRun: true,
} as const;

export function liveInput(value: unknown): JudgedInput {
  const text = canonicalJson(value);
  return { type: "live", value: JSON.parse(text) as JsonValue, text };
}

export type ViewChanges = Partial<Omit<JudgeView, "levels" | "registry">> & {
  readonly policies?: readonly AgentPolicy[];
  readonly levels?: readonly PolicyLevel[];
  readonly registry?: ToolRegistry;
};

export function judgeWith(tools: readonly Tool[], changes: ViewChanges = {}): Judge {
  const { policies = [openPolicy], ...rest } = changes;
  return compileJudge({
    registry: rest.registry ?? registerPacks(tools),
    levels: levelsOf(...policies),
    principal: principalWith(),
    surface: "agent",
    matchesConfirm: (given, kept) => kept === `kept ${given}`,
    ...rest,
  });
}

/** The verdict on a direct call of a tool; every verdict that a test sees has been held against its schema. */
export function verdictOn(
  tool: Tool,
  changes: ViewChanges & Partial<Omit<JudgedCall, "input">> & { readonly input?: unknown } = {},
): Verdict {
  const { origin = "direct", input, preTool, capability, spent, ...view } = changes;
  const judge = judgeWith([tool], view);
  const { verdict } = judge.judge({
    tool: tool.contract.name,
    origin,
    ...(input === undefined ? {} : { input: liveInput(input) }),
    ...(preTool === undefined ? {} : { preTool }),
    ...(capability === undefined ? {} : { capability }),
    ...(spent === undefined ? {} : { spent }),
  });
  return checked(verdict);
}

export function checked(verdict: Verdict): Verdict {
  verdictSchema.parse(verdict);
  return verdict;
}

/** A registry of contracts that no author could have defined: what only the judge is left to refuse. */
export function forgedRegistry(...contracts: readonly ContractTool[]): ToolRegistry {
  return {
    manifest: registerPacks([]).manifest,
    tools: new Map(contracts.map((contract) => [contract.name, { contract }])),
  };
}

/** What one gate says. */
export function reportOf({ gates }: Verdict, gate: Gate): GateReport | undefined {
  return gates.find((report) => report.gate === gate);
}

/** What a verdict says to a person and a program, without the reports of all gates. */
export function decisionOf({ outcome, gate, code, reason, remedy }: Verdict) {
  return { outcome, gate, code, reason, remedy };
}
