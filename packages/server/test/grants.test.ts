// G3 over HTTP: what a call may reach is asked for, granted and ended through the same door as everything else.
import type { CapabilityGrant } from "@spfunctions/contracts";
import { createMemoryStore, openGuestOperator, verifyAccount } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { dataIn, errorIn } from "../test-data/asking-account.ts";
import { recordsOf } from "../test-data/journal-records.ts";
import { page, reachingAccount } from "../test-data/reaching-account.ts";
import { type Answer, installation } from "../test-data/test-platform.ts";

function codeOf({ status, body }: Answer): string {
  return `${status} ${body.ok ? "ok" : body.error.code}`;
}

const grantIn = ({ body }: Answer) => dataIn<CapabilityGrant>(body);
const hour = { scope: "until", forMs: 3_600_000 } as const;

describe.each(["socket", "embedded"] as const)("over HTTP (%s)", (way) => {
  test("a model is refused and asks, an operator grants once, it is used, and refused again", async () => {
    const { platform, agent, agentId, operator, fetch, list, answer, reached } = await reachingAccount(way);
    const refused = await fetch(agent);
    expect(codeOf(refused)).toBe("403 capability_denied");
    const [question, ...more] = await list(operator);
    expect(more).toStrictEqual([]);
    expect(question).toMatchObject({
      capability: "net:example.com",
      status: "pending",
      asker: { keyId: agentId, kind: "key" },
      reason: "web.fetch was refused for want of it",
    });
    const { grantId = "" } = question ?? {};
    expect(errorIn(refused.body).details).toMatchObject({ grantId, capability: "net:example.com" });
    const granted = await answer(grantId, operator, { answer: "granted", note: "once, to look" });
    expect(grantIn(granted)).toMatchObject({
      grantId,
      status: "granted",
      scope: "once",
      note: "once, to look",
      decidedBy: { kind: "key", scopes: ["admin"] },
    });
    expect(codeOf(await fetch(agent))).toBe("200 ok");
    expect(codeOf(await fetch(agent))).toBe("403 capability_denied");
    expect(reached).toStrictEqual([page]);
    expect((await list(operator, "?status=used"))[0]).toMatchObject({ grantId, usedBy: expect.any(String) });
    expect((await list(operator, "?status=any")).map(({ status }) => status)).toStrictEqual([
      "used",
      "pending",
    ]);
    expect((await verifyAccount(platform.store, "acct_1")).status).not.toBe("broken");
  });

  test("what nobody has asked for is granted by its name, to whom it names, and ended", async () => {
    const { agent, agentId, operator, other, fetch, list, answer, request } = await reachingAccount(way);
    const body = { capability: "net:example.com", ...hour, keyId: agentId, note: "for a day" };
    const made = await request("/api/grants", { key: operator, body });
    const { grantId, holder, expiresAt, createdAt } = grantIn(made);
    expect(holder).toStrictEqual({ accountId: "acct_1", keyId: agentId });
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(3_600_000);
    expect([codeOf(await fetch(agent)), codeOf(await fetch(other))]).toStrictEqual([
      "200 ok",
      "403 capability_denied",
    ]);
    expect(grantIn(await answer(grantId, operator, { answer: "revoked", note: "enough" }))).toMatchObject({
      status: "revoked",
      note: "enough",
    });
    expect(codeOf(await fetch(agent))).toBe("403 capability_denied");
    expect((await list(operator, "?status=revoked")).map((one) => one.grantId)).toStrictEqual([grantId]);
  });

  test("what is denied is not asked again, and whoever asked reads why", async () => {
    const { agent, operator, fetch, list, asked, answer } = await reachingAccount(way);
    const { grantId } = await asked();
    expect(codeOf(await answer(grantId, operator, { answer: "denied", note: "not that one" }))).toBe(
      "200 ok",
    );
    expect(codeOf(await fetch(agent))).toBe("403 capability_denied");
    expect(await list(operator)).toStrictEqual([]);
    expect(await list(agent, "?status=denied")).toMatchObject([{ grantId, note: "not that one" }]);
  });
});

test("a session's grant is for that session, and a run of the same key asks for itself", async () => {
  const { agent, agentId, operator, fetch, request, list } = await reachingAccount();
  const body = { capability: "net", scope: "session", sessionId: "monday", keyId: agentId };
  expect(codeOf(await request("/api/grants", { key: operator, body }))).toBe("200 ok");
  expect(codeOf(await fetch(agent, page, { "x-sf-session": "monday" }))).toBe("200 ok");
  expect(codeOf(await fetch(agent, page, { "x-sf-session": "tuesday" }))).toBe("403 capability_denied");
  const lent = await request("/api/runs/run_0123456789/credential", { key: agent, body: {} });
  const { token } = dataIn<{ token: string }>(lent.body);
  expect(codeOf(await fetch(token, page, {}))).toBe("403 capability_denied");
  expect(await list(agent, "?status=pending")).toMatchObject([
    { asker: { kind: "run", runId: "run_0123456789", keyId: agentId } },
  ]);
});

test.each([
  ["sessionId", "monday"],
  ["runId", "run_0123456789"],
])("G3: whoever calls itself that has nothing by it: a grant to a %s names its key", async (name, value) => {
  const { agent, agentId, other, operator, fetch, request } = await reachingAccount();
  const scope = name === "runId" ? "turn" : "session";
  const body = { capability: "net", scope, [name]: value };
  const unnamed = await request("/api/grants", { key: operator, body });
  expect([unnamed.status, errorIn(unnamed.body).message]).toStrictEqual([
    400,
    "grant/keyId: a run and a session are what their caller calls them; name the key as well whose they are, or neither",
  ]);
  expect(codeOf(await request("/api/grants", { key: operator, body: { ...body, keyId: agentId } }))).toBe(
    "200 ok",
  );
  const as = async (key: string) => {
    if (name === "sessionId") return codeOf(await fetch(key, page, { "x-sf-session": value }));
    const lent = await request(`/api/runs/${value}/credential`, { key, body: {} });
    return codeOf(await fetch(dataIn<{ token: string }>(lent.body).token, page, {}));
  };
  expect([await as(agent), await as(other)]).toStrictEqual(["200 ok", "403 capability_denied"]);
});

test("an operator sees all of its account's, another key what it asked for or was granted, oldest first and page by page", async () => {
  const clock = new ManualClock(Date.now());
  const { agent, agentId, operator, other, fetch, list, request } = await reachingAccount("embedded", {
    clock,
  });
  for (const [key, url] of [
    [agent, "https://a.example/"],
    [other, "https://b.example/"],
    [agent, "https://c.example/"],
  ] as const) {
    await fetch(key, url);
    clock.jump(1);
  }
  for (const keyId of [agentId, undefined]) {
    await request("/api/grants", { key: operator, body: { capability: "net:d.example", ...hour, keyId } });
    clock.jump(1);
  }
  const named = async (key: string, query?: string) =>
    (await list(key, query)).map(({ capability }) => capability.slice(4, 5)).join("");
  expect(await named(operator)).toBe("abcdd");
  expect(await named(agent)).toBe("acd");
  expect(await named(other)).toBe("b");
  expect(await named(operator, "?status=pending")).toBe("abc");
  expect(await named(operator, "?status=granted")).toBe("dd");
  let pages = "";
  for (let query = "?limit=2"; ; ) {
    const { body } = await request(`/api/grants${query}`, { key: operator });
    const { items, next } = dataIn<{ items: CapabilityGrant[]; next?: string }>(body);
    pages += `${items.map(({ capability }) => capability.slice(4, 5)).join("")} `;
    if (next === undefined) break;
    query = `?limit=2&after=${encodeURIComponent(next)}`;
  }
  expect(pages).toBe("ab cd d ");
  clock.jump(24 * 3_600_000);
  expect(await named(operator)).toBe("");
  expect(await named(operator, "?status=any")).toBe("abcdd");
});

test.each(["?status=open", "?status=", "?limit=0", "?limit=101", "?stat=any", "?status=any&status=any"])(
  "a query that is none of ours is refused: %s",
  async (query) => {
    const { operator, request } = await reachingAccount();
    expect(codeOf(await request(`/api/grants${query}`, { key: operator }))).toBe("400 invalid_input");
  },
);

test("J3: an operator beside the platform, at the same store, is heard", async () => {
  const store = createMemoryStore();
  const { platform, agent, fetch, asked } = await reachingAccount("embedded", { store });
  const { grantId } = await asked();
  const principal = { accountId: "acct_1", keyId: "anna", scopes: ["admin"], kind: "operator" } as const;
  const guest = openGuestOperator({ store, installation, principal, waitMs: 5000 });
  expect(await guest.capabilities.grant(grantId, hour)).toMatchObject({ grantId, status: "granted" });
  expect(codeOf(await fetch(agent))).toBe("200 ok");
  expect(await recordsOf(platform.store, "acct_1", "capability.answered")).toMatchObject([
    { named: grantId, by: { keyId: "anna" } },
  ]);
});
