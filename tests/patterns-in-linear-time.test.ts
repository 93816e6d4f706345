// A pattern of a contract is run in time that grows with the text, at every entry. Nothing here has a clock: where an engine
// backtracks, these tests do not end.
import { defineTool, govern, SimpleFunctionsAgent } from "@spfunctions/agent";
import { SimpleFunctionsRuntime } from "@spfunctions/agent/v1";
import {
  createMemoryStore,
  type ModelAdapter,
  newInstallationSecret,
  openInstallation,
  type Store,
} from "@spfunctions/kernel";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";
import { describe, expect, test } from "vitest";
import { z } from "zod";

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
  pack: (typeof lookUps)[number],
  toolCalls: readonly object[],
  last: string,
): SimpleFunctionsRuntime {
  const usage = { inputTokens: 10, outputTokens: 5 };
  const model: ModelAdapter = {
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
  return new SimpleFunctionsRuntime({
    packs: [pack],
    model,
    principal,
    installation,
    store,
    policy: {
      maxCostEffect: "llm_cost",
      budget: { maxSteps: 8, maxToolCalls: 8 },
      session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
    },
  });
}
