// S1: a secret that only its name gives away is hidden at every entry, wherever it is said again without its name, and also where the text is
// percent-encoded: in what a caller, a model and an operator see, and in everything that is kept.
import { defineTool, govern, SimpleFunctionsAgent } from "@spfunctions/agent";
import { Spectator } from "@spfunctions/agent/spectator";
import { SimpleFunctionsRuntime, subagent } from "@spfunctions/agent/v1";
import {
  createMemoryStore,
  type ModelAdapter,
  newInstallationSecret,
  openInstallation,
} from "@spfunctions/kernel";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Home } from "../packages/cli/test-data/run-sf.ts";
import { keptText } from "../packages/kernel/test-data/call-desk.ts";

const installation = openInstallation(newInstallationSecret());
const principal = { accountId: "office", keyId: "clerk", scopes: ["read", "write"], kind: "local" } as const;
const secret = "vK3nQ8sLw2Zr7Tm5";
const policy = { maxSideEffect: "user_write" } as const;
const runPolicy = {
  ...policy,
  maxCostEffect: "llm_cost",
  budget: { maxSteps: 8, maxToolCalls: 8, maxChildren: 2, maxDepth: 1 },
  session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
} as const;

/** Answers with what it was given where that is a note, and throws it where it is a fault. */
const notes = [
  defineTool({
    name: "notes.add",
    description: "Says a note.",
    input: { type: "object", properties: { text: { type: "string" }, isFault: { type: "boolean" } } },
    output: {},
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    http: { method: "POST", path: "/api/notes" },
    run: (given) => {
      const { text, isFault } = given as { readonly text?: string; readonly isFault?: boolean };
      if (isFault === true) throw new Error(`${text}`, { cause: { body: [text] } });
      return { added: text };
    },
  }),
];

/** What is thrown, with all that it says. */
const thrownBy = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown as Error & { toJSON?: () => unknown },
  );
  expect(error).toBeDefined();
  return [error?.message, error?.stack, JSON.stringify(error), String(error?.cause)].join("\n");
};

/** Makes one call, and then says what it was told. */
const saying = (name: string, args: object, text: string, asked: string[]): ModelAdapter => ({
  name: "speaker",
  offline: true,
  complete: async ({ messages }) => {
    asked.push(JSON.stringify(messages));
    const usage = { inputTokens: 10, outputTokens: 5 };
    const isFirst = !messages.some(({ role }) => role === "tool");
    if (!isFirst) return { text, toolCalls: [], finish: "stop", usage };
    return { text, toolCalls: [{ id: "c1", name, args }], finish: "tool_calls", usage } as never;
  },
});

describe.each([
  [
    "a secret that is named once is hidden wherever it is said again",
    `sent ${secret}, where API_KEY=${secret}`,
  ],
  ["a name and a value that are percent-encoded are read", `/n?note=API_TOKEN%20%3D%20%22${secret}%22`],
])("%s", (_, text) => {
  const faulty = { text, isFault: true };

  test("by the library", async () => {
    const store = createMemoryStore();
    const office = govern({ packs: [notes], policy, principal, store, installation });
    const { receipt } = await office.call("notes.add", { text });
    const thrown = await thrownBy(office.call("notes.add", faulty));
    await office.close();
    expect([JSON.stringify(receipt), thrown, await keptText(store, "office")].join("\n")).not.toContain(
      secret,
    );
  });

  test("by a platform over HTTP, and by a direct runner on both sides", async () => {
    const store = createMemoryStore();
    const log: string[] = [];
    const platform = await openPlatform({
      store,
      installation,
      packs: [notes],
      log: (line) => void log.push(JSON.stringify(line)),
    });
    const key = await platform.createKey("office", { scopes: ["read", "write"] });
    const answer = await platform.fetch(
      new Request("http://localhost/api/notes", {
        method: "POST",
        headers: { authorization: `Bearer ${key.secret}`, "content-type": "application/json" },
        body: JSON.stringify(faulty),
      }),
    );
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const own = createMemoryStore();
    await using agent = new SimpleFunctionsAgent({
      client: connectEmbedded(platform, { apiKey: key.secret }),
      policy,
      store: own,
      installation,
    });
    await agent.call("notes.add", { text });
    const thrown = await thrownBy(agent.call("notes.add", faulty));
    await platform.close();
    const kept = [await keptText(store, "office"), await keptText(own, "local")];
    expect([await answer.text(), thrown, ...log, ...kept].join("\n")).not.toContain(secret);
  });

  test("by a runtime and its subagent: in an objective, a task, what a model says and what a tool throws", async () => {
    const [store, asked]: [ReturnType<typeof createMemoryStore>, string[]] = [createMemoryStore(), []];
    const child = subagent({
      name: "writer",
      objective: "Write what you are told.",
      tools: ["notes.add"],
      budget: { maxSteps: 4, maxToolCalls: 2 },
      route: { type: "use_allowed_override", routeId: "child", modelId: "speaker" },
    });
    await using runtime = new SimpleFunctionsRuntime({
      packs: [notes, child],
      model: { ...saying("subagent.writer", { task: text }, text, asked), name: "parent" },
      routes: { child: saying("notes.add", faulty, text, asked) },
      principal: { ...principal, kind: "key" },
      store,
      installation,
      policy: runPolicy,
    });
    const result = await runtime.run({ objective: `note ${text}` });
    expect([result.status, result.children?.length]).toStrictEqual(["completed", 1]);
    expect([JSON.stringify(result), ...asked, await keptText(store, "office")].join("\n")).not.toContain(
      secret,
    );
  });

  test("by a long-lived agent: in what it is told, says and remembers", async () => {
    const [store, asked]: [ReturnType<typeof createMemoryStore>, string[]] = [createMemoryStore(), []];
    const { session: _session, budget: _budget, ...turnPolicy } = runPolicy;
    await using agent = new Spectator({
      model: saying("notes.add", faulty, text, asked),
      toolCalling: "native",
      packs: [notes],
      policy: turnPolicy,
      principal,
      store,
      installation,
    });
    const session = await agent.open("monday");
    const { memoryId } = await agent.memory.remember({ text, source: { type: "user" } });
    const turn = await session.turn(`note ${text}`);
    expect(turn.status).toBe("completed");
    const found = await agent.memory.retrieve({ text: "sent note" });
    const shown = [JSON.stringify([turn, found, memoryId, await session.checkpoint()]), ...asked];
    expect([...shown, await keptText(store, "office")].join("\n")).not.toContain(secret);
  });

  test("by sf call: on the terminal and in the data folder", async () => {
    const home = new Home();
    home.write("policy.json", policy);
    home.write(
      "pack.mjs",
      `import { defineTool } from ${JSON.stringify(import.meta.resolve("@spfunctions/kernel"))};
export const tools = [defineTool({ name: "notes.add", description: "Adds a note.", input: { type: "object" }, output: {},
  permissions: [], sideEffect: "none", costEffect: "none", run: ({ text }) => { throw new Error(text, { cause: new Error(text) }); } })];`,
    );
    const argv = [
      "call",
      "notes.add",
      "--input",
      JSON.stringify({ text }),
      "--pack",
      "./pack.mjs",
      "--data",
      "data",
    ];
    const ran = await home.run([...argv, "--policy", "policy.json", "--json"]);
    const told = await home.run([...argv, "--policy", "policy.json"]);
    expect([ran.code, told.code]).toStrictEqual([1, 1]);
    expect(JSON.stringify([ran, told])).not.toContain(secret);
    const kept = readdirSync(home.path("data"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, "latin1"));
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.join("\n")).not.toContain(secret);
  });
});
