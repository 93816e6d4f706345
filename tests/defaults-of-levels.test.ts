// G2: a default is filled into the level of whoever opened the caller, before levels are combined: a level that says more than the default
// raises nothing, and what a host says holds under levels that say nothing. At every entry.
import { defineTool, govern } from "@spfunctions/agent";
import { Spectator } from "@spfunctions/agent/spectator";
import { SimpleFunctionsRuntime, subagent } from "@spfunctions/agent/v1";
import type { AgentPolicy, Approval } from "@spfunctions/contracts";
import {
  createMemoryStore,
  type ModelAdapter,
  newInstallationSecret,
  openInstallation,
  openOperator,
  type Store,
} from "@spfunctions/kernel";
import { openPlatform } from "@spfunctions/server";
import { describe, expect, test } from "vitest";
import { made, secretIn } from "../packages/cli/test-data/keys-home.ts";
import { Home, notesPack, routedPack } from "../packages/cli/test-data/run-sf.ts";
import { startUp } from "../packages/cli/test-data/run-up.ts";

const installation = openInstallation(newInstallationSecret());
const principal = { accountId: "office", keyId: "clerk", scopes: ["read", "write"], kind: "key" } as const;
const boss = { accountId: "office", keyId: "boss", scopes: ["admin"], kind: "operator" } as const;
const hour = 3_600_000;
const year = 366 * 24 * hour;
const fromWrites = { requireForSideEffectAtOrAbove: "user_write" } as const;

const write = defineTool({
  name: "notes.write",
  description: "Keeps a note.",
  input: { type: "object" },
  output: {},
  permissions: ["notes"],
  sideEffect: "user_write",
  costEffect: "none",
  http: { method: "POST", path: "/api/written" },
  run: () => ({ kept: true }),
});

function timeOf({ createdAt, expiresAt }: Pick<Approval, "createdAt" | "expiresAt">): number {
  return Date.parse(expiresAt) - Date.parse(createdAt);
}

async function timesOf(store: Store): Promise<number[]> {
  return (await openOperator({ store, installation, principal: boss }).list()).map(timeOf);
}

describe("a question waits no longer than whoever opened the caller says, an hour where they say nothing:", () => {
  test.each<[string, number | undefined, number]>([
    ["nothing", undefined, hour],
    ["two hours", 2 * hour, 2 * hour],
  ])("a program that says %s", async (_, ttlMs, expected) => {
    const store = createMemoryStore();
    const approvals = { ...fromWrites, ...(ttlMs !== undefined && { ttlMs }) };
    const office = govern({
      packs: [[write]],
      policy: { maxSideEffect: "user_write", approvals },
      principal,
      store,
      installation,
    });
    await expect(office.call("notes.write", {})).rejects.toMatchObject({ code: "approval_required" });
    expect(await timesOf(store)).toStrictEqual([expected]);
  });

  const cases: [name: string, AgentPolicy | undefined, number | undefined, number][] = [
    ["a platform with no policy, by a key that says a year", undefined, year, hour],
    ["a platform with no policy, by a key that says a minute", undefined, 60_000, 60_000],
    ["a platform with a policy without a time, by a key that says a year", {}, year, hour],
    [
      "a platform with a policy of two hours, by a key that says a year",
      { approvals: { ttlMs: 2 * hour } },
      year,
      2 * hour,
    ],
    [
      "a platform with a policy of two hours, by a key that says nothing",
      { approvals: { ttlMs: 2 * hour } },
      undefined,
      2 * hour,
    ],
  ];
  test.each(cases)("%s, over HTTP", async (_, policy, ttlMs, expected) => {
    const store = createMemoryStore();
    const platform = await openPlatform({
      store,
      installation,
      packs: [[write]],
      ...(policy && { policy: { maxSideEffect: "user_write", ...policy } }),
    });
    const approvals = { ...fromWrites, ...(ttlMs !== undefined && { ttlMs }) };
    const key = await platform.createKey("office", { name: "k", scopes: ["read", "write"], approvals });
    const answer = await platform.fetch(
      new Request("http://localhost/api/written", {
        method: "POST",
        headers: { authorization: `Bearer ${key.secret}`, "content-type": "application/json" },
        body: "{}",
      }),
    );
    expect(await answer.json()).toMatchObject({ error: { code: "approval_required" } });
    expect(await timesOf(store)).toStrictEqual([expected]);
    await platform.close();
  });

  test("sf up, by a key that sf keys create has made and that says a year", async () => {
    const home = new Home();
    const up = await startUp(home, ["--port", "0", "--no-markets", "--pack", routedPack]);
    home.write("asking.json", { ...fromWrites, ttlMs: year });
    const { file } = await made(home, "--scope", "write", "--approvals", "asking.json");
    const answer = await fetch(`${up.url}/api/routed`, {
      method: "POST",
      headers: { authorization: `Bearer ${secretIn(file)}`, "content-type": "application/json" },
      body: JSON.stringify({ text: "milk" }),
    });
    expect(await answer.json()).toMatchObject({ error: { code: "approval_required" } });
    const { out } = await home.run(["approvals", "ls", "--json"]);
    expect((JSON.parse(out) as { approvals: Approval[] }).approvals.map(timeOf)).toStrictEqual([hour]);
  });

  test.each<[string, number | undefined, number]>([
    ["nothing", undefined, hour],
    ["two hours", 2 * hour, 2 * hour],
  ])("sf call, whose policy says %s", async (_, ttlMs, expected) => {
    const home = new Home();
    const approvals = { ...fromWrites, ...(ttlMs !== undefined && { ttlMs }) };
    home.write("policy.json", { maxSideEffect: "user_write", approvals });
    const input = JSON.stringify({ text: "milk" });
    await home.run(["call", "notes.add", "--pack", notesPack, "--policy", "policy.json", "--input", input]);
    const { out } = await home.run(["approvals", "ls", "--json"]);
    expect((JSON.parse(out) as { approvals: Approval[] }).approvals.map(timeOf)).toStrictEqual([expected]);
  });

  test.each<[string, number | undefined, number | undefined, number]>([
    ["nothing, and its run a year", undefined, year, hour],
    ["two hours, and its run a year", 2 * hour, year, 2 * hour],
    ["two hours, and its run nothing", 2 * hour, undefined, 2 * hour],
  ])("a runtime that says %s", async (_, own, run, expected) => {
    const store = createMemoryStore();
    await using runtime = runtimeOf({
      store,
      policy: { approvals: { ...fromWrites, ...(own && { ttlMs: own }) } },
    });
    const policy = { ...ceilings, approvals: { ...(run && { ttlMs: run }) } };
    const rest = await runtime.run({ objective: "write", policy });
    expect(rest.status).toBe("requires_approval");
    expect(await timesOf(store)).toStrictEqual([expected]);
  });

  test("a subagent's own policy", async () => {
    const store = createMemoryStore();
    const child = subagent({
      name: "writer",
      objective: "Write.",
      tools: ["notes.write"],
      policy: { ...ceilings, approvals: { ttlMs: year } },
      budget: { maxSteps: 4, maxToolCalls: 2 },
      route: { type: "use_allowed_override", routeId: "child", modelId: "proposer" },
    });
    await using runtime = runtimeOf({
      store,
      packs: [[write], child],
      model: { ...proposing("subagent.writer", { task: "write" }), name: "parent" },
      routes: { child: proposing("notes.write") },
      policy: { approvals: fromWrites },
    });
    expect((await runtime.run({ objective: "write" })).status).toBe("requires_approval");
    expect(await timesOf(store)).toStrictEqual([hour]);
  });

  test.each<[string, number | undefined, number]>([
    ["nothing", undefined, hour],
    ["two hours", 2 * hour, 2 * hour],
  ])("a long-lived agent that says %s", async (_, ttlMs, expected) => {
    const store = createMemoryStore();
    const calls = JSON.stringify([{ id: "t1", tool: "notes.write", args: {} }]);
    const agent = new Spectator({
      model: saying(`Writing. <<<TOOL_CALLS_JSON>>>${calls}<<<END_TOOL_CALLS_JSON>>>`),
      packs: [[write]],
      policy: { ...ceilings, approvals: { ...fromWrites, ...(ttlMs !== undefined && { ttlMs }) } },
      principal,
      store,
      installation,
    });
    const turn = await (await agent.open("monday")).turn("write");
    expect(turn.status).toBe("requires_approval");
    expect(await timesOf(store)).toStrictEqual([expected]);
    await agent.close();
  });
});

describe("a run starts no more children, and no deeper ones, than its host says, one where it says nothing:", () => {
  const many = { maxChildren: 5, maxDepth: 5 } as const;
  test.each<[string, object, object, number]>([
    ["a silent host, and a run that says 5", {}, many, 1],
    ["a host that says 5, and a run that says nothing", many, {}, 3],
    ["a host that says 5, and a run that says 2", many, { maxChildren: 2 }, 2],
    ["a host that says nothing, and a run that says 0", {}, { maxChildren: 0 }, 0],
  ])("%s", async (_, own, run, expected) => {
    const child = subagent({ name: "helper", objective: "Help." });
    const started = Array.from({ length: 3 }, (_each, index) => ({
      id: `c${index}`,
      name: "subagent.helper",
      args: { task: "look" },
    }));
    await using runtime = runtimeOf({
      packs: [[write], child],
      model: {
        ...saying("done"),
        complete: async ({ messages }) => {
          const isFirst = messages.every(({ role }) => role === "user");
          return {
            ...spoken(isFirst ? "" : "done"),
            ...(isFirst && { toolCalls: started, finish: "tool_calls" }),
          } as never;
        },
      },
      policy: { budget: { ...bounds, ...own } },
    });
    const { children = [] } = await runtime.run({
      objective: "have it done",
      policy: { ...ceilings, budget: run },
    });
    expect(children).toHaveLength(expected);
  });
});

const ceilings = { maxSideEffect: "user_write", maxCostEffect: "llm_cost" } as const;
const bounds = { maxSteps: 20, maxToolCalls: 20 } as const;

type Given = Partial<ConstructorParameters<typeof SimpleFunctionsRuntime>[0]>;

function runtimeOf({ policy, ...given }: Given): SimpleFunctionsRuntime {
  return new SimpleFunctionsRuntime({
    packs: [[write]],
    model: proposing("notes.write"),
    principal,
    installation,
    policy: {
      ...ceilings,
      budget: bounds,
      session: { persist: true, ttlMs: 24 * hour, maxHistoryTokens: 32_000 },
      ...policy,
    },
    ...given,
  });
}

function spoken(text: string) {
  return { text, toolCalls: [], finish: "stop", usage: { inputTokens: 10, outputTokens: 5 } } as const;
}

function saying(text: string): ModelAdapter {
  return { name: "proposer", offline: true, complete: async () => spoken(text) };
}

/** Proposes one call in its first answer, and then says it is done. */
function proposing(name: string, args: object = {}): ModelAdapter {
  return {
    name: "proposer",
    offline: true,
    complete: async ({ messages }) =>
      messages.some(({ role }) => role === "tool")
        ? spoken("done")
        : ({ ...spoken(""), toolCalls: [{ id: "c1", name, args }], finish: "tool_calls" } as never),
  };
}
