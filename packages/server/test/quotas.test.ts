// Quotas by cost class, on the way of a request: what ran is counted, and nothing else.
import { JournalAppendFailedError } from "@spfunctions/contracts";
import { createMemoryStore } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { ask, generous, testPlatform } from "../test-data/test-platform.ts";
import { watchedStore } from "../test-data/watched-store.ts";

const day = 24 * 3_600_000;

async function house(quotas: object = { search_cost: 2 }) {
  const clock = new ManualClock(Date.UTC(2026, 0, 2, 12));
  const store = createMemoryStore();
  const here = await testPlatform("embedded", { clock, store });
  const secret = await here.key("acct_1", { scopes: ["read", "write"], quotas });
  const search = async (query = "", headers = {}) =>
    (await ask(here, `/api/research${query}`, { key: secret, headers })).status;
  return { ...here, clock, store, secret, search };
}

test("under concurrency exactly as many run as there are", async () => {
  const { search, deeds } = await house({ search_cost: 5 });
  const statuses = await Promise.all(Array.from({ length: 20 }, async () => await search()));
  expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  expect(deeds).toHaveLength(5);
});

// proves KEY-8.10
test("one that is used up says until when, and other classes are not touched", async () => {
  const { secret, ...here } = await house({ search_cost: 0 });
  const answer = await ask(here, "/api/research", { key: secret });
  expect(answer.body).toMatchObject({
    ok: false,
    error: { code: "rate_limited", status: 429, details: { reason: "quota", costEffect: "search_cost" } },
  });
  expect(answer.headers.get("retry-after")).toBe(String(day / 2 / 1000));
  expect((await ask(here, "/api/agent/world", { key: secret })).status).toBe(200);
});

test("a new day and a restart: the day is whole, the restart adds nothing", async () => {
  const { search, clock, store, secret, platform } = await house();
  expect([await search(), await search(), await search()]).toStrictEqual([200, 200, 429]);
  await platform.close();
  const again = await testPlatform("embedded", { clock, store });
  const status = async () => (await ask(again, "/api/research", { key: secret })).status;
  expect(await status()).toBe(429);
  clock.advance(day / 2);
  expect([await status(), await status(), await status()]).toStrictEqual([200, 200, 429]);
});

describe("nothing is used up", () => {
  test("by a refusal", async () => {
    const { search } = await house();
    for (const query of ["?count=x", "?unknown=1", "?count=1.5"]) expect(await search(query)).toBe(400);
    expect(await search("", { "x-sf-origin": "nobody" })).toBe(400);
    expect([await search(), await search(), await search()]).toStrictEqual([200, 200, 429]);
  });

  test("by a request that cannot be read", async () => {
    const { search } = await house();
    const headers = { "idempotency-key": "has spaces in it" };
    for (let times = 0; times < 3; times++) expect(await search("", headers)).toBe(400);
    expect([await search(), await search(), await search()]).toStrictEqual([200, 200, 429]);
  });

  test("by a request that had not arrived when the platform closed", async () => {
    const { platform, store, secret } = await house({ llm_cost: 2 });
    const arriving = new TransformStream<Uint8Array, Uint8Array>();
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const body = { body: arriving.readable, duplex: "half" } as const;
    const late = platform.fetch(
      new Request("http://localhost/api/brief", { method: "POST", headers, ...body }),
    );
    const writer = arriving.writable.getWriter();
    await writer.write(new TextEncoder().encode("{"));
    const closing = platform.close();
    await writer.write(new TextEncoder().encode("}"));
    await writer.close();
    expect((await late).status).toBe(503);
    await closing;
    const kept = await store.documents({ kind: "key.quota", accountId: "acct_1", limit: 5 });
    expect(kept.map((one) => JSON.parse(one.body) as object)).toStrictEqual([]);
  });

  test("by an answer that is given again, or a key that is used for something else", async () => {
    const { search } = await house();
    const headers = { "idempotency-key": "once" };
    for (let times = 0; times < 4; times++) expect(await search("", headers)).toBe(200);
    expect(await search("?count=2", headers)).toBe(409);
    expect([await search(), await search()]).toStrictEqual([200, 429]);
  });
});

test("where a call may have run before something went wrong, it counts", async () => {
  const state = { isBroken: false };
  const store = watchedStore(() => {
    if (state.isBroken) throw new JournalAppendFailedError("nothing was written");
  });
  const here = await testPlatform("embedded", { store });
  const key = await here.key("acct_1", { scopes: ["read"], quotas: { api_cost: 100 } });
  const status = async () => (await ask(here, "/api/agent/world", { key })).status;
  expect(await status()).toBe(200);
  state.isBroken = true;
  for (let times = 0; times < 3; times++) expect(await status()).toBe(503);
  state.isBroken = false;
  await here.platform.close();
  const [kept] = await store.documents({ kind: "key.quota", accountId: "acct_1", limit: 5 });
  expect(JSON.parse(kept?.body ?? "{}")).toMatchObject({ used: here.deeds.length });
});

test("it is said in the same words for a tool and for a route of the platform's own", async () => {
  const { secret, ...here } = await house({ api_cost: 0 });
  const said = async (path: string) => {
    const { body } = await ask(here, path, { key: secret });
    return body.ok ? undefined : body.error;
  };
  const words = "this key has 0 calls of class api_cost a day, and no more today; again in 12 h";
  const details = { reason: "quota", costEffect: "api_cost", retryAfterMs: day / 2 };
  expect(await said("/api/approvals")).toMatchObject({ message: words, details });
  expect(await said("/api/agent/world")).toMatchObject({
    message: `world.read: ${words}`,
    details: { ...details, tool: "world.read" },
  });
});

test("a key without quotas of its own has the platform's", async () => {
  const here = await testPlatform("embedded", { limits: { ...generous, quotas: { search_cost: 1 } } });
  const key = await here.key("acct_1", { scopes: ["read"] });
  const status = async () => (await ask(here, "/api/research", { key })).status;
  expect([await status(), await status()]).toStrictEqual([200, 429]);
});

test("a key with quotas of its own has the platform's for every other class", async () => {
  const here = await testPlatform("embedded", {
    limits: { ...generous, quotas: { search_cost: 1, llm_cost: 1 } },
  });
  const key = await here.key("acct_1", { scopes: ["read"], quotas: { llm_cost: 2 } });
  const search = async () => (await ask(here, "/api/research", { key })).status;
  const brief = async (text: string) => (await ask(here, "/api/brief", { key, body: { text } })).status;
  expect([await search(), await search()]).toStrictEqual([200, 429]);
  expect([await brief("a"), await brief("b"), await brief("c")]).toStrictEqual([200, 200, 429]);
});

test("a call that is answered again, or refused by the law, needs no quota", async () => {
  const platform = await testPlatform();
  const key = await platform.key("acct_1", { scopes: ["read"], quotas: { llm_cost: 1 } });
  const other = await platform.key("acct_1", {
    scopes: ["read"],
    allowTools: ["world.*"],
    quotas: { llm_cost: 0 },
  });
  const headers = { "idempotency-key": "brief-1" };
  const first = await ask(platform, "/api/brief", { key, body: { text: "a" }, headers });
  const again = await ask(platform, "/api/brief", { key, body: { text: "a" }, headers });
  expect([first.status, again.status]).toStrictEqual([200, 200]);
  expect(again.body.meta.replayed).toBe(true);
  expect((await ask(platform, "/api/brief", { key, body: { text: "b" } })).status).toBe(429);
  const refused = await ask(platform, "/api/brief", { key: other, body: { text: "a" } });
  expect(refused).toMatchObject({ status: 403, body: { error: { code: "policy_denied" } } });
  expect(refused.body.meta.receipt).toBeDefined();
  expect(platform.deeds).toHaveLength(1);
});

test("what was written down of a quota and not used is given back at the end", async () => {
  const { store, platform, key } = await testPlatform();
  const secret = await key("acct_1", { scopes: ["read"], quotas: { llm_cost: 1000 } });
  await ask({ baseUrl: "http://localhost", fetch: platform.fetch }, "/api/brief", { key: secret, body: {} });
  await platform.close();
  const [kept] = await store.documents({ kind: "key.quota", accountId: "acct_1", limit: 5 });
  expect(JSON.parse(kept?.body ?? "{}")).toMatchObject({ used: 1 });
});
