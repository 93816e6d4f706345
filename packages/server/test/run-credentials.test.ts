// What a run acts with: lent by a key, for a quarter of an hour, with less than the key has; it asks and never answers (A2), and is
// dead with its key (I1).
import { defineTool, verifyAccount } from "@spfunctions/kernel";
import { type JWTPayload, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { atFirst, FaultyStore } from "../../kernel/test-data/call-store.ts";
import type { NewKey } from "../src/keys/change-keys.ts";
import { openPlatform } from "../src/open-platform.ts";
import { approvalIn, asksAboutWrites, dataIn } from "../test-data/asking-account.ts";
import { recordsOf } from "../test-data/journal-records.ts";
import {
  type Answer,
  ask,
  type Asked,
  installation,
  testPlatform,
  type Way,
} from "../test-data/test-platform.ts";

const runId = "run_0123456789";
const minute = 60_000;
const everything: NewKey = {
  scopes: ["read", "write", "trade", "admin"],
  trade: { allowedVenues: ["kalshi"], maxOrderCostCents: 1000, maxQuantity: 10, requireLimitPrice: false },
};

type Lent = {
  readonly token: string;
  readonly scopes: string[];
  readonly createdAt: string;
  readonly expiresAt: string;
};

async function house(
  terms: NewKey = { scopes: ["read", "write"] },
  { way = "embedded", ...options }: Parameters<typeof testPlatform>[1] & { way?: Way } = {},
) {
  const clock = new ManualClock();
  const here = await testPlatform(way, { clock, ...options });
  const { key, secret } = await here.platform.createKey("acct_1", terms);
  const lend = async (of = runId, { by = secret, ...asked }: Asked & { by?: string } = {}) =>
    await ask(here, `/api/runs/${of}/credential`, { key: by, body: {}, ...asked });
  const lent = async (of = runId) => dataIn<Lent>((await lend(of)).body);
  const as = async (token: string, path = "/api/agent/world", asked: Asked = {}) =>
    await ask(here, path, { key: token, ...asked });
  const now = Math.floor(clock.now() / 1000);
  const claims = (change: JWTPayload = {}): JWTPayload => ({
    iss: installation.id,
    aud: "simplefunctions-run",
    sub: key.keyId,
    account: "acct_1",
    runId,
    iat: now,
    exp: now + 900,
    jti: "one",
    ...change,
  });
  return { ...here, clock, secret, keyId: key.keyId, lend, lent, as, claims };
}

function codeOf({ status, body }: Answer): string {
  return body.ok ? String(status) : `${status} ${body.error.code}`;
}

async function signed(payload: JWTPayload, typ = "sf-run+jwt"): Promise<string> {
  return await new SignJWT(payload).setProtectedHeader({ alg: "HS256", typ }).sign(installation.tokens);
}

describe.each(["socket", "embedded"] as const)("over HTTP (%s)", (way) => {
  test("a key lends a run all it has but trade and admin, for 15 minutes", async () => {
    const { lent, clock } = await house(everything, { way });
    expect(await lent()).toStrictEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      runId,
      scopes: ["read", "write"],
      createdAt: new Date(clock.now()).toISOString(),
      expiresAt: new Date(clock.now() + 15 * minute).toISOString(),
    });
  });

  test("what a run does is recorded as the run's, driven by a model, whatever is claimed", async () => {
    const { lent, as, store } = await house({ scopes: ["read", "write"] }, { way });
    const { token } = await lent();
    for (const claimed of [undefined, "direct", "model", "subagent"]) {
      const headers = claimed === undefined ? {} : { "x-sf-origin": claimed };
      expect(codeOf(await as(token, "/api/notes", { body: {}, headers }))).toBe("200");
    }
    const intents = await recordsOf(store, "acct_1", "call.intended");
    const own = intents.filter(({ tool }) => tool === "notes.add");
    expect(own.map(({ origin }) => origin)).toStrictEqual(["model", "model", "model", "subagent"]);
    for (const { principal } of own)
      expect(principal).toMatchObject({ kind: "run", runId, scopes: ["read", "write"], accountId: "acct_1" });
  });
});

test("what is lent is over to the second, and what is lent again goes on", async () => {
  const { lent, as, clock } = await house();
  const first = await lent();
  clock.advance(15 * minute - 1000);
  expect(codeOf(await as(first.token))).toBe("200");
  const second = await lent();
  clock.advance(1000);
  expect(codeOf(await as(first.token))).toBe("401 invalid_api_key");
  expect(codeOf(await as(second.token))).toBe("200");
});

test("it is dead with its key, at once: revoked, or expired", async () => {
  const { lent, lend, as, key, keyId, clock, ...here } = await house({
    scopes: ["read"],
    expiresAt: new Date(new ManualClock().now() + 10 * minute).toISOString(),
  });
  const { token } = await lent();
  expect(codeOf(await as(token))).toBe("200");
  clock.advance(10 * minute);
  expect(codeOf(await as(token))).toBe("401 invalid_api_key");
  clock.advance(-10 * minute);
  expect(codeOf(await as(token))).toBe("200");
  const admin = await key("acct_1", { scopes: ["admin"] });
  await ask(here, `/api/keys/${keyId}`, { key: admin, method: "DELETE" });
  expect(codeOf(await as(token))).toBe("401 invalid_api_key");
  expect(codeOf(await lend())).toBe("401 invalid_api_key");
});

test("it has what its key has today: bounded tools, quotas, rates", async () => {
  const { lent, as, secret, ...here } = await house({
    scopes: ["read", "write"],
    allowTools: ["world.*", "research.*"],
    quotas: { search_cost: 2 },
  });
  const [one, two] = [await lent(), await lent("run_9876543210")];
  expect(codeOf(await as(one.token))).toBe("200");
  expect(codeOf(await as(one.token, "/api/notes", { body: {} }))).toBe("403 policy_denied");
  expect(codeOf(await as(one.token, "/api/research"))).toBe("200");
  expect(codeOf(await as(two.token, "/api/research"))).toBe("200");
  expect(codeOf(await ask(here, "/api/research", { key: secret }))).toBe("429 rate_limited");
});

describe("a run of a key that may do everything", () => {
  test.each([
    [
      "trades nothing live",
      "/api/execution",
      { venue: "kalshi", side: "yes", quantity: 1, dryRun: true },
      "403 policy_denied",
    ],
    ["makes no key", "/api/keys", {}, "403 tool_not_callable"],
    ["makes no token", "/api/tokens", { origin: "https://app.example.com" }, "403 tool_not_callable"],
    ["lends nothing", `/api/runs/${runId}/credential`, {}, "403 forbidden"],
    ["opens no vault", "/api/vault", {}, "403 tool_not_callable"],
    ["stops and starts nothing", "/api/runtime/stop", {}, "403 policy_denied"],
    ["runs no engine", "/api/engine", {}, "403 policy_denied"],
  ])("%s", async (_, path, body, code) => {
    const { lent, as, deeds } = await house(everything);
    const { token } = await lent();
    const headers = { "x-sf-origin": "direct" };
    expect(codeOf(await as(token, path, { body, headers }))).toBe(code);
    expect(deeds).toStrictEqual([]);
  });

  test("hears no events, sees no keys, and lists no approvals and no grants", async () => {
    const { lent, as } = await house(everything);
    const { token } = await lent();
    for (const path of [
      "/api/events",
      `/api/runs/${runId}/events`,
      "/api/keys",
      "/api/approvals",
      "/api/approvals/grants",
    ])
      expect([path, (await as(token, path)).status]).toStrictEqual([path, 403]);
  });
});

describe("A2: a run asks, and never answers", () => {
  test("neither its own question, nor another's, also where its key is an operator's or a named approver's", async () => {
    const { lent, as, keyId, ...here } = await house({ ...everything, approvals: asksAboutWrites });
    const asked = approvalIn((await as((await lent()).token, "/api/notes", { body: {} })).body);
    const agent = await here.key("acct_1", {
      scopes: ["read", "write"],
      approvals: { ...asksAboutWrites, approvers: [keyId] },
    });
    const others = approvalIn((await as(agent, "/api/notes", { body: {} })).body);
    for (const run of [runId, "run_9876543210"]) {
      const { token } = await lent(run);
      for (const id of [asked, others])
        for (const answer of ["approved", "denied", "approved_for_session"]) {
          const said = await as(token, `/api/approvals/${id}/answer`, { body: { answer } });
          expect(["403 forbidden", "404 not_found"]).toContain(codeOf(said));
        }
    }
    const operator = await here.key("acct_1", { scopes: ["admin"] });
    for (const id of [asked, others])
      expect(dataIn((await as(operator, `/api/approvals/${id}`)).body).status).toBe("pending");
    expect(here.deeds).toStrictEqual([]);
  });

  test("nor does the key that has lent it what it acts with, however it may answer others", async () => {
    const { lent, as, deeds, secret } = await house({ ...everything, approvals: asksAboutWrites });
    const asked = approvalIn((await as((await lent()).token, "/api/notes", { body: {} })).body);
    const said = await as(secret, `/api/approvals/${asked}/answer`, { body: { answer: "approved" } });
    expect(codeOf(said)).toBe("403 forbidden");
    expect(codeOf(await as((await lent()).token, "/api/notes", { body: {} }))).toBe("409 approval_required");
    expect(deeds).toStrictEqual([]);
  });

  test("it sees what it asked itself, and no question of another run or of its key", async () => {
    const { lent, as, secret } = await house({ scopes: ["read", "write"], approvals: asksAboutWrites });
    const [one, two] = [await lent(), await lent("run_9876543210")];
    const asked = approvalIn((await as(one.token, "/api/notes", { body: {} })).body);
    const keys = approvalIn((await as(secret, "/api/notes", { body: { text: "mine" } })).body);
    const codes = async (by: string) => [
      codeOf(await as(by, `/api/approvals/${asked}`)),
      codeOf(await as(by, `/api/approvals/${keys}`)),
    ];
    expect(await codes(one.token)).toStrictEqual(["200", "404 not_found"]);
    expect(await codes(two.token)).toStrictEqual(["404 not_found", "404 not_found"]);
    expect(await codes(secret)).toStrictEqual(["200", "200"]);
  });

  test("a yes is for the run that asked, under what is lent it later too, and for no other run", async () => {
    const { lent, as, clock, deeds, ...here } = await house({
      scopes: ["read", "write"],
      approvals: asksAboutWrites,
    });
    const operator = await here.key("acct_1", { scopes: ["admin"] });
    const write = async (of: string) =>
      await as((await lent(of)).token, "/api/notes", { body: { text: "milk" } });
    const asked = approvalIn((await write(runId)).body);
    await as(operator, `/api/approvals/${asked}/answer`, { body: { answer: "approved" } });
    expect(codeOf(await write("run_9876543210"))).toBe("409 approval_required");
    clock.advance(minute);
    expect(codeOf(await write(runId))).toBe("200");
    expect(codeOf(await write(runId))).toBe("409 approval_required");
    expect(deeds).toHaveLength(1);
    expect((await verifyAccount(here.store, "acct_1")).status).not.toBe("broken");
  });
});

describe("nothing is lent", () => {
  test.each([
    ["without a key", {}, "401 missing_api_key"],
    ["with another's words", { by: "sf_live_00000000000000000000000000000000" }, "401 invalid_api_key"],
    ["with more in the body", { body: { scopes: ["admin"] } }, "400 invalid_input"],
    ["with no JSON", { body: "{" }, "400 invalid_input"],
  ])("%s", async (_, asked, code) => {
    const { lend, ...here } = await house();
    expect(
      codeOf(
        "by" in asked || "body" in asked
          ? await lend(runId, asked)
          : await ask(here, `/api/runs/${runId}/credential`, { body: {} }),
      ),
    ).toBe(code);
  });

  test.each(["x", "run_", "run_1", "call_0123456789", "run_%2e%2e%2f0123456789", `run_${"a".repeat(65)}`])(
    "to %s, which is no run",
    async (of) => {
      const { lend } = await house();
      expect(codeOf(await lend(of))).toBe("400 invalid_input");
    },
  );

  test("with a page's token, and to a page", async () => {
    const origin = "https://app.example.com";
    const { lent, as, secret } = await house(undefined, { allowedOrigins: [origin] });
    const minted = await as(secret, "/api/tokens", { body: { origin, scopes: ["read", "write"] } });
    const { token } = dataIn<{ token: string }>(minted.body);
    const headers = { origin };
    const path = `/api/runs/${runId}/credential`;
    expect(codeOf(await as(token, path, { body: {}, headers }))).toBe("403 forbidden");
    expect(codeOf(await as(secret, path, { body: {}, headers }))).toBe("403 browser_key_forbidden");
    expect(codeOf(await as((await lent()).token, "/api/agent/world", { headers }))).toBe("403 forbidden");
  });
});

describe("what is no credential of ours is no key at all", () => {
  test("one as we make them, made by hand with our secret, passes: what follows differs in one thing each", async () => {
    const { as, claims } = await house();
    expect(codeOf(await as(await signed(claims())))).toBe("200");
  });

  test.each<[string, JWTPayload]>([
    ["a page's audience", { aud: "simplefunctions-browser" }],
    ["another installation", { iss: `sha256:${"0".repeat(64)}` }],
    ["no key", { sub: "key_00000000" }],
    ["another account", { account: "acct_2" }],
    ["the operator", { sub: "operator" }],
    ["no run", { runId: undefined }],
    ["no run's id", { runId: "x" }],
    ["scopes", { scopes: ["admin"] }],
    ["no end", { exp: undefined as never }],
    ["longer than 15 minutes", { exp: 9_999_999_999 }],
  ])("%s", async (_, change) => {
    const { as, claims } = await house();
    expect(codeOf(await as(await signed(claims(change))))).toBe("401 invalid_api_key");
  });

  test("a page's token is no run's, nor the other way round", async () => {
    const { as, claims } = await house();
    expect(codeOf(await as(await signed(claims(), "sf-browser+jwt")))).toBe("401 invalid_api_key");
    const { runId: _, ...rest } = claims({ aud: "simplefunctions-browser" });
    const page = await signed({ ...rest, origin: "https://a.example.com", scopes: ["read"] });
    expect(codeOf(await as(page))).toBe("401 invalid_api_key");
  });
});

test("what a crash has left of a run's call is settled at the start, as that run's", async () => {
  const seen: unknown[] = [];
  const put = defineTool({
    name: "desk.put",
    description: "Can be done again without harm.",
    input: {},
    output: {},
    permissions: [],
    sideEffect: "user_write",
    costEffect: "none",
    idempotency: { type: "natural" },
    http: { method: "POST", path: "/api/desk" },
    run: (_, { principal, attempt }) => {
      seen.push([principal.kind, principal.runId, attempt]);
      return {};
    },
  });
  const store = new FaultyStore();
  // Not closed when its test has ended: that process is gone.
  const platform = await openPlatform({ store, installation, packs: [put] });
  const { secret } = await platform.createKey("acct_1", { scopes: ["read", "write"] });
  const here = { baseUrl: "http://localhost", fetch: platform.fetch };
  const lent = await ask(here, `/api/runs/${runId}/credential`, { key: secret, body: {} });
  const { token } = dataIn<Lent>(lent.body);
  store.fault = atFirst("call.settled", { type: "die", written: false });
  void ask(here, "/api/desk", { key: token, body: {} });
  await store.died.promise;
  const again = await testPlatform("embedded", { store: store.inner, packs: [put] });
  expect(again.platform.settled).toMatchObject([{ tool: "desk.put", outcome: "completed", by: "retry" }]);
  expect(seen).toStrictEqual([
    ["run", runId, 1],
    ["run", runId, 2],
  ]);
});
