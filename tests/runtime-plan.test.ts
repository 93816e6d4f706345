// The test plan of the model-backed runtime, by its own names: on a platform with a tool of every class, on a socket and in process, and
// on the markets.
import {
  type AgentPolicy,
  costEffectRank,
  type JsonObject,
  MissingApiKeyError,
  sideEffectRank,
} from "@spfunctions/contracts";
import type { HookAnswer } from "@spfunctions/kernel";
import { SimpleFunctionsRuntime, type RuntimeRunInput } from "@spfunctions/agent/v1";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../packages/contracts/test-data/refusal-of.ts";
import { countedClient } from "../packages/agent/test-data/platform-agent.ts";
import { bounds } from "../packages/agent/test-data/runtime-desk.ts";
import { type Proposal, saying, ScriptedModel } from "../packages/kernel/test-data/run-desk.ts";
import { type TestPlatform, testPlatform, type Way } from "../packages/server/test-data/test-platform.ts";
import { marketsHouse, mighty, soundInputs, trade as marketsTrade } from "./test-data/markets-house.ts";
import { calledOn, runtimeOver, type RuntimeTerms } from "./test-data/runtime-house.ts";

const ways = ["socket", "embedded"] as const;
const broadNames = [
  "get_world_state",
  "get_regime_history",
  "world_read",
  "notes_add",
  "events.search",
  "market.related",
  "auth.status",
  "investigations.create",
  "intents.propose",
  "webhooks.create",
];
const writes = { ...bounds, maxSideEffect: "user_write", maxCostEffect: "llm_cost" } as const;
const unasked = { ...writes, approvals: { requireForSideEffectAtOrAbove: "secret" } } as const;
const note = { name: "notes.add", args: { text: "milk" } };

/** What was sent besides what is asked of any platform. */
function sentIn(sent: readonly { readonly what: string }[]): string[] {
  return sent
    .map(({ what }) => what)
    .filter((what) => what !== "GET /api/contracts/tools" && !what.endsWith("/credential"));
}

async function scene(way: Way, terms: RuntimeTerms = {}) {
  const house = await testPlatform(way);
  const apiKey = await house.key("acct_1");
  return { house, apiKey, ...(await runtimeOver(house, { way, apiKey, ...terms })) };
}

describe.each(ways)("over a platform (%s)", (way) => {
  // proves KEY-6.17
  // proves RUN-4.10, RUN-5.1, RUN-11.1, RUN-16.1
  test("v1 refuses to construct without API-keyed client for live mode", async () => {
    const house = await testPlatform(way);
    const { client, sent } = countedClient(house, { way });
    const model = new ScriptedModel(saying());
    const policy = bounds;
    for (const options of [{}, { mode: "live" }, { packs: [] }] as const) {
      expect(() => new SimpleFunctionsRuntime({ client, model, policy, ...options })).toThrow(
        MissingApiKeyError,
      );
    }
    expect(() => new SimpleFunctionsRuntime({ model, policy })).toThrow(/give client, packs, or both/);
    const keyed = countedClient(house, { way, apiKey: await house.key("acct_1") });
    await using runtime = new SimpleFunctionsRuntime({ client: keyed.client, model, policy });
    expect([runtime.mode, sent, keyed.sent]).toStrictEqual(["live", [], []]);
  });

  // proves RUN-4.4, RUN-4.12, RUN-5.1, RUN-9.2, RUN-11.2, RUN-16.2
  test("v1 resolves only canonical contract tools", async () => {
    const { runtime, house, sent, shown, records, client } = await scene(way, {
      policy: unasked,
      says: [[note, { name: "notes_add", args: note.args }, { name: "Notes.add" }], "done"],
    });
    const { runId, status } = await runtime.run({ objective: "add notes to the world" });
    expect(status).toBe("completed");
    const manifest = await client.manifest.list({});
    const canonical = new Set(manifest.tools.map(({ name }) => name)).add("tools.search");
    expect(shown().flat().length).toBeGreaterThan(4);
    expect(
      shown()
        .flat()
        .filter((name) => !canonical.has(name)),
    ).toStrictEqual([]);
    const calls = (await records(runId)).filter(({ kind }) => /^call\.(?:intended|refused)$/.test(kind));
    expect(calls).toMatchObject([
      { kind: "call.intended", tool: "notes.add", toolDigest: digestOf(manifest.tools, "notes.add") },
      { kind: "call.refused", tool: "notes_add", error: { code: "unknown_tool" } },
      { kind: "call.refused", tool: "Notes.add", error: { code: "unknown_tool" } },
    ]);
    expect(sentIn(sent)).toStrictEqual(["POST /api/notes"]);
    expect(await calledOn(house)).toStrictEqual(["notes.add"]);
  });

  // proves RUN-2.13, RUN-3.9, RUN-3.10, RUN-3.11, RUN-3.12, RUN-3.13, RUN-3.14, RUN-9.12, RUN-9.13, RUN-16.3
  test("broad names are rejected", async () => {
    const { runtime, house, apiKey, model, sent, records } = await scene(way, {
      policy: unasked,
      says: [broadNames.map((name) => ({ name })), "done"],
    });
    for (const name of broadNames)
      expect(await rejectionOf(runtime.run({ objective: "look", tools: [name] }))).toMatchObject({
        code: "unknown_tool",
      });
    for (const name of ["get_world_state", "get_regime_history", "events.search"]) {
      const tools = { mode: "preload-only", preload: ["world.read", name] } as const;
      const preloading = await runtimeOver(house, { apiKey, way, tools });
      expect(await rejectionOf(preloading.runtime.run({ objective: "look" }))).toMatchObject({
        code: "unknown_tool",
      });
    }
    expect(model.asked).toStrictEqual([]);
    const { runId } = await runtime.run({ objective: "look" });
    const calls = (await records(runId)).filter(({ kind }) => kind.startsWith("call."));
    expect(calls).toMatchObject(
      broadNames.map((tool) => ({ kind: "call.refused", tool, error: { code: "unknown_tool" } })),
    );
    expect([sentIn(sent), await calledOn(house)]).toStrictEqual([[], []]);
  });

  // proves RUN-9.3, RUN-9.4, RUN-9.5, RUN-16.4
  test("model adapter receives only policy-approved tool candidates", async () => {
    const policies: AgentPolicy[] = [
      bounds,
      { ...bounds, maxCostEffect: "api_cost" },
      { ...writes, denyTools: ["notes.*"] },
      { ...writes, allowTools: ["notes.add", "world.read", "tools.search"], deny: ["world:use"] },
      { ...writes, maxSideEffect: "paper_trade", allow: ["paper:use", "brief:use"] },
    ];
    const approved = [
      "calendar.list manifest.get manifest.list markets.screen portfolio.state research.query runtime.status world.read",
      "calendar.list manifest.get manifest.list portfolio.state runtime.status world.read",
      "brief.write calendar.list manifest.get manifest.list markets.screen portfolio.state research.query runtime.status sessions.touch world.read",
      "notes.add",
      "brief.write calendar.list manifest.get manifest.list paper.order",
    ];
    const house = await testPlatform(way);
    const apiKey = await house.key("acct_1");
    const all = house.platform.manifest.tools.map(({ name }) => name);
    for (const [index, policy] of policies.entries()) {
      const may = new Set(approved[index]?.split(" "));
      for (const mode of ["manifest-search", "preload-only", "explicit"] as const) {
        const { runtime, model, shown } = await runtimeOver(house, {
          way,
          apiKey,
          policy,
          tools: { mode, preload: all },
          says: [
            [{ name: "tools.search", args: { query: "class none write order open", limit: 20 } }],
            "done",
          ],
        });
        await runtime.run({ objective: "look", ...(mode === "explicit" && { tools: all }) });
        const seen = shown().map((names) => names.filter((name) => name !== "tools.search"));
        expect(seen.map((names) => new Set(names))).toStrictEqual([may, may]);
        const found = JSON.stringify(model.asked.at(-1)?.messages.at(-1)?.text);
        const more = all.filter((name) => found.includes(`\\"${name}\\"`) && !may.has(name));
        expect(more).toStrictEqual([]);
      }
    }
  });

  // proves RUN-4.9, RUN-11.7, RUN-11.8, RUN-12.5, RUN-12.6, RUN-16.5
  test("maxSideEffect and maxCostEffect are enforced before tool execution", async () => {
    const house = await testPlatform(way);
    const apiKey = await house.key("acct_1");
    const { tools } = house.platform.manifest;
    const calls = ["notes.add", "brief.write", "sessions.touch", "markets.screen"];
    const ceilings = [
      ["none", "llm_cost"],
      ["auth_telemetry_write", "llm_cost"],
      ["user_write", "llm_cost"],
      ["user_write", "venue_request_cost"],
      ["user_write", "api_cost"],
      ["none", "none"],
    ] as const;
    for (const [maxSideEffect, maxCostEffect] of ceilings) {
      const before = (await calledOn(house)).length;
      const { runtime, model, sent } = await runtimeOver(house, {
        way,
        apiKey,
        policy: { ...unasked, maxSideEffect, maxCostEffect },
        says: [calls.map((name) => ({ name })), "done"],
      });
      await runtime.run({ objective: "do it" });
      const whyNot = calls.map((name) => {
        const { sideEffect, costEffect } = tools.find((tool) => tool.name === name) ?? unknown(name);
        if (sideEffectRank(sideEffect) > sideEffectRank(maxSideEffect)) return "maxSideEffect";
        return costEffectRank(costEffect) > costEffectRank(maxCostEffect) ? "maxCostEffect" : undefined;
      });
      const allowed = calls.filter((_, index) => whyNot[index] === undefined);
      expect((await calledOn(house)).slice(before)).toStrictEqual(allowed);
      expect(sentIn(sent)).toHaveLength(allowed.length);
      const told = model.asked[1]?.messages.slice(-calls.length).map(({ text }) => text);
      expect(told).toMatchObject(whyNot.map((why) => expect.stringContaining(why ?? '"tool"')));
    }
  });

  // proves RUN-7.6, RUN-12.10, RUN-13.2, RUN-16.6
  test("approval-required runs stop before tool execution", async () => {
    const { runtime, house, sent, operator, model, records } = await scene(way, {
      policy: writes,
      says: [[note], "done"],
    });
    const rest = await runtime.run({ objective: "add a note" });
    expect(rest).toMatchObject({ status: "requires_approval", approvals: [{ status: "pending" }] });
    expect((await records(rest.runId)).map(({ kind }) => kind)).toStrictEqual([
      "run.opened",
      "model.intended",
      "model.settled",
      "call.waiting",
    ]);
    expect([sentIn(sent), await calledOn(house), model.asked.length]).toStrictEqual([[], [], 1]);
    const [question] = await operator.list();
    expect(question).toMatchObject({
      approvalId: rest.approvals[0]?.approvalId,
      tool: "notes.add",
      input: note.args,
    });
    await operator.approve(rest.approvals[0]?.approvalId ?? "");
    expect(await runtime.resume(rest.runId)).toMatchObject({ status: "completed", output: "done" });
    expect([sentIn(sent), await calledOn(house)]).toStrictEqual([["POST /api/notes"], ["notes.add"]]);
  });

  // proves RUN-14.2, RUN-16.7
  test("replay-only mode never calls live", async () => {
    const live = await scene(way, { policy: unasked, says: [[note, { name: "world.read" }], "done"] });
    const recorded = await live.runtime.run({ objective: "add a note" });
    const text = await live.trace.text();
    const called = await calledOn(live.house);
    expect(called).toStrictEqual(["notes.add", "world.read"]);
    const says = (...calls: Proposal[]): RuntimeTerms => ({ says: [calls, "done"] });
    const { output } = recorded;
    const replays: readonly (readonly [RuntimeTerms, RuntimeRunInput, object])[] = [
      [{ modelReplay: true }, { objective: "add a note" }, { status: "completed", output }],
      [
        { modelReplay: true },
        { objective: "add another note" },
        { status: "failed", error: { code: "replay_miss" } },
      ],
      [says(note), { objective: "something else" }, { status: "completed" }],
      [says({ ...note, args: { text: "tea" } }), { objective: "tea" }, { status: "completed" }],
      [
        says({ name: "research.query" }, { name: "paper.order" }),
        { objective: "x" },
        { status: "completed" },
      ],
    ];
    for (const [terms, input, end] of replays) {
      // With a key, and every reason to go and ask.
      const { runtime, sent, model } = await runtimeOver(live.house, {
        way,
        apiKey: live.apiKey,
        policy: unasked,
        mode: "replayOnly",
        replay: [text],
        ...terms,
      });
      expect(await runtime.run(input)).toMatchObject(end);
      expect([sent, model.asked.length]).toStrictEqual([[], terms.modelReplay === true ? 0 : 2]);
    }
    expect(await calledOn(live.house)).toStrictEqual(called);
    const online = { name: "online", complete: () => Promise.reject(new Error("asked")) };
    const policy = bounds;
    expect(
      () => new SimpleFunctionsRuntime({ mode: "replayOnly", replay: [text], policy, model: online }),
    ).toThrow(/offline/);
  });

  // proves RUN-14.4, RUN-14.5, RUN-16.8
  test("trace redaction covers model context and tool inputs", async () => {
    const keys = ["objective", "context", "instructions", "argument"].map(
      (place, index) => `sk-proj-${place}${index}${"Ab1".repeat(14)}`,
    );
    const [inObjective, inContext, inInstructions, inArgument] = keys;
    const words = "correct horse battery";
    const { runtime, trace, model, house } = await scene(way, {
      policy: unasked,
      instructions: `Never say ${inInstructions}.`,
      says: [[{ name: "notes.add", args: { text: "with it", password: inArgument ?? "" } }], "done"],
    });
    const { status } = await runtime.run({
      objective: `Log in with ${inObjective}.`,
      context: { key: inContext, account: { password: words, token: [words] } },
    });
    expect(status).toBe("completed");
    // The tool itself has it as it was said.
    expect(house.deeds).toMatchObject([{ input: { text: "with it", password: inArgument } }]);
    const text = await trace.text();
    const prompts = JSON.stringify(model.asked.map(({ messages }) => messages));
    for (const secret of [...keys, words]) {
      expect(text).not.toContain(secret);
      expect(prompts).not.toContain(secret);
    }
    expect(text).toContain("[redacted:");
    expect(prompts).toContain("[redacted:");
    expect(prompts).toContain("Log in with");
  });
});

type TradingHouse = {
  readonly house: TestPlatform;
  readonly order: JsonObject;
  readonly key: Parameters<TestPlatform["key"]>[1];
  readonly trade: NonNullable<AgentPolicy["trade"]>;
};

const testTrade = { allowedVenues: ["kalshi"], maxOrderCostCents: 1000, maxQuantity: 10, dryRunOnly: false };

const testPack = async (way: Way): Promise<TradingHouse> => ({
  house: await testPlatform(way),
  order: { venue: "kalshi", side: "yes", quantity: 1, limitPriceCents: 1, dryRun: true },
  key: { scopes: ["read", "write", "trade", "admin"], trade: testTrade },
  trade: testTrade,
});

const markets = async (way: Way): Promise<TradingHouse> => {
  const house = await marketsHouse(way);
  const order = soundInputs(house.ticker)["execution.place"] as JsonObject;
  return { house, order, key: mighty, trade: marketsTrade };
};

const houses: readonly (readonly [string, Way, (way: Way) => Promise<TradingHouse>])[] = [
  ["the test pack", "socket", testPack],
  ["the test pack", "embedded", testPack],
  ["the markets", "embedded", markets],
];

const allow = (): HookAnswer => ({ outcome: "allow" });

describe.each(houses)("on %s (%s)", (_, way, open) => {
  // proves KEY-12.7
  // proves RUN-1.9, RUN-2.14, RUN-3.7, RUN-11.10, RUN-12.15, RUN-16.9
  test("no live trading tool can be enabled", async () => {
    const { house, order, key, trade } = await open(way);
    const apiKey = await house.key("acct_1", key);
    const place = { name: "execution.place", args: order };
    const everything: AgentPolicy = {
      ...bounds,
      maxSideEffect: "live_trade",
      maxCostEffect: "llm_cost",
      trade,
      allow: ["execution:place"],
      allowTools: ["execution.place", "execution.*", "tools.search"],
      approvals: { requireForSideEffectAtOrAbove: "live_trade", approvers: ["boss", "agent"] },
    };
    const { allow: _permissions, ...anyPermission } = everything;
    const always = { beforeModel: allow, afterModel: allow, beforeToolCall: allow, afterToolCall: allow };
    const rewrite = { outcome: "allow", patch: [{ op: "add", path: "/confirm", value: "yes" }] } as const;
    const ask = { name: "tools.search", args: { query: "place a live order execution trade", limit: 20 } };
    const attempts: readonly (readonly [RuntimeTerms, Partial<RuntimeRunInput>])[] = [
      [{ policy: everything }, {}],
      [{ policy: anyPermission }, { policy: anyPermission }],
      [{ policy: anyPermission, hooks: { ...always, onApproval: allow, onStop: allow } }, {}],
      [{ policy: anyPermission, hooks: { beforeToolCall: () => rewrite } }, {}],
      [{ policy: anyPermission, canUseTool: () => true }, {}],
      [{ policy: anyPermission, canUseTool: allow, evaluatePreTool: allow, evaluatePostTool: allow }, {}],
      [{ policy: anyPermission, tools: { mode: "explicit" } }, { tools: ["execution.place"] }],
      [{ policy: anyPermission, tools: { mode: "preload-only", preload: ["execution.place"] } }, {}],
      [{ policy: anyPermission, tools: { mode: "manifest-search", preload: ["execution.place"] } }, {}],
      [{ policy: anyPermission }, { tools: ["execution.place"] }],
      [{ policy: anyPermission }, { sessionId: "trading" }],
    ];
    for (const [terms, input] of attempts) {
      const { runtime, sent, shown, records, operator, model } = await runtimeOver(house, {
        way,
        apiKey,
        script: ({ messages }) => (messages.at(-1)?.role === "user" ? [place, ask] : "done"),
        ...terms,
      });
      const runs = input.sessionId === undefined ? 1 : 2;
      for (let run = 0; run < runs; run += 1) {
        const { runId, status } = await runtime.run({ objective: "place a live order", ...input });
        expect(status).toBe("completed");
        const placed = (await records(runId)).filter(
          (one) => "tool" in one && one.tool === "execution.place",
        );
        expect(new Set(placed.map(({ kind }) => kind))).toStrictEqual(new Set(["call.refused"]));
      }
      expect(shown().flat()).not.toContain("execution.place");
      expect(JSON.stringify(model.asked.map(({ messages }) => messages))).not.toContain(
        '\\"name\\":\\"execution.place',
      );
      expect(await operator.list({ status: "any" })).toStrictEqual([]);
      expect(sentIn(sent)).toStrictEqual([]);
    }
    expect(await calledOn(house)).not.toContain("execution.place");
  });
});

function unknown(name: string): never {
  throw new Error(`there is no ${name}`);
}

function digestOf(tools: readonly { readonly name: string; readonly digest: string }[], name: string) {
  return tools.find((tool) => tool.name === name)?.digest;
}
