// A pattern of a contract is run in time that grows with the text, at every entry. Nothing here has a clock: where an engine
// backtracks, these tests do not end.
import { defineTool, govern, SimpleFunctionsAgent } from "@spfunctions/agent";
import { Spectator } from "@spfunctions/agent/spectator";
import { SimpleFunctionsRuntime, subagent } from "@spfunctions/agent/v1";
import {
  createMemoryStore,
  type ModelAdapter,
  newInstallationSecret,
  openInstallation,
  type Pack,
  type Store,
} from "@spfunctions/kernel";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Home } from "../packages/cli/test-data/run-sf.ts";

const installation = openInstallation(newInstallationSecret());
const principal = { accountId: "office", keyId: "clerk", scopes: ["read", "write"], kind: "key" } as const;
const pattern = "^([a-zA-Z0-9]+\\s?)+$";
const text = `${"a".repeat(60)}!`;

const schemas = [
  { type: "object", properties: { text: { type: "string", pattern } }, additionalProperties: false },
  z.object({ text: z.string().regex(new RegExp(pattern, "i")) }),
] as const;

const lookUps = schemas.map((input) => [
  defineTool({
    name: "notes.find",
    description: "Finds a note.",
    input,
    output: {},
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    risk: ["account_context"],
    http: { method: "POST", path: "/api/find" },
    run: () => ({ found: 0 }),
  }),
]);

describe.each([
  ["JSON Schema", lookUps[0] ?? []],
  ["zod", lookUps[1] ?? []],
])("what a pattern of %s refuses is refused", (_, pack) => {
  test("by the library", async () => {
    const office = govern({ packs: [pack], policy: {}, principal });
    await expect(office.call("notes.find" as never, { text })).rejects.toMatchObject({
      code: "invalid_input",
    });
    expect(office.explain("notes.find" as never, { text })).toMatchObject({ gate: "input" });
  });

  test("by a platform over HTTP, and by the runner that calls it", async () => {
    const platform = await openPlatform({ store: createMemoryStore(), installation, packs: [pack] });
    const key = await platform.createKey("office", { name: "k", scopes: ["read"] });
    const answer = await platform.fetch(
      new Request("http://localhost/api/find", {
        method: "POST",
        headers: { authorization: `Bearer ${key.secret}`, "content-type": "application/json" },
        body: JSON.stringify({ text }),
      }),
    );
    expect(await answer.json()).toMatchObject({ ok: false, error: { code: "invalid_input" } });
    const client = connectEmbedded(platform, { apiKey: key.secret });
    await expect(client.call("notes.find", { text })).rejects.toMatchObject({ code: "invalid_input" });
    const agent = new SimpleFunctionsAgent({ client, policy: {}, store: createMemoryStore(), installation });
    await expect(agent.call("notes.find", { text })).rejects.toMatchObject({ code: "invalid_input" });
    await agent.close();
    await platform.close();
  });

  test("when a model calls it", async () => {
    const store = createMemoryStore();
    const runtime = runtimeSaying(store, pack, [{ id: "c1", name: "notes.find", args: { text } }], "done");
    const { status, runId } = await runtime.run({ objective: "find" });
    expect(status).toBe("completed");
    expect(await refusedIn(store, runId)).toStrictEqual(["invalid_input"]);
    await runtime.close();
  });

  test("when a subagent's model calls it", async () => {
    const store = createMemoryStore();
    const child = subagent({
      name: "finder",
      objective: "Find it.",
      tools: ["notes.find"],
      budget: { maxSteps: 4, maxToolCalls: 2 },
      route: { type: "use_allowed_override", routeId: "child", modelId: "child" },
    });
    const calls = (name: string, args: object) => [{ id: "c1", name, args }];
    await using runtime = runtimeSaying(
      store,
      [...pack, child],
      calls("subagent.finder", { task: "find" }),
      "done",
      { child: { ...modelSaying(calls("notes.find", { text }), "done"), name: "child" } },
    );
    const { status, children = [] } = await runtime.run({ objective: "find" });
    expect([status, children.length]).toStrictEqual(["completed", 1]);
    expect(await refusedIn(store, children[0]?.runId ?? "")).toStrictEqual(["invalid_input"]);
  });

  test("when a long-lived agent calls it", async () => {
    const store = createMemoryStore();
    await using agent = new Spectator({
      model: modelSaying([{ id: "c1", name: "notes.find", args: { text } }], "done"),
      toolCalling: "native",
      packs: [pack],
      policy: {},
      principal,
      store,
      installation,
    });
    const { status, runId } = await (await agent.open("monday")).turn("find");
    expect(status).toBe("completed");
    expect(await refusedIn(store, runId)).toStrictEqual(["invalid_input"]);
  });
});

test("what a pattern refuses is refused by sf call and sf explain", async () => {
  const home = new Home();
  home.write(
    "pack.mjs",
    `import { defineTool } from ${JSON.stringify(import.meta.resolve("@spfunctions/kernel"))};
export const tools = [defineTool({ name: "notes.find", description: "Finds a note.",
  input: { type: "object", properties: { text: { type: "string", pattern: ${JSON.stringify(pattern)} } } },
  output: {}, permissions: [], sideEffect: "none", costEffect: "none", run: () => ({ found: 0 }) })];`,
  );
  for (const command of ["call", "explain"]) {
    const argv = [command, "notes.find", "--input", JSON.stringify({ text }), "--pack", "./pack.mjs"];
    const { code, out, err } = await home.run(argv);
    expect([code, out + err]).toStrictEqual([3, expect.stringContaining("must match pattern")]);
  }
});

test("what a model answers with is held against a pattern, too", async () => {
  const runtime = runtimeSaying(createMemoryStore(), [], [], JSON.stringify({ text }));
  const output = z.object({ text: z.string().regex(new RegExp(pattern)) });
  const { status } = await runtime.run({ objective: "say", output });
  expect(status).toBe("failed");
  await runtime.close();
});

/** The codes of a run's refused calls, as its journal has them. */
async function refusedIn(store: Store, runId: string): Promise<unknown[]> {
  const records = await store.readStream({ stream: runId, accountId: principal.accountId, limit: 100 });
  return records
    .map(({ text: kept }) => JSON.parse(kept) as { kind?: string; verdict?: { code?: string } })
    .filter(({ kind }) => kind === "call.refused")
    .map(({ verdict }) => verdict?.code);
}

function runtimeSaying(
  store: Store,
  pack: Pack,
  toolCalls: readonly object[],
  last: string,
  routes: { readonly [routeId: string]: ModelAdapter } = {},
): SimpleFunctionsRuntime {
  return new SimpleFunctionsRuntime({
    packs: [pack],
    model: modelSaying(toolCalls, last),
    routes,
    principal,
    installation,
    store,
    policy: {
      maxCostEffect: "llm_cost",
      budget: { maxSteps: 8, maxToolCalls: 8, maxChildren: 1 },
      session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
    },
  });
}

function modelSaying(toolCalls: readonly object[], last: string): ModelAdapter {
  const usage = { inputTokens: 10, outputTokens: 5 };
  return {
    name: "proposer",
    offline: true,
    complete: async ({ messages }) => {
      const isFirst = toolCalls.length > 0 && !messages.some(({ role }) => role === "tool");
      return {
        text: isFirst ? "" : last,
        toolCalls: isFirst ? toolCalls : [],
        finish: isFirst ? "tool_calls" : "stop",
        usage,
      } as never;
    },
  };
}
