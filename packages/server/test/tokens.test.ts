// Short-lived tokens for pages: ours alone, whole, for one origin, for minutes, with less than their key, and dead with it.
import { createSecretKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { type JWTPayload, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import type { NewKey } from "../src/keys/change-keys.ts";
import { type Answer, ask, type Asked, installation, testPlatform } from "../test-data/test-platform.ts";

const origin = "https://app.example.com";
const minute = 60_000;

async function house(terms: NewKey = { scopes: ["read", "write"] }) {
  const clock = new ManualClock();
  const here = await testPlatform("embedded", {
    clock,
    allowedHosts: ["app.example.com"],
    allowedOrigins: [origin, "https://other.example.com"],
  });
  const { key, secret } = await here.platform.createKey("acct_1", terms);
  const mint = async (body: object = {}, by = secret) =>
    await ask(here, "/api/tokens", { key: by, body: { origin, ...body } });
  const token = async (body: object = {}) => (dataOf(await mint(body)) as { token: string }).token;
  /** As a page of that origin. */
  const page = async (shown: string, path = "/api/agent/world", { headers, ...asked }: Asked = {}) =>
    await ask(here, path, { key: shown, ...asked, headers: { origin, ...headers } });
  const seconds = Math.floor(clock.now() / 1000);
  const claims = (change: JWTPayload = {}): JWTPayload => ({
    iss: installation.id,
    aud: "simplefunctions-browser",
    sub: key.keyId,
    account: "acct_1",
    origin,
    scopes: ["read"],
    iat: seconds,
    exp: seconds + 300,
    jti: "one",
    ...change,
  });
  return { ...here, clock, secret, keyId: key.keyId, mint, token, page, claims };
}

function dataOf({ body }: Answer): unknown {
  if (body.ok) return body.data;
  throw new Error(`${body.error.code}: ${body.error.message}`);
}

function codeOf({ status, body }: Answer): string {
  return body.ok ? String(status) : `${status} ${body.error.code}`;
}

/** Signed with the installation's own key, as nobody else can, unless said otherwise. */
async function signed(
  payload: JWTPayload,
  { alg = "HS256", typ = "sf-browser+jwt", by = installation.tokens, ...rest }: Record<string, unknown> = {},
): Promise<string> {
  return await new SignJWT(payload)
    .setProtectedHeader({ alg: String(alg), typ: String(typ), ...rest })
    .sign(by as Parameters<SignJWT["sign"]>[0]);
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

describe("a token", () => {
  // proves KEY-2.15, KEY-5.7
  test("is read-only and good for five minutes unless said otherwise", async () => {
    const { mint, clock } = await house();
    const data = dataOf(await mint()) as object;
    expect(data).toStrictEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      origin,
      scopes: ["read"],
      expiresAt: new Date(clock.now() + 5 * minute).toISOString(),
    });
  });

  // proves KEY-6.20
  test("reads from its page, and writes only where it was asked for", async () => {
    const { token, page, deeds } = await house();
    const [reading, writing] = [await token(), await token({ scopes: ["read", "write"] })];
    expect(codeOf(await page(reading))).toBe("200");
    expect(codeOf(await page(reading, "/api/notes", { body: {} }))).toBe("403 policy_denied");
    expect(codeOf(await page(writing, "/api/notes", { body: {} }))).toBe("200");
    expect(codeOf(await page(reading, "/api/notes", { body: {} }))).toBe("403 policy_denied");
    expect(deeds.map(({ tool }) => tool)).toStrictEqual(["world.read", "notes.add"]);
  });

  test("is over to the second", async () => {
    const { token, page, clock } = await house();
    const short = await token({ ttlSeconds: 60 });
    clock.advance(minute - 1000);
    expect(codeOf(await page(short))).toBe("200");
    clock.advance(1000);
    expect(codeOf(await page(short))).toBe("401 invalid_api_key");
  });

  // proves KEY-2.15, KEY-5.7
  test("works from no other page, and not without one", async () => {
    const { token, page, ...here } = await house();
    const one = await token();
    const headers = { origin: "https://other.example.com" };
    expect(codeOf(await page(one, undefined, { headers }))).toBe("403 forbidden");
    expect(codeOf(await ask(here, "/api/agent/world", { key: one }))).toBe("403 forbidden");
    expect(codeOf(await page(one))).toBe("200");
  });

  test("is made for pages that may call, and for others it says what would let them in", async () => {
    const { mint, ...here } = await house();
    const made = ["https://app.example.com", "http://app.example.com:8080", "http://localhost:3000"];
    for (const own of made) expect(codeOf(await mint({ origin: own }))).toBe("200");
    const far = await mint({ origin: "https://far.example" });
    const says = "the operator of this platform can allow them: sf up --allow-origin";
    expect(far).toMatchObject({
      status: 403,
      body: {
        error: {
          code: "forbidden",
          message: `pages of https://far.example may not call here, and no token was made for them; ${says} https://far.example, or allowedOrigins of openPlatform`,
          details: { path: "/origin", reason: "wrong_origin" },
        },
      },
    });
    const called = await ask(here, "/api/agent/world", { headers: { origin: "https://far.example" } });
    expect(called.body).toMatchObject({
      error: {
        code: "forbidden",
        message: `pages of that origin may not call here; ${says} <origin>, or allowedOrigins of openPlatform`,
      },
    });
  });

  test("works where a proxy ends TLS: to its own host a browser names no origin when it reads", async () => {
    const { token, ...here } = await house();
    const key = await token();
    const from = async (host: string, site: string) =>
      codeOf(await ask(here, "/api/agent/world", { key, headers: { host, "sec-fetch-site": site } }));
    expect(await from("app.example.com", "same-origin")).toBe("200");
    expect(await from("localhost", "same-origin")).toBe("403 forbidden");
    expect(await from("app.example.com", "same-site")).toBe("403 forbidden");
    expect(await from("app.example.com", "none")).toBe("403 forbidden");
  });

  test("is bound by its key's allow-list", async () => {
    const { token, page } = await house({
      scopes: ["read", "write"],
      allowTools: ["tokens.create", "world.*"],
    });
    const one = await token({ scopes: ["read", "write"] });
    expect(codeOf(await page(one))).toBe("200");
    expect(codeOf(await page(one, "/api/research"))).toBe("403 policy_denied");
    expect(codeOf(await page(one, "/api/notes", { body: {} }))).toBe("403 policy_denied");
  });

  test("is dead with its key: revoked or expired", async () => {
    const { token, page, clock, key, keyId, ...here } = await house();
    const admin = await key("acct_1", { scopes: ["admin"] });
    const one = await token();
    expect(codeOf(await page(one))).toBe("200");
    await ask(here, `/api/keys/${keyId}`, { key: admin, method: "DELETE" });
    expect(codeOf(await page(one))).toBe("401 invalid_api_key");
    const soon = await house({
      scopes: ["read", "write"],
      expiresAt: new Date(clock.now() + minute).toISOString(),
    });
    const last = await soon.token();
    soon.clock.advance(minute);
    expect(codeOf(await soon.page(last))).toBe("401 invalid_api_key");
  });

  test("uses up its key's limits, not limits of its own", async () => {
    const { token, page, secret, ...here } = await house({
      scopes: ["read", "write"],
      quotas: { search_cost: 3 },
      rateLimit: { perSecond: 1, burst: 100 },
    });
    const [one, two] = [await token(), await token()];
    expect(codeOf(await page(one, "/api/research"))).toBe("200");
    expect(codeOf(await page(two, "/api/research"))).toBe("200");
    expect(codeOf(await ask(here, "/api/research", { key: secret }))).toBe("200");
    const last = await page(one, "/api/research");
    expect(codeOf(last)).toBe("429 rate_limited");
    expect(last.headers.get("X-RateLimit-Remaining")).toBe("94");
  });
});

describe("a token makes neither tokens nor keys", () => {
  test.each([
    ["/api/tokens", { origin }, "403 forbidden"],
    ["/api/keys", {}, "403 policy_denied"],
    ["/api/keys/key_12345678/rotate", {}, "403 policy_denied"],
    ["/api/vault", {}, "403 policy_denied"],
    ["/api/runtime/stop", {}, "403 policy_denied"],
    ["/api/execution", { venue: "kalshi", side: "yes", quantity: 1, dryRun: true }, "403 policy_denied"],
  ])("%s", async (path, body, code) => {
    const trade = {
      allowedVenues: ["kalshi"],
      maxOrderCostCents: 1000,
      maxQuantity: 10,
      requireLimitPrice: false,
    };
    const { token, page, deeds } = await house({ scopes: ["read", "write", "trade", "admin"], trade });
    const one = await token({ scopes: ["read", "write"] });
    expect(codeOf(await page(one, path, { body }))).toBe(code);
    expect(codeOf(await page(one, "/api/keys"))).toBe("403 policy_denied");
    expect(deeds).toStrictEqual([]);
  });
});

describe("a token is not made", () => {
  test.each([
    [{ scopes: ["admin"] }],
    [{ scopes: ["trade"] }],
    [{ scopes: [] }],
    [{ ttlSeconds: 901 }],
    [{ ttlSeconds: 0 }],
    [{ ttlSeconds: -5 }],
    [{ ttlSeconds: 1.5 }],
    [{ origin: "null" }],
    [{ origin: "*" }],
    [{ origin: "app.example.com" }],
    [{ origin: "https://app.example.com/path" }],
    [{ origin: "https://app.example.com?x" }],
    [{ origin: "https://user@app.example.com" }],
    [{ origin: "file:///home" }],
    [{ origin: "javascript:alert(1)" }],
  ])("for %j", async (body) => {
    const { mint } = await house({
      scopes: ["read", "write", "trade", "admin"],
      trade: { allowedVenues: ["kalshi"], maxOrderCostCents: 1, maxQuantity: 1 },
    });
    expect(codeOf(await mint(body))).toBe("400 invalid_input");
  });

  test("with a scope that its key has not", async () => {
    const { mint } = await house({ scopes: ["write"] });
    expect(codeOf(await mint({ scopes: ["read"] }))).toBe("403 forbidden");
  });
});

describe("what is no token of ours is no key at all", () => {
  test("a token as we make them, made by hand with our key, passes: what follows differs in one thing each", async () => {
    const { page, claims } = await house();
    expect(codeOf(await page(await signed(claims())))).toBe("200");
  });

  test.each<[string, JWTPayload]>([
    ["another audience", { aud: "somebody-else" }],
    ["two audiences", { aud: ["simplefunctions-browser", "somebody-else"] }],
    ["another installation", { iss: `sha256:${"0".repeat(64)}` }],
    ["no key", { sub: "key_00000000" }],
    ["another account", { account: "acct_2" }],
    ["the operator", { sub: "operator" }],
    ["wider scopes", { scopes: ["read", "admin"] }],
    ["trade", { scopes: ["trade"] }],
    ["scopes as a text", { scopes: "read write" }],
    ["one claim more", { kind: "operator" }],
    ["no end", { exp: undefined as never }],
    ["no beginning", { iat: undefined as never }],
    ["no name", { jti: undefined as never }],
  ])("%s", async (_, change) => {
    const { page, claims } = await house();
    expect(codeOf(await page(await signed(claims(change))))).toBe("401 invalid_api_key");
  });

  test.each<[string, number, number]>([
    ["over", -600, -300],
    ["over this second", -300, 0],
    ["longer than 15 minutes", 0, 901],
    ["longer than 15 minutes, and begun long ago", -100_000, 300],
    ["begun in the future", 1, 301],
    ["begun next year", 31_536_000, 31_536_300],
    ["over before it began", 100, -100],
  ])("%s", async (_, iat, exp) => {
    const { page, claims, clock } = await house();
    const now = Math.floor(clock.now() / 1000);
    expect(codeOf(await page(await signed(claims({ iat: now + iat, exp: now + exp }))))).toBe(
      "401 invalid_api_key",
    );
  });

  test("signed with another key, or with another method, or not at all", async () => {
    const { page, claims } = await house();
    const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = pair.publicKey.export({ type: "spki", format: "pem" });
    const body = encoded(claims());
    const good = await signed(claims());
    const [header, , signature] = good.split(".");
    const typ = "sf-browser+jwt";
    const forged = [
      await signed(claims(), { by: createSecretKey(randomBytes(32)) }),
      await signed(claims(), { by: createSecretKey(Buffer.from(installation.signer.publicKey)) }),
      await signed(claims(), { by: createSecretKey(Buffer.from(pem)) }),
      await signed(claims(), { alg: "HS384" }),
      await signed(claims(), { alg: "HS512" }),
      await signed(claims(), { alg: "RS256", by: pair.privateKey }),
      await signed(claims(), { typ: "JWT" }),
      await signed(claims(), { typ: "at+jwt" }),
      `${encoded({ alg: "none", typ })}.${body}.`,
      `${encoded({ alg: "none", typ })}.${body}.${signature}`,
      `${encoded({ alg: "NONE", typ })}.${body}.AA`,
      `${header}.${encoded(claims({ scopes: ["read", "write"] }))}.${signature}`,
      `${encoded({ alg: "HS256", typ, crit: ["exp"] })}.${body}.${signature}`,
      `${header}.${body}.${signature?.slice(0, -2)}`,
      `${header}.${body}.AAAA`,
      `${good}.${signature}`,
      good.slice(0, -1),
    ];
    for (const token of forged) {
      expect([token, codeOf(await page(token))]).toStrictEqual([token, "401 invalid_api_key"]);
    }
  });
});
