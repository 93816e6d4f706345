// Any call before any judge: tools, levels, principals, inputs and answers as they may come together.
import {
  type AgentPolicy,
  costEffects,
  type Origin,
  originSchema,
  parsePolicy,
  policyLevelNames,
  type PolicyLevel,
  type Principal,
  scopes,
  type SideEffect,
  sideEffects,
} from "@spfunctions/contracts";
import * as fc from "fast-check";
import { arbitraryPolicy } from "../../contracts/test-data/arbitrary-policies.ts";
import type { JudgedCall, JudgeView } from "../src/judge/judge.ts";
import type { PolicyAnswer } from "../src/judge/input-gates.ts";
import type { Tool } from "../src/tool/define-tool.ts";
import { liveInput, openPolicy, principalWith } from "./judge-samples.ts";
import { orderSpec, toolWith } from "./tool-samples.ts";

const permissions = ["world:read", "orders:write", "net", "user_data"];

const knownNames = new Map([
  [0, "world.read"],
  [15, "keys.create"],
  [30, "orders.place"],
]);

/** A tool of every class at every cost, under the names and permissions that the policies speak of. */
export const tools: readonly Tool[] = sideEffects.flatMap((sideEffect, side) =>
  costEffects.map((costEffect, cost) => toolOf(sideEffect, costEffect, side * costEffects.length + cost)),
);

function toolOf(sideEffect: SideEffect, costEffect: (typeof costEffects)[number], index: number): Tool {
  const isFree = sideEffect === "none" && costEffect === "none";
  const spec = {
    name: nameOf(index),
    sideEffect,
    costEffect,
    permissions: isFree ? ["world:read"] : permissions.filter((_, bit) => ((index >> bit) & 1) === 1),
    ...(isFree ? { access: { anonymousAllowed: true } } : {}),
    ...(index % 11 === 10 ? { status: "deferred" as const } : {}),
    ...(index % 7 === 6 ? { capability: { kind: "net" as const, url: "/url" } } : {}),
    ...(index % 5 === 4 ? { agent: { callable: false } } : {}),
    input: { type: "object" } as const,
  };
  if (sideEffect !== "live_trade") return toolWith(spec);
  const { http: _, sdk: __, ...rest } = orderSpec(spec);
  return toolWith(rest);
}

function nameOf(index: number): string {
  return knownNames.get(index) ?? `${["world", "orders", "keys", "notes"][index % 4]}.tool${index}`;
}

export const arbitraryTool: fc.Arbitrary<Tool> = fc.constantFrom(...tools);

/** Open ones too: of policies made by chance alone hardly any lets something pass. */
const anyPolicy: fc.Arbitrary<AgentPolicy> = fc.oneof(
  arbitraryPolicy,
  fc.constant(openPolicy),
  fc
    .tuple(arbitraryPolicy, fc.subarray(["allow", "deny", "allowTools", "denyTools", "budget", "approvals"]))
    .map(([policy, kept]) => ({
      ...openPolicy,
      ...Object.fromEntries(Object.entries(policy).filter(([field]) => kept.includes(field))),
    })),
);

export const arbitraryLevel: fc.Arbitrary<PolicyLevel> = fc.record({
  level: fc.constantFrom(...policyLevelNames),
  policy: anyPolicy.map(parsePolicy),
});
export const arbitraryLevels = fc.array(arbitraryLevel, { maxLength: 3 });

const arbitraryPrincipal: fc.Arbitrary<Principal> = fc
  .record({
    scopes: fc.oneof(fc.constant([...scopes]), fc.subarray([...scopes])),
    kind: fc.constantFrom("key", "operator", "token", "anonymous", "local"),
  })
  .map(principalWith);

const arbitraryOrder = fc.record(
  {
    venue: fc.constantFrom("kalshi", "elsewhere", 5),
    side: fc.constantFrom("buy", "sell"),
    quantity: fc.constantFrom(1, 3, 500, 0, "3"),
    limitPriceCents: fc.constantFrom(1, 40, 99, null),
    dryRun: fc.boolean(),
    autoExecute: fc.boolean(),
    startsRuntime: fc.boolean(),
    jurisdiction: fc.constantFrom("US", "us-ny", "FR", ""),
    confirm: fc.constantFrom("kept", "wrong"),
  },
  { requiredKeys: ["venue", "side", "quantity", "dryRun"] },
);
const arbitraryInput = fc.oneof(
  arbitraryOrder,
  fc.constantFrom<unknown[]>(
    {},
    5,
    null,
    { a: "[redacted:held:0123456789ab]" },
    { url: "https://example.com" },
  ),
);

const arbitraryAnswer: fc.Arbitrary<PolicyAnswer> = fc.record(
  {
    outcome: fc.constantFrom("allow" as const, "deny" as const, "ask" as const),
    reason: fc.constant("because"),
  },
  { requiredKeys: ["outcome"] },
);

export const arbitraryOrigin: fc.Arbitrary<Origin> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Origin>("direct") },
  { weight: 1, arbitrary: fc.constantFrom(...originSchema.options) },
);

/** A call of one of {@link tools}, or of none. */
export const arbitraryCall: fc.Arbitrary<JudgedCall> = fc
  .record({
    tool: fc.oneof(
      { weight: 20, arbitrary: arbitraryTool.map(({ contract }) => contract.name) },
      { weight: 1, arbitrary: fc.constantFrom("world_read", "", "__proto__") },
    ),
    origin: arbitraryOrigin,
    input: fc.option(arbitraryInput, { nil: undefined }),
    preTool: fc.option(arbitraryAnswer, { nil: undefined }),
    spent: fc.option(fc.record({ toolCalls: fc.nat(60), steps: fc.nat(60) }), { nil: undefined }),
  })
  .map(({ tool, origin, input, preTool, spent }) => ({
    tool,
    origin,
    ...(input === undefined ? {} : { input: liveInput(input) }),
    ...(preTool === undefined ? {} : { preTool }),
    ...(spent === undefined ? {} : { spent }),
  }));

/** How a judge looks at calls, but for its levels. */
export const arbitraryView: fc.Arbitrary<Pick<JudgeView, "principal" | "surface" | "mode" | "hasPreTool">> =
  fc.record({
    principal: arbitraryPrincipal,
    surface: fc.constantFrom("agent" as const, "plain" as const),
    mode: fc.oneof(
      { weight: 5, arbitrary: fc.constant("live" as const) },
      { weight: 1, arbitrary: fc.constant("replay" as const) },
    ),
    hasPreTool: fc.boolean(),
  });
