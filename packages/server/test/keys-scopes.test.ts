// What a key may do: the classes of its scopes and nothing more, within its allow-list, within the server's policy.
import { type AgentPolicy, type Scope, scopes } from "@spfunctions/contracts";
import { createMemoryStore } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import type { NewKey } from "../src/keys/change-keys.ts";
import { ask, type TestPlatform, testPlatform } from "../test-data/test-platform.ts";

const guardrails = { allowedVenues: ["kalshi"], maxOrderCostCents: 1000, maxQuantity: 10 };
const order = { venue: "kalshi", side: "yes", quantity: 1, limitPriceCents: 50, dryRun: true };

/** One tool of each class, and the scopes of which one is enough. */
const table = [
  ["world.read", "GET", "/api/agent/world", undefined, ["read", "write", "trade", "admin"]],
  ["research.query", "GET", "/api/research", undefined, ["read", "write", "trade", "admin"]],
  ["markets.screen", "GET", "/api/public/screen", undefined, ["read", "write", "trade", "admin"]],
  ["brief.write", "POST", "/api/brief", {}, ["read", "write", "trade", "admin"]],
  ["portfolio.state", "GET", "/api/portfolio/main", undefined, ["read", "write", "trade", "admin"]],
  ["runtime.status", "GET", "/api/runtime", undefined, ["read", "write", "trade", "admin"]],
  ["sessions.touch", "POST", "/api/sessions/touch", {}, ["write"]],
  ["keys.touch", "POST", "/api/keys/touch", {}, ["write"]],
  ["notes.add", "POST", "/api/notes", {}, ["write"]],
  ["paper.order", "POST", "/api/paper/orders", {}, ["write"]],
  ["execution.place", "POST", "/api/execution", order, ["trade"]],
  ["vault.open", "POST", "/api/vault", {}, ["admin"]],
  ["engine.start", "POST", "/api/engine", {}, ["admin"]],
  ["keys.list", "GET", "/api/keys", undefined, ["admin"]],
  ["keys.create", "POST", "/api/keys", { allowTools: [] }, ["admin"]],
  ["runtime.stop", "POST", "/api/runtime/stop", {}, ["admin"]],
  ["runtime.ensure", "POST", "/api/runtime/ensure", {}, ["admin"]],
] as const satisfies readonly (readonly [
  string,
  "GET" | "POST",
  string,
  object | undefined,
  readonly Scope[],
])[];

const everySet = Array.from({ length: 2 ** scopes.length - 1 }, (_, bits) =>
  scopes.filter((__, index) => ((bits + 1) & (1 << index)) !== 0),
);

/** The tools that a key may call, by trying all of them. */
async function reached(platform: TestPlatform, key: string): Promise<string[]> {
  const done: string[] = [];
  for (const [name, method, path, body] of table) {
    const { status, body: said } = await ask(platform, path, { key, method, body });
    if (status === 200) done.push(name);
    else if (said.ok || said.error.code !== "policy_denied")
      throw new Error(`${name}: ${JSON.stringify(said)}`);
  }
  return done;
}

function termsOf(held: readonly Scope[]): NewKey {
  return { scopes: held, ...(held.includes("trade") && { trade: guardrails }) };
}

function toolsOf(held: readonly Scope[]): string[] {
  return table
    .filter(([, , , , needed]) => needed.some((scope: Scope) => held.includes(scope)))
    .map(([name]) => name);
}

test("a key is told what key would do, and never to change a law that nobody wrote", async () => {
  const platform = await testPlatform("embedded");
  const key = await platform.key("acct_1", { name: "few", scopes: ["read"], allowTools: ["keys.list"] });
  const remedy = async (path: string) => {
    const { body } = await ask(platform, path, { key });
    return body.ok ? "none" : body.error.message.split("; ").at(-1);
  };
  expect(await remedy("/api/keys")).toBe("call with a key that has the scope admin");
  expect(await remedy("/api/agent/world")).toBe('call with a key that has "world.read" in allowTools');
});

describe("a key's scopes are the union of their classes, and nothing more:", () => {
  test("every class under every set of scopes", async () => {
    const platform = await testPlatform();
    for (const held of everySet) {
      const key = await platform.key("acct_1", termsOf(held));
      expect([held, await reached(platform, key)]).toStrictEqual([held, toolsOf(held)]);
    }
    const ran = new Set(platform.deeds.map(({ tool }) => tool));
    expect(ran.size).toBe(10);
  });

  test("naming a tool in full gives a key no class that its scopes do not", async () => {
    const platform = await testPlatform();
    const allowTools = table.map(([name]) => name);
    for (const held of everySet) {
      const key = await platform.key("acct_1", { ...termsOf(held), allowTools });
      expect([held, await reached(platform, key)]).toStrictEqual([held, toolsOf(held)]);
    }
  });
});

describe("an allow-list narrows", () => {
  const all = { ...termsOf(scopes) };

  test.each([
    [["world.read"], ["world.read"]],
    [["world.*"], ["world.read"]],
    [["runtime.*"], ["runtime.status", "runtime.stop", "runtime.ensure"]],
    [
      ["keys.list", "vault.open"],
      ["vault.open", "keys.list"],
    ],
    [["worl.*", "worlds.*"], []],
    [["world.rea"], []],
    [
      ["execution.*", "notes.add"],
      ["notes.add", "execution.place"],
    ],
    [[], []],
  ])("%j", async (allowTools, expected) => {
    const platform = await testPlatform();
    expect(await reached(platform, await platform.key("acct_1", { ...all, allowTools }))).toStrictEqual(
      expected,
    );
  });

  test("and an admin's pattern brings in what it names, not what it does not", async () => {
    const platform = await testPlatform();
    const key = await platform.key("acct_1", { scopes: ["admin"], allowTools: ["engine.*", "world.*"] });
    expect(await reached(platform, key)).toStrictEqual(["world.read", "engine.start"]);
  });
});

async function placing(trade: NewKey["trade"], change: object): Promise<string> {
  const platform = await testPlatform();
  const key = await platform.key("acct_1", { scopes: ["trade"], trade });
  const { status, body } = await ask(platform, "/api/execution", { key, body: { ...order, ...change } });
  expect(platform.deeds).toHaveLength(status === 200 ? 1 : 0);
  return body.ok ? "placed" : body.error.code;
}

describe("a live trade", () => {
  test.each([
    ["another venue", guardrails, { venue: "elsewhere" }],
    ["too many", guardrails, { quantity: 11 }],
    ["too dear", { ...guardrails, maxOrderCostCents: 49 }, {}],
    ["no limit price", guardrails, { limitPriceCents: undefined }],
    ["not dry", guardrails, { dryRun: false }],
    ["without its word", { ...guardrails, confirmToken: "open sesame" }, {}],
    ["with another word", { ...guardrails, confirmToken: "open sesame" }, { confirm: "open barley" }],
  ])("stays within the key's own guardrails: %s", async (_, trade, change) => {
    expect(await placing(trade, change)).toBe("trade_guardrail");
  });

  test.each([
    ["a dry run", guardrails, {}],
    ["a real one where the key says so", { ...guardrails, dryRunOnly: false }, { dryRun: false }],
    ["with its word", { ...guardrails, confirmToken: "open sesame" }, { confirm: "open sesame" }],
  ])("goes through within them: %s", async (_, trade, change) => {
    expect(await placing(trade, change)).toBe("placed");
  });

  test.each(["model", "subagent", "mcp", "spectator"])("never from %s, whatever the key", async (origin) => {
    const platform = await testPlatform();
    const key = await platform.key("acct_1", { scopes: ["trade"], trade: guardrails });
    const headers = { "x-sf-origin": origin };
    const { status } = await ask(platform, "/api/execution", { key, body: order, headers });
    expect([status, platform.deeds]).toStrictEqual([403, []]);
  });
});

/** Its keys were made before the policy was. */
async function under(policy: AgentPolicy): Promise<{ platform: TestPlatform; key: string }> {
  const store = createMemoryStore();
  const before = await testPlatform("embedded", { store });
  const key = await before.key("acct_1", termsOf(scopes));
  await before.platform.close();
  return { platform: await testPlatform("embedded", { store, policy }), key };
}

describe("the server's policy holds for every key besides the key's own", () => {
  test("a denied tool and a denied permission stay denied", async () => {
    const policy: AgentPolicy = {
      maxSideEffect: "live_trade",
      maxCostEffect: "llm_cost",
      denyTools: ["notes.*"],
      deny: ["paper:use"],
      trade: guardrails,
    };
    const expected = toolsOf(["read", "write", "trade"]);
    const { platform, key } = await under(policy);
    expect(await reached(platform, key)).toStrictEqual([
      ...expected.filter((name) => !["notes.add", "paper.order"].includes(name)),
      "keys.list",
    ]);
  });

  test("its ceiling is everybody's ceiling", async () => {
    const { platform, key } = await under({ maxSideEffect: "none", maxCostEffect: "api_cost" });
    expect(await reached(platform, key)).toStrictEqual([
      "world.read",
      "portfolio.state",
      "runtime.status",
      "keys.list",
    ]);
  });

  test("its guardrails bind a key with wider ones", async () => {
    const trade = { ...guardrails, maxQuantity: 0 };
    const { platform, key } = await under({ maxSideEffect: "live_trade", trade });
    const { body } = await ask(platform, "/api/execution", { key, body: order });
    expect(body).toMatchObject({ ok: false, error: { code: "trade_guardrail" } });
  });
});
