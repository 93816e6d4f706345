// What is asked in an account, for whoever may see it, through the same door as every other route.
import { agentEventSchema, type AgentEvent } from "@spfunctions/contracts";
import { createMemoryStore, startOfEvents } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { textUntil } from "../test-data/answer-words.ts";
import { approvalIn, askingAccount, dataIn, errorIn } from "../test-data/asking-account.ts";
import { generous } from "../test-data/test-platform.ts";

const app = "https://app.example.com";
type Page = { items: { approvalId: string; status: string }[]; next?: string };

test("an operator sees all of its account's, another key what it asked itself, oldest first and page by page", async () => {
  const { platform, agent, operator, other, request, asked, answer } = await askingAccount();
  const second = await platform.key("acct_1", {
    scopes: ["write"],
    approvals: { requireForSideEffectAtOrAbove: "user_write" },
  });
  const made: string[] = [];
  for (const [text, key] of [
    ["one", agent],
    ["two", second],
    ["three", agent],
  ] as const) {
    made.push((await asked(text, { key })).approvalId);
  }
  const list = async (key: string, query = "") =>
    dataIn<Page>((await request(`/api/approvals${query}`, { key })).body);
  const idsFor = async (key: string, query = "") =>
    (await list(key, query)).items.map(({ approvalId }) => approvalId);
  expect(new Set(await idsFor(operator))).toStrictEqual(new Set(made));
  expect(new Set(await idsFor(agent))).toStrictEqual(new Set([made[0], made[2]]));
  expect(await idsFor(second)).toStrictEqual([made[1]]);
  expect(await idsFor(other)).toStrictEqual([]);
  const pages: string[] = [];
  for (let query = "?limit=2"; ; ) {
    const { items, next } = await list(operator, query);
    pages.push(...items.map(({ approvalId }) => approvalId));
    if (next === undefined) break;
    query = `?limit=2&after=${encodeURIComponent(next)}`;
  }
  expect(pages).toStrictEqual(await idsFor(operator));
  await answer(made[0] ?? "", operator, { answer: "denied" });
  expect(await idsFor(operator, "?status=denied")).toStrictEqual([made[0]]);
  expect(await idsFor(operator)).not.toContain(made[0]);
  expect(new Set(await idsFor(operator, "?status=any"))).toStrictEqual(new Set(made));
});

test.each([
  "?status=open",
  "?status=",
  "?limit=0",
  "?limit=101",
  "?stat=any",
  "?status=any&status=any",
  "?__proto__=1",
])("a query that is none of ours is refused: %s", async (query) => {
  const { operator, request } = await askingAccount();
  const { status, body } = await request(`/api/approvals${query}`, { key: operator });
  expect([status, errorIn(body).code]).toStrictEqual([400, "invalid_input"]);
});

test("a page's token lists nothing, and sees what a page of its key asked by its id", async () => {
  const { platform, request } = await askingAccount("embedded", { allowedOrigins: [app] });
  const key = await platform.key("acct_1", {
    scopes: ["read", "write"],
    approvals: { requireForSideEffectAtOrAbove: "user_write" },
  });
  const made = await request("/api/tokens", { key, body: { origin: app, scopes: ["write"] } });
  const page = { key: dataIn<{ token: string }>(made.body).token, headers: { origin: app } };
  const ownAsked = await request("/api/notes", { ...page, body: { text: "by the page" } });
  const keyAsked = await request("/api/notes", { key, body: { text: "by the key" } });
  const idIn = (answer: typeof ownAsked) => approvalIn(answer.body);
  expect(errorIn((await request("/api/approvals", page)).body)).toMatchObject({
    code: "forbidden",
    details: { reason: "token_list" },
  });
  expect((await request("/api/approvals/grants", page)).status).toBe(403);
  const own = await request(`/api/approvals/${idIn(ownAsked)}`, page);
  expect(dataIn(own.body)).toMatchObject({ asker: { kind: "token" }, input: { text: "by the page" } });
  expect(own.headers.get("access-control-allow-origin")).toBe(app);
  expect((await request(`/api/approvals/${idIn(keyAsked)}`, page)).status).toBe(404);
});

describe("the door is the one of every other route", () => {
  const routes = [
    ["GET", "/api/approvals"],
    ["GET", "/api/approvals/grants"],
    ["GET", "/api/approvals/appr_00000000-0000-4000-8000-000000000000"],
    ["POST", "/api/approvals/appr_00000000-0000-4000-8000-000000000000/answer"],
    ["POST", "/api/approvals/grants/grant_00000000-0000-4000-8000-000000000000/revoke"],
  ] as const;

  test.each(routes)("%s %s needs a key, a known host and a known page", async (method, path) => {
    const { agent, operator, request } = await askingAccount("embedded", { allowedOrigins: [app] });
    const body = method === "POST" ? { answer: "approved" } : undefined;
    const codeOf = async (headers: Record<string, string>, key?: string) => {
      const answer = await request(path, { method, body, headers, key });
      return `${answer.status} ${errorIn(answer.body).code}`;
    };
    expect(await codeOf({})).toBe("401 missing_api_key");
    expect(await codeOf({}, `${operator.slice(0, -1)}!`)).toBe("401 invalid_api_key");
    expect(await codeOf({ host: "evil.example" }, operator)).toBe("421 forbidden");
    expect(await codeOf({ origin: "https://evil.example" }, operator)).toBe("403 forbidden");
    expect(await codeOf({ origin: app }, agent)).toBe("403 browser_key_forbidden");
  });

  test.each(routes)("%s %s counts against the key's rate and its quota", async (method, path) => {
    const { platform, request } = await askingAccount();
    const body = path.endsWith("/answer") ? { answer: "approved" } : undefined;
    const ask = (key: string) => request(path, { method, body, key });
    const slow = await platform.key("acct_1", {
      scopes: ["admin"],
      rateLimit: { perSecond: 0.001, burst: 1 },
    });
    expect((await ask(slow)).headers.get("x-ratelimit-remaining")).toBe("0");
    expect((await ask(slow)).status).toBe(429);
    const poor = await platform.key("acct_1", { scopes: ["admin"], quotas: { api_cost: 0 } });
    const { status, headers, body: told } = await ask(poor);
    expect([status, errorIn(told).details?.["reason"]]).toStrictEqual([429, "quota"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("what is refused costs nothing of the quota", async () => {
    const { platform, request } = await askingAccount("embedded", { limits: generous });
    const key = await platform.key("acct_1", { scopes: ["read"], quotas: { api_cost: 1 } });
    const missing = "/api/approvals/appr_00000000-0000-4000-8000-000000000000";
    expect((await request(missing, { key })).status).toBe(404);
    expect((await request("/api/approvals", { key })).status).toBe(200);
    expect((await request("/api/approvals", { key })).status).toBe(429);
  });

  test("other methods are refused with those there are", async () => {
    const { operator, request, platform } = await askingAccount();
    const put = await request("/api/approvals", { method: "DELETE", key: operator });
    expect([put.status, put.headers.get("allow")]).toStrictEqual([405, "GET"]);
    const head = await platform.fetch(
      new Request(`${platform.baseUrl}/api/approvals`, {
        method: "HEAD",
        headers: { authorization: `Bearer ${operator}` },
      }),
    );
    expect(head.status).toBe(405);
  });
});

test("whoever listens hears what is asked and what then runs; an answer wakes them, and is no event of a run that is over", async () => {
  const { platform, agent, operator, request, asked, answer } = await askingAccount();
  const events = await platform.fetch(
    new Request(`${platform.baseUrl}/api/events?after=${startOfEvents}`, {
      headers: { authorization: `Bearer ${agent}` },
    }),
  );
  const { approvalId, expiresAt } = await asked();
  await answer(approvalId, operator, { answer: "approved" });
  await request("/api/notes", { key: agent, body: { text: "milk" } });
  const text = await textUntil(events, (so) => so.includes("run.completed"));
  const seen = [...text.matchAll(/^data: (.*)$/gm)].map(
    ([, data = ""]): AgentEvent => agentEventSchema.parse(JSON.parse(data)),
  );
  expect(seen.map(({ type }) => type)).toStrictEqual([
    "run.started",
    "tool.resolved",
    "policy.checked",
    "approval.required",
    "run.failed",
    "run.started",
    "tool.resolved",
    "policy.checked",
    "tool.started",
    "tool.completed",
    "run.completed",
  ]);
  expect(seen[3]).toMatchObject({ approvalId, expiresAt, tool: "notes.add" });
});

test("an answer wakes whoever listens: what is written by it is looked for at once, not with the next heartbeat", async () => {
  const inner = createMemoryStore();
  let reads = 0;
  const store = new Proxy(inner, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name === "readStream") reads += 1;
      return value.bind(target) as unknown;
    },
  });
  const { platform, operator, asked, answer } = await askingAccount("embedded", { store });
  const { approvalId } = await asked();
  const headers = { authorization: `Bearer ${operator}` };
  const events = await platform.fetch(new Request(`${platform.baseUrl}/api/events`, { headers }));
  const reader = events.body?.getReader();
  await reader?.read();
  const waiting = reader?.read();
  await expect.poll(() => reads).toBeGreaterThan(0);
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  const before = reads;
  await answer(approvalId, operator, { answer: "denied" });
  await expect.poll(() => reads).toBeGreaterThan(before);
  await reader?.cancel();
  await waiting;
});
