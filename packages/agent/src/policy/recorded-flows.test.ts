// Any tools, any policies, any calls: recorded, and judged anew from the record alone.
import {
  type AgentPolicy,
  costEffects,
  gates,
  type JsonObject,
  type Origin,
  originSchema,
  parsePolicy,
  scopes,
  sideEffectRank,
  sideEffects,
} from "@spfunctions/contracts";
import {
  defineTool,
  type EvaluatePreTool,
  type GivenLevel,
  type GivenPrincipal,
  openInstallation,
  openReplay,
  readTrace,
  type Replay,
  Seat,
  type Tool,
} from "@spfunctions/kernel";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryGuardrails } from "../../../contracts/test-data/arbitrary-policies.ts";
import { type Decision, decisionOf, isSameDecision } from "./decision.ts";
import { suggestPolicy } from "./suggest-policy.ts";
import { whatIf, type WhatIfCall } from "./what-if.ts";

const installation = openInstallation(new Uint8Array(32).fill(9));
const word = "a word that only flows know";
const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
const permissions = ["world:read", "orders:write", "net"];
const names = ["world.t0", "orders.t1", "keys.t2", "world.t3", "orders.t4", "keys.t5"];

const anyTraits = fc.record({
  sideEffect: fc.oneof(fc.constantFrom(...sideEffects), fc.constant("live_trade" as const)),
  costEffect: fc.constantFrom(...costEffects),
  permissions: fc.subarray(permissions),
  isUserData: fc.boolean(),
  status: fc.oneof(
    { weight: 9, arbitrary: fc.constant("implemented" as const) },
    fc.constant("deferred" as const),
  ),
  isCallable: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
  hasCapability: fc.oneof({ weight: 7, arbitrary: fc.constant(false) }, fc.constant(true)),
  isStrict: fc.boolean(),
  /** Where its trade's facts stand: in the input, in a part of it, or the quantity under a name that hides it. */
  place: fc.constantFrom("", "/order", "/password"),
  takesConfirm: fc.boolean(),
  /** Whether its schema says which of its members are secrets. */
  isDeclared: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
  fails: fc.boolean(),
});
type Traits = typeof anyTraits extends fc.Arbitrary<infer Value> ? Value : never;

function toolOf(traits: Traits, index: number): Tool {
  const { sideEffect, isCallable, hasCapability, isStrict, isDeclared, fails, isUserData } = traits;
  const declared = isDeclared ? { "x-sf-secret": true } : {};
  const properties: JsonObject = isDeclared ? { password: { "x-sf-secret": true } } : {};
  return defineTool({
    name: names[index] ?? "",
    description: "Does what its contract says.",
    // A recorded secret is longer than the real one: judged by the record, this input would not fit.
    input: isStrict
      ? {
          type: "object",
          properties: { apiKey: { type: "string", maxLength: 12, ...declared }, ...properties },
        }
      : { type: ["object", "number"], properties },
    output: {},
    permissions: traits.permissions,
    sideEffect,
    costEffect: traits.costEffect,
    status: traits.status,
    ...(isUserData ? { risk: ["user_data", "venue"] as const } : {}),
    ...(isCallable ? {} : { agent: { callable: false } }),
    ...(hasCapability ? { capability: { kind: "net" as const, url: "/url" } } : {}),
    ...(sideEffect === "live_trade" ? { trade: pointersOf(traits), risk: ["live_trade"] as const } : {}),
    run: () => {
      if (fails) throw new Error("closed");
      return null;
    },
  });
}

function pointersOf({ place, takesConfirm }: Traits) {
  const at = place === "/order" ? "/order" : "";
  return {
    venue: `${at}/venue`,
    side: `${at}/side`,
    quantity: place === "/password" ? place : `${at}/quantity`,
    limitPriceCents: `${at}/limitPriceCents`,
    dryRun: `${at}/dryRun`,
    autoExecute: `${at}/autoExecute`,
    startsRuntime: `${at}/startsRuntime`,
    jurisdiction: `${at}/jurisdiction`,
    ...(takesConfirm ? { confirm: `${at}/confirm` } : {}),
  };
}

const anyOrder = fc
  .record(
    {
      venue: fc.constantFrom("kalshi", "kalshi", "paper", secret),
      side: fc.constantFrom("buy", "sell"),
      quantity: fc.constantFrom(1, 3, 20, 500, 0),
      limitPriceCents: fc.constantFrom(1, 40, 99),
      dryRun: fc.boolean(),
      autoExecute: fc.boolean(),
      startsRuntime: fc.boolean(),
      jurisdiction: fc.constantFrom("US", "us-ny", "FR", secret),
      confirm: fc.constantFrom(word, word, "another word", ""),
    },
    { requiredKeys: ["venue", "side", "quantity", "dryRun"] },
  )
  .map((order) => ({ ...order, order, password: order.quantity }));

const anyCall = fc.record(
  {
    tool: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...names) },
      fc.constantFrom("world_t0", "", "__proto__"),
    ),
    input: fc.oneof(
      { weight: 5, arbitrary: anyOrder },
      fc.constantFrom<unknown[]>(
        { apiKey: "hunter22" },
        { apiKey: secret },
        { url: "https://example.com/" },
        { note: "[redacted:held:0123456789ab]" },
        5,
        null,
        { n: 1n },
      ),
    ),
    idempotencyKey: fc.constantFrom("k1", "k2"),
  },
  { requiredKeys: ["tool", "input"] },
);

const open: AgentPolicy = {
  maxSideEffect: "live_trade",
  maxCostEffect: "llm_cost",
  allowTools: [...names],
  trade: {
    allowedVenues: ["kalshi", "paper", secret],
    maxOrderCostCents: 1_000_000,
    maxQuantity: 10_000,
    requireLimitPrice: false,
    dryRunOnly: false,
    allowAutoExecute: true,
    allowRuntimeStart: true,
  },
};
const toolLists = fc.subarray([...names, "world.*", "orders.*", "keys.*"]);
const anyFields: fc.Arbitrary<AgentPolicy> = fc.record(
  {
    allow: fc.subarray(permissions, { minLength: 1 }),
    deny: fc.subarray(permissions, { maxLength: 1 }),
    allowTools: toolLists,
    denyTools: fc.subarray([...names, "world.*"], { maxLength: 1 }),
    maxSideEffect: fc.constantFrom(...sideEffects),
    maxCostEffect: fc.constantFrom(...costEffects),
    trade: arbitraryGuardrails.map((rails) =>
      rails.confirmToken === undefined ? rails : { ...rails, confirmToken: word },
    ),
    budget: fc.record({ maxToolCalls: fc.constantFrom(0, 1, 5) }),
    approvals: fc.record(
      {
        requireForSideEffectAtOrAbove: fc.constantFrom(...sideEffects),
        requireForCostEffectAtOrAbove: fc.constantFrom(...costEffects),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
/** Most of it open, or chance alone would let hardly anything pass. */
const anyPolicy = fc
  .tuple(
    anyFields,
    fc.subarray(Object.keys({ ...open, allow: 0, deny: 0, denyTools: 0, budget: 0, approvals: 0 }), {
      maxLength: 3,
    }),
  )
  .map(
    ([fields, kept]): AgentPolicy => ({
      ...open,
      ...Object.fromEntries(Object.entries(fields).filter(([field]) => kept.includes(field))),
    }),
  );
const anyLevels: fc.Arbitrary<GivenLevel[]> = fc
  .array(anyPolicy, { minLength: 1, maxLength: 2 })
  .map((policies) => policies.map((policy, at) => ({ level: at === 0 ? "agent" : "run", policy })));

/** Objects to some inputs, the same ones each time. */
const objecting: EvaluatePreTool = ({ inputHash }) => ({
  outcome: inputHash.endsWith("0") ? "ask" : /[1-4]$/.test(inputHash) ? "deny" : "allow",
});

const anyFlow = fc.record({
  traits: fc.array(anyTraits, { minLength: 3, maxLength: names.length }),
  calls: fc.array(anyCall, { minLength: 1, maxLength: 10 }),
  surface: fc.constantFrom("agent" as const, "plain" as const),
  origin: fc.oneof(
    { weight: 5, arbitrary: fc.constant<Origin>("direct") },
    fc.constantFrom<Origin[]>(...originSchema.options),
  ),
  principal: fc.record({
    accountId: fc.constant("acct_1"),
    keyId: fc.constant("key_1"),
    scopes: fc.oneof({ weight: 4, arbitrary: fc.constant([...scopes]) }, fc.subarray([...scopes])),
    kind: fc.oneof(
      { weight: 5, arbitrary: fc.constant("local" as const) },
      fc.constant("anonymous" as const),
    ),
  }) satisfies fc.Arbitrary<GivenPrincipal>,
  evaluatePreTool: fc.option(fc.constant(objecting), { nil: undefined }),
});
type Flow = typeof anyFlow extends fc.Arbitrary<infer Value> ? Value : never;

/** Makes the calls of a flow under these policies, and gives the trace. */
async function record(flow: Flow, levels: readonly GivenLevel[], replay?: Replay): Promise<string> {
  const { traits, calls, surface, origin, principal, evaluatePreTool } = flow;
  const packs = [traits.map(toolOf)];
  const seat = new Seat({ packs, levels, surface, origin, principal, evaluatePreTool, installation, replay });
  for (const call of calls) await seat.call(call);
  await seat.close();
  const lines = [];
  for await (const line of seat.trace()) lines.push(line);
  return `${lines.join("\n")}\n`;
}

/** The same calls again, answered from the trace. */
async function replayed(flow: Flow, levels: readonly GivenLevel[], trace: string): Promise<string> {
  return await record(flow, levels, await openReplay([trace]));
}

async function decisionsIn(trace: string): Promise<Decision[]> {
  const { calls } = await readTrace(trace);
  return [...calls.values()].map(({ opening }) => decisionOf(opening.verdict));
}

/** How far a call came. */
const reach = ({ gate }: Decision): number => (gate === undefined ? gates.length : gates.indexOf(gate));

/** Whether what was said is what happened; where it was uncertain, whether that lies between the two answers. */
function isTrueOf(fact: Decision, { now, uncertain }: WhatIfCall): boolean {
  if (uncertain === undefined) return isSameDecision(fact, now);
  const ends = [now, uncertain.otherwise].map(reach);
  return reach(fact) >= Math.min(...ends) && reach(fact) <= Math.max(...ends);
}

describe("whatIf, over any recorded flow", () => {
  test("finds no difference under the policies that were in force, live or replayed", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(anyFlow, anyLevels, async (flow, levels) => {
        const live = await record(flow, levels);
        const traces = [live, await replayed(flow, levels, live)];
        const answer = await whatIf(levels, traces);
        expect(answer.differences).toStrictEqual([]);
        expect(answer.counts.calls).toBe(2 * flow.calls.length);
        expect(JSON.parse(JSON.stringify(answer))).toStrictEqual(answer);
        expect(JSON.stringify(answer)).not.toContain(word);
        const known = await whatIf(levels, traces, { installation });
        expect([known.differences, known.counts.uncertain]).toStrictEqual([[], 0]);
        for (const { was } of answer.calls) seen.add(was.gate ?? was.outcome);
      }),
      { numRuns: 40 },
    );
    // Chance has been everywhere: otherwise the promise would be about little.
    expect(seen.size).toBeGreaterThan(8);
  });

  test("says of other policies what really happens under them", async () => {
    const counts = { certain: 0, different: 0, uncertain: 0 };
    await fc.assert(
      fc.asyncProperty(anyFlow, anyLevels, anyLevels, async (flow, before, after) => {
        const live = await record(flow, before);
        const really = await record(flow, after);
        const facts = [
          ...(await decisionsIn(really)),
          ...(await decisionsIn(await replayed(flow, after, live))),
        ];
        const { calls } = await whatIf(after, [live, await replayed(flow, before, live)]);
        expect(calls.map((call, at) => isTrueOf(facts[at] as Decision, call))).toStrictEqual(
          calls.map(() => true),
        );
        const certain = calls.filter(({ uncertain }) => uncertain === undefined);
        counts.certain += certain.length;
        counts.different += certain.filter(({ differs }) => differs).length;
        counts.uncertain += calls.length - certain.length;
      }),
      { numRuns: 40 },
    );
    expect(counts.certain).toBeGreaterThan(counts.uncertain);
    expect(counts.different).toBeGreaterThan(10);
    expect(counts.uncertain).toBeGreaterThan(0);
  });
});

describe("suggestPolicy, over any recorded flow", () => {
  test("allows what was allowed and made, and with any line less it does not", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(anyFlow, anyLevels, fc.boolean(), async (flow, levels, isReplayed) => {
        const live = await record(flow, levels);
        const traces = [isReplayed ? await replayed(flow, levels, live) : live];
        const { policy, lines } = await suggestPolicy(traces);
        parsePolicy(policy);
        const { calls } = await whatIf(policy, traces);
        const made = calls.filter(({ was }) => was.status !== "denied_before_execution");
        expect(made.filter(({ now }) => now.outcome !== "allow")).toStrictEqual([]);
        for (const { path } of lines) seen.add(path.replace(/\/\d+$/, ""));
        const less = lines.flatMap(({ path, value }) => lessThan(policy, path, value));
        const refusing = await Promise.all(less.map((one) => refusesOneOf(one, traces)));
        expect(refusing).toStrictEqual(less.map(() => true));
      }),
      // So many that no run misses a trade by chance.
      { numRuns: 250 },
    );
    expect([...seen]).toContain("/trade/maxQuantity");
  });
});

/** The policy without a line, and where it is a number or a ceiling also with the next smaller one. */
function lessThan(policy: AgentPolicy, path: string, value: unknown): unknown[] {
  const without = structuredClone(policy) as Record<string, unknown>;
  const lower = structuredClone(policy) as Record<string, unknown>;
  const keys = path.slice(1).split("/");
  const last = keys.pop() ?? "";
  const [parent, other] = [without, lower].map((root) =>
    keys.reduce((at, key) => at[key] as Record<string, unknown>, root),
  ) as [Record<string, unknown>, Record<string, unknown>];
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  if (typeof value === "number") other[last] = value - 1;
  else if (last === "maxSideEffect") other[last] = sideEffects[sideEffectRank(value as never) - 1];
  else return [without];
  return [without, lower];
}

/** A policy that is none refuses everything (G1). */
async function refusesOneOf(policy: unknown, traces: readonly string[]): Promise<boolean> {
  try {
    parsePolicy(policy);
  } catch {
    return true;
  }
  const { calls } = await whatIf(policy as AgentPolicy, traces);
  return calls.some(({ was, now }) => was.status !== "denied_before_execution" && now.outcome !== "allow");
}
