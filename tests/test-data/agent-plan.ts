// The Agent tests of the plan, against a platform with any pack, on a socket and in process.
import { SimpleFunctionsAgent } from "@spfunctions/agent";
import {
  type AgentPolicy,
  isSimpleFunctionsError,
  type JournalRecord,
  MissingApiKeyError,
  ReplayMissError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { createMemoryStore, memoryTrace, segmentsOf } from "@spfunctions/kernel";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ClientTerms, countedClient } from "../../packages/agent/test-data/platform-agent.ts";
import type { TestPlatform, Way } from "../../packages/server/test-data/test-platform.ts";

export type AgentPlan<House extends TestPlatform> = {
  readonly ways: readonly Way[];
  readonly house: (way: Way) => Promise<House>;
  /** A key that may do whatever a key may. */
  readonly mighty: Parameters<TestPlatform["key"]>[1];
  /** What is called, each with an input that it takes. */
  readonly reads: (house: House) => readonly [tool: string, input: object];
  readonly writes: (house: House) => readonly [tool: string, input: object];
  readonly asksModel: (house: House) => readonly [tool: string, input: object];
  readonly trades: (house: House) => readonly [tool: string, input: object];
  /** A policy that opts in to trading, with guardrails under which that order passes. */
  readonly tradePolicy: AgentPolicy;
};

/** What the platform's journal says was begun there with a key: reads that cost nothing much are not among it. */
async function begunOn({ store }: TestPlatform): Promise<string[]> {
  const begun: string[] = [];
  for (const accountId of ["acct_1", "acct_2"]) {
    for await (const stream of segmentsOf(store, accountId)) {
      for (const { text } of await store.readStream({ stream, accountId, limit: 1000 })) {
        const { kind, tool, principal } = JSON.parse(text) as JournalRecord & {
          tool: string;
          principal: { kind: string };
        };
        if (kind === "call.intended" && principal.kind === "key") begun.push(tool);
      }
    }
  }
  return begun;
}

type Opened<House> = { readonly house: House; readonly key: string };

const catalog = "GET /api/contracts/tools";

async function refusal(work: PromiseLike<unknown>): Promise<SimpleFunctionsError> {
  try {
    await work;
  } catch (error) {
    if (isSimpleFunctionsError(error)) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

export function agentPlan<House extends TestPlatform>(title: string, plan: AgentPlan<House>): void {
  describe.each(plan.ways)(`${title} (%s)`, (way) => {
    const open = async (): Promise<Opened<House>> => {
      const house = await plan.house(way);
      return { house, key: await house.key("acct_1", plan.mighty) };
    };
    const agentOn = ({ house, key }: Opened<House>, policy: AgentPolicy = {}, terms: ClientTerms = {}) => {
      const counted = countedClient(house, { way, apiKey: key, ...terms });
      const trace = memoryTrace();
      const agent = new SimpleFunctionsAgent({ client: counted.client, policy, trace });
      onTestFinished(() => agent.close());
      return { ...counted, agent, trace };
    };
    keyTests(way, open, plan);
    nameTests(open, agentOn, plan);
    policyTests(open, agentOn, plan);
    replayTests(way, open, agentOn, plan);
  });
}

type Open<House> = () => Promise<Opened<House>>;
type AgentOn<House> = (
  on: Opened<House>,
  policy?: AgentPolicy,
  terms?: ClientTerms,
) => ReturnType<typeof countedClient> & {
  readonly agent: SimpleFunctionsAgent;
  readonly trace: ReturnType<typeof memoryTrace>;
};

function keyTests<House extends TestPlatform>(way: Way, open: Open<House>, plan: AgentPlan<House>): void {
  // proves KEY-4.1, KEY-4.5, KEY-6.16, KEY-21.1
  // proves RUN-2.9
  test("live constructor without key throws MissingApiKeyError", async () => {
    const { house } = await open();
    const { client, sent } = countedClient(house, { way });
    expect(() => new SimpleFunctionsAgent({ client })).toThrow(MissingApiKeyError);
    expect(() => new SimpleFunctionsAgent({ client, mode: "live" })).toThrow(MissingApiKeyError);
    expect(() => new SimpleFunctionsAgent()).toThrow(MissingApiKeyError);
    expect(sent).toStrictEqual([]);
  });

  // proves KEY-4.3, KEY-6.13, KEY-21.2
  test("inspectOnly constructor without key succeeds", async () => {
    const { house } = await open();
    const { client, sent } = countedClient(house, { way });
    const store = createMemoryStore();
    await using agent = new SimpleFunctionsAgent({ client, mode: "inspectOnly", store });
    expect(sent).toStrictEqual([]);
    const [reads, input] = plan.reads(house);
    expect(await agent.describe(reads)).toMatchObject({ name: reads, sideEffect: "none" });
    expect(await agent.explain(reads, input)).toMatchObject({ outcome: "unchecked" });
    expect(await agent.explain(...plan.writes(house))).toMatchObject({ gate: "max.sideEffect" });
    expect(await refusal(agent.call(reads, input))).toMatchObject({ code: "live_disabled" });
    expect(await refusal(agent.stream(reads, input).result)).toMatchObject({ code: "live_disabled" });
    expect(sent.map(({ what }) => what)).toStrictEqual([catalog]);
    expect(await begunOn(house)).toStrictEqual([]);
    expect(await store.documents({ kind: "segment", accountId: "local", limit: 9 })).toStrictEqual([]);
  });

  // proves KEY-4.2, KEY-6.14, KEY-21.3
  test("replayOnly constructor without key succeeds", async () => {
    await using agent = new SimpleFunctionsAgent({ mode: "replayOnly", replay: [] });
    expect(agent.mode).toBe("replayOnly");
  });
}

function nameTests<House extends TestPlatform>(
  open: Open<House>,
  agentOn: AgentOn<House>,
  plan: AgentPlan<House>,
): void {
  // proves KEY-2.4, KEY-2.22, KEY-12.1, KEY-13.4, KEY-21.4
  // proves RUN-2.1, RUN-2.3, RUN-4.2
  test("live call with key resolves world.read", async () => {
    const opened = await open();
    const { agent, sent, client } = agentOn(opened);
    const [, input] = plan.reads(opened.house);
    // Of a name that only a run decides any input is taken.
    const reading: string = "world.read";
    const { tool, receipt, output } = await agent.call(reading, input);
    expect([tool, receipt.tool, receipt.verdict.outcome]).toStrictEqual([
      "world.read",
      "world.read",
      "allow",
    ]);
    expect(receipt.toolDigest).toBe((await agent.describe("world.read")).digest);
    expect(output).toStrictEqual(await client.call("world.read", input as never));
    expect(sent.slice(0, 2).map(({ what }) => what)).toStrictEqual([catalog, "GET /api/agent/world"]);
  });

  // proves KEY-12.15, KEY-12.17, KEY-21.5, KEY-21.6, KEY-21.7
  test.each(["get_world_state", "get_regime_history", "events.search"])(
    "live call rejects %s",
    async (name) => {
      const opened = await open();
      const { agent, sent } = agentOn(opened, { maxSideEffect: "live_trade", maxCostEffect: "llm_cost" });
      expect(await refusal(agent.call(name, {}))).toMatchObject({
        code: "unknown_tool",
        details: { verdict: { outcome: "deny", gate: "tool.exists" } },
      });
      expect(sent.map(({ what }) => what)).toStrictEqual([catalog]);
      expect(await begunOn(opened.house)).toStrictEqual([]);
    },
  );

  // proves KEY-12.14, KEY-13.15, KEY-21.9, KEY-24.14
  // proves RUN-2.2, RUN-9.2
  test("Agent uses /api/contracts/tools, not /api/tools", async () => {
    const opened = await open();
    const asked: string[] = [];
    const { agent } = agentOn(opened, plan.tradePolicy, {
      between: (request, pass) => {
        asked.push(new URL(request.url).pathname);
        return pass();
      },
    });
    for (const [tool, input] of [plan.reads, plan.writes, plan.trades].map((one) => one(opened.house))) {
      await agent.call(tool, input);
    }
    const contracts = await agent.manifest();
    const routes = new Set(contracts.tools.map(({ http }) => http?.path));
    expect(asked.filter((path) => path === "/api/contracts/tools").length).toBeGreaterThan(0);
    expect(asked.filter((path) => path.startsWith("/api/tools"))).toStrictEqual([]);
    expect(asked.filter((path) => path !== "/api/contracts/tools" && !routes.has(path))).toStrictEqual([]);
  });
}

function policyTests<House extends TestPlatform>(
  open: Open<House>,
  agentOn: AgentOn<House>,
  plan: AgentPlan<House>,
): void {
  /** How a call is refused on this side under each of these: nothing is sent for it, and nothing begun. */
  const refusedHere = async (
    opened: Opened<House>,
    [tool, input]: readonly [string, object],
    ...policies: readonly AgentPolicy[]
  ) => {
    const codes: unknown[] = [];
    for (const policy of policies) {
      const { agent, sent } = agentOn(opened, policy);
      const { code, details } = await refusal(agent.call(tool, input));
      codes.push([code, details?.verdict?.gate]);
      expect(sent.map(({ what }) => what)).toStrictEqual([catalog]);
    }
    expect(await begunOn(opened.house)).toStrictEqual([]);
    return codes;
  };

  // proves KEY-1.1, KEY-10.22, KEY-14.17, KEY-21.8
  test("live call rejects live_trade unless policy explicitly opts in", async () => {
    const { trade: _, ...withoutRails } = plan.tradePolicy;
    const { maxSideEffect: _ceiling, ...withoutCeiling } = plan.tradePolicy;
    const opened = await open();
    const trade = plan.trades(opened.house);
    expect(await refusedHere(opened, trade, {}, withoutRails, withoutCeiling)).toStrictEqual([
      ["policy_denied", "forbidden.risk"],
      ["policy_denied", "forbidden.risk"],
      ["policy_denied", "max.sideEffect"],
    ]);
    const { receipt } = await agentOn(opened, plan.tradePolicy).agent.call(...trade);
    expect([receipt.sideEffect, receipt.verdict.outcome]).toStrictEqual(["live_trade", "allow"]);
    expect(await begunOn(opened.house)).toStrictEqual([trade[0]]);
  });

  test("and a policy that opts in opens nothing that the key may not do", async () => {
    const { house } = await open();
    const key = await house.key("acct_2", { scopes: ["read", "write"] });
    const { agent } = agentOn({ house, key }, plan.tradePolicy);
    expect(await refusal(agent.call(...plan.trades(house)))).toMatchObject({ code: "policy_denied" });
    expect(await begunOn(house)).toStrictEqual([]);
  });

  // proves KEY-21.10
  test("policy deny list wins", async () => {
    const opened = await open();
    const call = plan.writes(opened.house);
    const [tool] = call;
    const { tools } = opened.house.platform.manifest;
    const permissions = tools.find(({ name }) => name === tool)?.permissions ?? [];
    const all = { maxSideEffect: "user_write", maxCostEffect: "llm_cost" } as const;
    const policies: AgentPolicy[] = [
      { ...all, allowTools: [tool], denyTools: [tool] },
      { ...all, allowTools: [tool], denyTools: [`${tool.split(".")[0]}.*`] },
      { ...all, allowTools: [tool], allow: permissions, deny: permissions },
    ];
    const denied = policies.map(() => ["policy_denied", "deny"]);
    expect(await refusedHere(opened, call, ...policies)).toStrictEqual(denied);
  });

  // proves KEY-21.11
  // proves RUN-2.6
  test("max sideEffect blocks user_write", async () => {
    const opened = await open();
    const call = plan.writes(opened.house);
    const policies: AgentPolicy[] = [{ maxSideEffect: "none" }, { maxSideEffect: "auth_telemetry_write" }];
    const denied = policies.map(() => ["policy_denied", "max.sideEffect"]);
    expect(await refusedHere(opened, call, ...policies)).toStrictEqual(denied);
    await agentOn(opened, { maxSideEffect: "user_write" }).agent.call(...call);
    expect(await begunOn(opened.house)).toStrictEqual([call[0]]);
  });

  // proves KEY-21.12
  // proves RUN-2.7
  test("max costEffect blocks llm_cost when max is api_cost", async () => {
    const opened = await open();
    const call = plan.asksModel(opened.house);
    expect(await refusedHere(opened, call, { maxCostEffect: "api_cost" })).toStrictEqual([
      ["policy_denied", "max.costEffect"],
    ]);
    const { receipt } = await agentOn(opened, { maxCostEffect: "llm_cost" }).agent.call(...call);
    expect(receipt.costEffect).toBe("llm_cost");
  });
}

function replayTests<House extends TestPlatform>(
  way: Way,
  open: Open<House>,
  agentOn: AgentOn<House>,
  plan: AgentPlan<House>,
): void {
  const recorded = async () => {
    const opened = await open();
    const { agent, trace } = agentOn(opened, { maxSideEffect: "user_write" });
    const [tool, input] = plan.writes(opened.house);
    const { output } = await agent.call(tool, input);
    await agent.close();
    return { opened, tool, input, output, text: await trace.text() };
  };

  // proves KEY-15.3, KEY-16.33, KEY-21.13
  test("replay miss throws ReplayMissError", async () => {
    const { tool, input, output, text } = await recorded();
    const policy = { maxSideEffect: "user_write" } as const;
    await using agent = new SimpleFunctionsAgent({ mode: "replayOnly", replay: [text], policy });
    expect(await agent.call(tool, input)).toMatchObject({ output, replayed: true });
    for (const missed of [input, { ...input, another: 1 }]) {
      const error = await refusal(agent.call(tool, missed));
      expect(error).toBeInstanceOf(ReplayMissError);
      expect(error.details).toMatchObject({ tool, inputHash: expect.stringMatching(/^sha256:/) });
    }
  });

  // proves KEY-4.4, KEY-16.34, KEY-21.14
  test("replay miss does not call live", async () => {
    const { opened, tool, input, text } = await recorded();
    const { house, key } = opened;
    expect(await begunOn(house)).toStrictEqual([tool]);
    // With a key, and every reason to go and ask.
    const { client, sent } = countedClient(house, { way, apiKey: key });
    const policy = { maxSideEffect: "user_write" } as const;
    await using agent = new SimpleFunctionsAgent({ client, mode: "replayOnly", replay: [text], policy });
    await agent.call(tool, input);
    expect(await refusal(agent.call(tool, input))).toBeInstanceOf(ReplayMissError);
    expect(await refusal(agent.stream(tool, input).result)).toBeInstanceOf(ReplayMissError);
    expect(await refusal(agent.call("world.read", {}))).toBeInstanceOf(ReplayMissError);
    expect([sent, await begunOn(house)]).toStrictEqual([[], [tool]]);
  });
}
