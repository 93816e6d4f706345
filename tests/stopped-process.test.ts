// J3, X1: at every entry a process that stood still asks whether its lease stands before a tool starts. Each entry gets a store on which
// time passes while an intent is written, and which another process has taken over by then.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, govern, SimpleFunctionsAgent } from "@spfunctions/agent";
import { Spectator } from "@spfunctions/agent/spectator";
import { SimpleFunctionsRuntime, subagent } from "@spfunctions/agent/v1";
import { hashText, isSimpleFunctionsError } from "@spfunctions/contracts";
import { openSqliteStore } from "@spfunctions/host/store";
import {
  createMemoryStore,
  type ModelAdapter,
  newInstallationSecret,
  openInstallation,
} from "@spfunctions/kernel";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { FaultyStore } from "../packages/kernel/test-data/call-store.ts";

const installation = openInstallation(newInstallationSecret());
const principal = { accountId: "office", keyId: "clerk", scopes: ["read", "write"], kind: "local" } as const;
const policy = { maxSideEffect: "user_write" } as const;
const runPolicy = {
  maxSideEffect: "user_write",
  maxCostEffect: "llm_cost",
  approvals: { requireForSideEffectAtOrAbove: "secret" },
  session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
  budget: { maxSteps: 8, maxToolCalls: 8, maxChildren: 2, maxDepth: 1 },
} as const;
const letter = { to: "anna" };

afterEach(() => {
  vi.restoreAllMocks();
});

/** The machine sleeps while the intent of this tool is written; meanwhile another process takes the stream over, or not. */
function sleepingStore({ tool = "mail.send", isSucceeded = true, inner = createMemoryStore() } = {}) {
  const store = new FaultyStore(inner);
  store.leaseTime = 15_000;
  const asked = Promise.withResolvers<string>();
  const { now } = Date;
  let asleepMs = 0;
  let accountId = "";
  vi.spyOn(Date, "now").mockImplementation(() => now.call(Date) + asleepMs);
  store.fault = (unit) => {
    const records = (unit.appends ?? []).flatMap((append) =>
      append.records.map(({ text }) => recordIn(text)),
    );
    const intent = records.find((record) => record.kind === "call.intended" && record.tool === tool);
    if (asleepMs > 0 || intent === undefined) return undefined;
    asleepMs = 60_000;
    accountId = intent.principal.accountId;
    return undefined;
  };
  store.beforeRenewal = async (stream) => {
    if (isSucceeded) {
      for (let epoch = 1; epoch <= 5; epoch++) {
        await store.inner.release(stream, epoch);
      }
      await store.inner.lease(stream, accountId, hashText("another process"));
    }
    asked.resolve(stream);
  };
  const lastKind = async (stream: string) => {
    const stored = await store.inner.readStream({ stream, accountId, limit: 1000 });
    return recordIn(stored.at(-1)?.text ?? "{}").kind;
  };
  return { store, asked: asked.promise, lastKind };
}

function recordIn(text: string) {
  return JSON.parse(text) as { kind?: string; tool?: string; principal: { accountId: string } };
}

function mailTools() {
  const sent: unknown[] = [];
  const send = defineTool({
    name: "mail.send",
    description: "Sends a letter.",
    input: {
      type: "object",
      properties: { to: { type: "string" } },
      required: ["to"],
      additionalProperties: false,
    },
    output: {},
    permissions: ["mail"],
    sideEffect: "user_write",
    costEffect: "none",
    http: { method: "POST", path: "/api/mail" },
    run: (given) => ({ sent: sent.push(given) }),
  });
  return { sent, pack: [send] };
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => "it went well",
    (thrown: unknown) => thrown,
  );
  return isSimpleFunctionsError(error) ? error.code : String(error);
}

/** Proposes one call in its first answer, and then says it is done. */
const proposing = (name: string, args: object): ModelAdapter => ({
  name: "proposer",
  offline: true,
  complete: async ({ messages }) => {
    const usage = { inputTokens: 10, outputTokens: 5 };
    if (messages.some(({ role }) => role === "tool"))
      return { text: "done", toolCalls: [], finish: "stop", usage };
    return { text: "", toolCalls: [{ id: "c1", name, args }], finish: "tool_calls", usage } as never;
  },
});

test("the library starts no tool that its successor may have run", async () => {
  const [{ sent, pack }, { store, asked, lastKind }] = [mailTools(), sleepingStore()];
  const office = govern({ packs: [pack], policy, principal, store });
  expect(await codeOf(office.call("mail.send", letter))).toBe("lease_lost");
  expect([sent, await lastKind(await asked)]).toStrictEqual([[], "call.intended"]);
});

test("where nobody has taken over, the tool starts, once", async () => {
  const [{ sent, pack }, { store, asked }] = [mailTools(), sleepingStore({ isSucceeded: false })];
  const office = govern({ packs: [pack], policy, principal, store });
  await office.call("mail.send", letter);
  await asked;
  expect(sent).toStrictEqual([letter]);
});

test("in a data folder that another process drives by then, the library starts none either", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sf-stopped-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [first, { sent, pack }] = [await openSqliteStore({ folder, renewMs: 3_600_000 }), mailTools()];
  const { store } = sleepingStore({ inner: first });
  store.leaseTime = undefined;
  store.beforeRenewal = async () => {
    const second = await openSqliteStore({ folder });
    onTestFinished(() => second.close());
  };
  onTestFinished(() => first.close());
  const office = govern({ packs: [pack], policy, principal, store });
  expect(await codeOf(office.call("mail.send", letter))).toBe("lease_lost");
  expect(sent).toStrictEqual([]);
});

test("a platform starts no tool that its successor may have run", async () => {
  const [{ sent, pack }, { store, asked, lastKind }] = [mailTools(), sleepingStore()];
  const platform = await openPlatform({ store, installation, packs: [pack] });
  const key = await platform.createKey("office", { scopes: ["read", "write"] });
  const client = connectEmbedded(platform, { apiKey: key.secret });
  expect(await codeOf(client.call("mail.send", letter))).toBe("lease_lost");
  expect([sent, await lastKind(await asked)]).toStrictEqual([[], "call.intended"]);
  await platform.close();
});

test("a direct runner sends the platform no call that its successor may have sent", async () => {
  const [{ sent, pack }, { store, asked, lastKind }] = [mailTools(), sleepingStore()];
  const platform = await openPlatform({ store: createMemoryStore(), installation, packs: [pack] });
  const key = await platform.createKey("office", { scopes: ["read", "write"] });
  const client = connectEmbedded(platform, { apiKey: key.secret });
  await using agent = new SimpleFunctionsAgent({ client, policy, store });
  expect(await codeOf(agent.call("mail.send", letter))).toBe("lease_lost");
  expect(sent).toStrictEqual([]);
  expect(await lastKind(await asked)).toBe("call.intended");
  await platform.close();
});

test("a runtime leaves a run to the process that has taken it over, and starts no tool of it", async () => {
  const [{ sent, pack }, { store, asked, lastKind }] = [mailTools(), sleepingStore()];
  const runtime = new SimpleFunctionsRuntime({
    packs: [pack],
    model: proposing("mail.send", letter),
    principal: { ...principal, kind: "key" },
    store,
    installation,
    policy: runPolicy,
  });
  const run = codeOf(runtime.run({ objective: "write" }));
  const stream = await asked;
  await runtime.close();
  await run;
  expect([sent, await lastKind(stream)]).toStrictEqual([[], "call.intended"]);
});

test.each([
  ["in a child no tool of it starts", "mail.send"],
  ["no child starts by a call that its successor may have made", "subagent.writer"],
])("of a subagent: %s", async (_, tool) => {
  const [{ sent, pack }, { store, asked, lastKind }] = [mailTools(), sleepingStore({ tool })];
  const child = subagent({
    name: "writer",
    objective: "Write what you are told.",
    tools: ["mail.send"],
    budget: { maxSteps: 4, maxToolCalls: 2 },
    route: { type: "use_allowed_override", routeId: "child", modelId: "proposer" },
  });
  const runtime = new SimpleFunctionsRuntime({
    packs: [pack, child],
    model: { ...proposing("subagent.writer", { task: "write" }), name: "parent" },
    routes: { child: proposing("mail.send", letter) },
    principal: { ...principal, kind: "key" },
    store,
    installation,
    policy: runPolicy,
  });
  const run = codeOf(runtime.run({ objective: "have it written" }));
  const stream = await asked;
  await runtime.close();
  await run;
  expect([sent, await lastKind(stream)]).toStrictEqual([[], "call.intended"]);
});

test("a long-lived agent starts no tool of a turn that its successor may have run", async () => {
  const [{ sent, pack }, { store, asked, lastKind }] = [mailTools(), sleepingStore()];
  const calls = JSON.stringify([{ id: "t1", tool: "mail.send", args: letter }]);
  const { session: _session, budget: _budget, ...turnPolicy } = runPolicy;
  const agent = new Spectator({
    model: {
      name: "writer",
      offline: true,
      complete: async () => ({
        text: `Writing. <<<TOOL_CALLS_JSON>>>${calls}<<<END_TOOL_CALLS_JSON>>>`,
        toolCalls: [],
        finish: "stop",
        usage: { inputTokens: 10, outputTokens: 5 },
      }),
    },
    packs: [pack],
    policy: turnPolicy,
    principal,
    installation,
    store,
  });
  const session = await agent.open("monday");
  const turn = codeOf(session.turn("Write to somebody."));
  const stream = await asked;
  await agent.close();
  await turn;
  expect([sent, await lastKind(stream)]).toStrictEqual([[], "call.intended"]);
});
