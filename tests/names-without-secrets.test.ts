// S1: ids are kept in every record as they are, so that one which holds a secret is refused at every entry, and never repeated. A key
// sent as a session by mistake is the usual one.
import { defineTool, govern, SimpleFunctionsAgent } from "@spfunctions/agent";
import { Spectator } from "@spfunctions/agent/spectator";
import { SimpleFunctionsRuntime } from "@spfunctions/agent/v1";
import { heldSecrets, isSimpleFunctionsError, type SimpleFunctionsError } from "@spfunctions/contracts";
import {
  createMemoryStore,
  type ModelAdapter,
  newInstallationSecret,
  openInstallation,
  openOperator,
  type Store,
} from "@spfunctions/kernel";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { Home, notesPack } from "../packages/cli/test-data/run-sf.ts";

const installation = openInstallation(newInstallationSecret());
const held = "plum9-Orchard-77-quay";
const token = `sf_live_${"k3Y".repeat(10)}ab`;
const principal = { accountId: "office", keyId: "clerk", scopes: ["read", "write"], kind: "key" } as const;

const look = defineTool({
  name: "notes.look",
  description: "Looks at the notes.",
  input: { type: "object" },
  output: {},
  permissions: [],
  sideEffect: "none",
  costEffect: "none",
  risk: ["account_context"],
  http: { method: "GET", path: "/api/notes" },
  run: () => ({ notes: 0 }),
});

const model: ModelAdapter = {
  name: "writer",
  offline: true,
  complete: async () => ({
    text: "done",
    toolCalls: [],
    finish: "stop",
    usage: { inputTokens: 1, outputTokens: 1 },
  }),
};
const runPolicy = {
  maxCostEffect: "llm_cost",
  budget: { maxSteps: 4, maxToolCalls: 4 },
  session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
} as const;

function hold(secret: string): void {
  heldSecrets.add(secret, "api_key");
  onTestFinished(() => heldSecrets.remove(secret));
}

/** Refused for the secret in this name, which is not repeated. */
async function expectRefused(
  what: string,
  act: () => unknown,
  secret: string,
): Promise<SimpleFunctionsError> {
  let thrown: unknown;
  try {
    await act();
  } catch (error) {
    thrown = error;
  }
  if (!isSimpleFunctionsError(thrown)) throw new Error(`${what} was not refused: ${String(thrown)}`);
  expect(thrown.message).toContain(`the ${what} holds what looks like a secret (`);
  expect(thrown.message).toContain("choose another");
  expect(JSON.stringify(thrown) + thrown.stack).not.toContain(secret);
  return thrown;
}

/** Whether anything that is kept holds it. */
async function keeps(store: Store, secret: string): Promise<boolean> {
  const kept: unknown[] = [];
  for (const kind of ["run", "session", "segment", "agent_head", "approval"])
    kept.push(await store.documents({ kind, accountId: "office", limit: 100 }));
  return JSON.stringify(kept).includes(secret);
}

describe.each([
  ["a secret of this process", held],
  ["an API key", token],
])("%s is refused", (_, secret) => {
  test("by the library: as a session, an account, a key, an idempotency key, a rule", async () => {
    hold(held);
    const open = (more: object) => govern({ packs: [look], policy: {}, principal, installation, ...more });
    await expectRefused("session id", () => open({ sessionId: secret }), secret);
    await expectRefused("account id", () => open({ principal: { ...principal, accountId: secret } }), secret);
    await expectRefused("key id", () => open({ principal: { ...principal, keyId: `my-${secret}` } }), secret);
    const rule = { id: secret, version: "1", evaluatePreTool: () => ({ outcome: "allow" }) };
    const refused = await expectRefused("rule's id", () => open({ rules: [rule] }), secret);
    expect(refused.details?.path).toBe("/rules/0/id");
    await using office = open({ sessionId: "monday" });
    await expectRefused(
      "idempotency key",
      () => office.call("notes.look", {}, { idempotencyKey: secret }),
      secret,
    );
  });

  test("by an operator who answers under it", async () => {
    hold(held);
    const by = { ...principal, kind: "operator", keyId: secret } as const;
    const act = () => openOperator({ store: createMemoryStore(), installation, principal: by });
    expect((await expectRefused("key id", act, secret)).details?.path).toBe("/keyId");
  });

  test("by a platform: as a session over HTTP, as the account of a key, as whom a grant is for", async () => {
    hold(held);
    const store = createMemoryStore();
    const platform = await openPlatform({ store, installation, packs: [[look]] });
    const key = await platform.createKey("office", { name: "k", scopes: ["read", "admin"] });
    const ask = (headers: Record<string, string>, path = "/api/notes", more: RequestInit = {}) =>
      platform.fetch(
        new Request(`http://localhost${path}`, {
          ...more,
          headers: { authorization: `Bearer ${key.secret}`, ...headers },
        }),
      );
    const answer = await ask({ "x-sf-session": secret });
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toMatchObject([
      400,
      { ok: false, error: { code: "invalid_input", details: { reason: "bad_session" } } },
    ]);
    expect(text).toContain("x-sf-session: the session id holds what looks like a secret (");
    expect(text).not.toContain(secret);
    expect((await ask({ "x-sf-session": "monday" })).status).toBe(200);
    const again = await (await ask({ "idempotency-key": secret })).text();
    expect(again).toContain("the idempotency key holds what looks like a secret (");
    const body = JSON.stringify({ capability: "net:example.com", sessionId: secret });
    const json = { "content-type": "application/json" };
    const grant = await (await ask(json, "/api/grants", { method: "POST", body })).text();
    expect(grant).toContain("the session id holds what looks like a secret (");
    await expectRefused("account id", () => platform.createKey(secret, { name: "k" }), secret);
    await expect(keeps(store, secret)).resolves.toBe(false);
    await platform.close();
  });

  test("by the client and the direct runner, before anything is sent", async () => {
    hold(held);
    const platform = await openPlatform({ store: createMemoryStore(), installation, packs: [[look]] });
    const key = await platform.createKey("office", { name: "k", scopes: ["read"] });
    const client = connectEmbedded(platform, { apiKey: key.secret });
    await expectRefused("session id", () => client.call("notes.look", {}, { sessionId: secret }), secret);
    await expectRefused(
      "idempotency key",
      () => client.call("notes.look", {}, { idempotencyKey: secret }),
      secret,
    );
    const open = (more: object) => new SimpleFunctionsAgent({ client, policy: {}, installation, ...more });
    const refused = await expectRefused("account id", () => open({ account: secret }), secret);
    expect(refused.code).toBe("invalid_input");
    await expectRefused(
      "session id",
      async () => await open({ sessionId: secret }).call("notes.look", {}),
      secret,
    );
    await platform.close();
  });

  test("by a runtime: as an agent, a session, a hook, an account", async () => {
    hold(held);
    const store = createMemoryStore();
    const options = { packs: [look], model, principal, store, installation, policy: runPolicy };
    const run = async (more: object, input: object = {}) => {
      await using runtime = new SimpleFunctionsRuntime({ ...options, ...more });
      return await runtime.run({ objective: "look", ...input });
    };
    await expectRefused("agent id", () => run({ agentId: secret }), secret);
    await expectRefused("session id", () => run({}, { sessionId: secret }), secret);
    await expectRefused("account id", () => run({ principal: { ...principal, accountId: secret } }), secret);
    const hook = { id: secret, run: () => ({ outcome: "allow" }) };
    await expectRefused("hook id", () => run({ hooks: { beforeModel: hook } }), secret);
    expect((await run({}, { sessionId: "monday" })).status).toBe("completed");
    await expect(keeps(store, secret)).resolves.toBe(false);
  });

  test("by a long-lived agent: as a session, and as its own name", async () => {
    hold(held);
    const store = createMemoryStore();
    const options = { model, principal, store, installation };
    await using agent = new Spectator(options);
    await expectRefused("session id", () => agent.open(secret), secret);
    await expectRefused("agent id", () => new Spectator({ ...options, agentId: secret }), secret);
    await expect(keeps(store, secret)).resolves.toBe(false);
    await agent.open("monday");
  });

  test("by sf: --account, --session and --idempotency-key", async () => {
    const home = new Home({ SF_API_KEY: held.repeat(2) });
    onTestFinished(() => heldSecrets.remove(held.repeat(2)));
    const given = secret === held ? held.repeat(2) : secret;
    const args = ["call", "notes.read", "--pack", notesPack];
    for (const [flag, what] of [
      ["--account", "account id"],
      ["--session", "session id"],
      ["--idempotency-key", "idempotency key"],
    ] as const) {
      const { code, out, err } = await home.run([...args, flag, given]);
      expect([flag, code]).toStrictEqual([flag, 2]);
      expect(err).toContain(`the ${what} holds what looks like a secret (`);
      expect(out + err).not.toContain(given);
    }
  });
});

test("a session that was kept under such a name before is still listed and read", async () => {
  const store = createMemoryStore();
  const options = { model, principal, store, installation };
  const before = new Spectator(options);
  await before.open(held);
  await before.close();
  hold(held);
  await using agent = new Spectator(options);
  const session = await agent.open(held);
  await expect(session.history()).resolves.toHaveLength(1);
  expect(await agent.sessions()).toMatchObject([{ type: "session", sessionId: held }]);
  // What is said from now on is kept under another name.
  await expectRefused("session id", () => session.turn("hello"), held);
  const next = await session.fork("monday");
  expect((await next.turn("hello")).status).toBe("completed");
});

test("a capability whose host holds a secret of this process is not asked for", async () => {
  const host = "plum9orchard77quay";
  hold(host);
  await using office = govern({ packs: [look], policy: {}, principal, installation });
  const act = () => office.askFor(`net:${host}.example.com`);
  expect((await expectRefused("capability", act, host)).details?.path).toBe("/capability");
});
