// The life of a key, as its account sees it: made, listed, used, rotated, ended.
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import type { KeyView } from "../src/keys/key-view.ts";
import { wordsOf } from "../test-data/answer-words.ts";
import { type Answer, ask, type Asked, testPlatform } from "../test-data/test-platform.ts";

const hour = 3_600_000;
const day = 24 * hour;
const guardrails = { allowedVenues: ["kalshi"], maxOrderCostCents: 1, maxQuantity: 1 };

type Made = { readonly key: KeyView; readonly secret: string };

type Listed = { readonly items: readonly KeyView[]; readonly next?: string };

function dataOf({ body }: Answer): unknown {
  if (body.ok) return body.data;
  throw new Error(`${body.error.code}: ${body.error.message}`);
}

const madeOf = (answer: Answer) => dataOf(answer) as Made;
const listOf = (answer: Answer) => dataOf(answer) as Listed;
const errorOf = ({ body }: Answer) => (body.ok ? undefined : body.error);

function codeOf({ status, body }: Answer): string {
  return body.ok ? String(status) : `${status} ${body.error.code}`;
}

async function house() {
  const clock = new ManualClock();
  const platform = await testPlatform("embedded", { clock });
  const admin = await platform.key("acct_1", { scopes: ["admin"] });
  const as =
    (key: string) =>
    async (path: string, asked: Asked = {}) =>
      await ask(platform, path, { key, ...asked });
  const make = async (body: object = {}, key = admin) =>
    madeOf(await as(key)("/api/keys", { body: { scopes: ["read"], ...body } }));
  const rotate = async (keyId: string, key = admin) =>
    await as(key)(`/api/keys/${keyId}/rotate`, { method: "POST" });
  const revoke = async (keyId: string, key = admin) =>
    await as(key)(`/api/keys/${keyId}`, { method: "DELETE" });
  const isGood = async (key: string) => (await as(key)("/api/agent/world")).status === 200;
  return { ...platform, clock, admin, as, make, rotate, revoke, isGood };
}

describe("a new key", () => {
  test("is sf_live_ and 32 url-safe characters, another each time, and reads at once", async () => {
    const { make, isGood } = await house();
    const made = await Promise.all(Array.from({ length: 20 }, async () => await make()));
    const secrets = made.map(({ secret }) => secret);
    for (const secret of secrets) expect(secret).toMatch(/^sf_live_[A-Za-z0-9_-]{32}$/);
    expect(new Set(secrets).size).toBe(20);
    expect(await isGood(secrets[0] ?? "")).toBe(true);
  });

  test("has the scope read unless more is asked for, and says what it is", async () => {
    const { as, admin, clock } = await house();
    const { key } = madeOf(await as(admin)("/api/keys", { body: {} }));
    expect(key).toStrictEqual({
      keyId: key.keyId,
      name: "key",
      status: "active",
      scopes: ["read"],
      createdAt: new Date(clock.now()).toISOString(),
      createdBy: key.createdBy,
    });
  });

  test.each([
    [{ scopes: [] }],
    [{ scopes: ["root"] }],
    [{ scopes: ["trade"] }],
    [{ trade: guardrails }],
    [{ scopes: ["trade"], trade: { allowedVenues: ["kalshi"] } }],
    [{ expiresAt: "2025-01-01T00:00:00Z" }],
    [{ expiresAt: "soon" }],
    [{ allowTools: ["*"] }],
    [{ allowTools: ["world.read", ""] }],
    [{ rateLimit: { perSecond: 1e-9, burst: 1 } }],
    [{ quotas: { llm_cost: -1 } }],
    [{ quotas: { all: 1 } }],
    [{ accountId: "acct_2" }],
    [{ keyId: "key_12345678" }],
    [{ name: `mine sf_live_${"a".repeat(32)}` }],
    [{ scopes: ["trade"], trade: { ...guardrails, allowedVenues: [`sf_live_${"a".repeat(32)}`] } }],
    [{ scopes: ["trade"], trade: { ...guardrails, jurisdiction: `sf_live_${"a".repeat(32)}` } }],
  ])("is not made where it makes no sense: %j", async (body) => {
    const { as, admin } = await house();
    expect(codeOf(await as(admin)("/api/keys", { body }))).toBe("400 invalid_input");
    const { items } = listOf(await as(admin)("/api/keys"));
    expect(items.map(({ name }) => name)).toStrictEqual(["key"]);
  });

  test("asked for twice with one Idempotency-Key is made once, and its secret shown once", async () => {
    const { as, admin } = await house();
    const asked = { body: { name: "once" }, headers: { "idempotency-key": "make-1" } };
    const first = await as(admin)("/api/keys", asked);
    const again = await as(admin)("/api/keys", asked);
    const { key, secret } = madeOf(first);
    expect(first.body.meta).not.toHaveProperty("replayed");
    const { keyId: _, createdBy: __, ...shown } = key;
    expect(again.body).toMatchObject({ ok: true, data: { key: shown }, meta: { replayed: true } });
    expect(madeOf(again).secret).toMatch(/^\[redacted:/);
    expect(JSON.stringify(again.body)).not.toContain(secret);
    const { items } = listOf(await as(admin)("/api/keys"));
    expect(items.filter(({ name }) => name === "once")).toHaveLength(1);
  });
});

describe("whatever is wrong with a key, the answer is the same", () => {
  test("never made, mistyped, revoked, expired, rotated out, and no key at all", async () => {
    const { make, revoke, rotate, as, clock } = await house();
    const revoked = await make();
    const expired = await make({ expiresAt: new Date(clock.now() + hour).toISOString() });
    const rotated = await make();
    await revoke(revoked.key.keyId);
    await rotate(rotated.key.keyId);
    clock.advance(day);
    const live = await make();
    const wrong = [
      `sf_live_${"x".repeat(32)}`,
      `${live.secret.slice(0, -1)}${live.secret.endsWith("A") ? "B" : "A"}`,
      live.secret.toUpperCase(),
      `${live.secret}x`,
      revoked.secret,
      expired.secret,
      rotated.secret,
      live.key.keyId,
      "a.b.c",
      "nothing",
    ];
    const paths = ["/api/agent/world", "/api/keys", "/api/events", "/api/public/calendar"];
    const answers = await Promise.all(
      wrong.flatMap((secret) => paths.map(async (path) => wordsOf(await as(secret)(path)))),
    );
    const said = new Set(answers);
    expect([...said]).toHaveLength(1);
    expect([...said][0]).toContain("[401,");
  });

  test("and a page is told the same of a good key and of none", async () => {
    const { make, as } = await house();
    const { secret } = await make();
    const headers = { origin: "http://localhost" };
    const [good, none] = await Promise.all(
      [secret, `sf_live_${"x".repeat(32)}`].map(
        async (key) => await as(key)("/api/agent/world", { headers }),
      ),
    );
    expect(codeOf(good as Answer)).toBe("403 browser_key_forbidden");
    expect(wordsOf(good as Answer)).toBe(wordsOf(none as Answer));
  });
});

describe("a key that expires", () => {
  test("is good up to that moment and not a millisecond longer, with a status that says so", async () => {
    const { make, isGood, as, admin, clock } = await house();
    const { secret, key } = await make({ expiresAt: new Date(clock.now() + hour).toISOString() });
    clock.advance(hour - 1);
    expect(await isGood(secret)).toBe(true);
    clock.advance(1);
    expect(await isGood(secret)).toBe(false);
    const { items } = listOf(await as(admin)("/api/keys"));
    expect(items.find(({ keyId }) => keyId === key.keyId)?.status).toBe("expired");
  });

  test("is not brought back by a rotation", async () => {
    const { make, rotate, clock } = await house();
    const { key } = await make({ expiresAt: new Date(clock.now() + hour).toISOString() });
    clock.advance(hour);
    expect(codeOf(await rotate(key.keyId))).toBe("409 invalid_transition");
  });
});

describe("a rotation", () => {
  test("leaves the secret before good for 24 hours and not a millisecond longer", async () => {
    const { make, rotate, isGood, clock } = await house();
    const { secret, key } = await make();
    const next = madeOf(await rotate(key.keyId));
    expect(next.key.rotatedAt).toBe(new Date(clock.now()).toISOString());
    expect([await isGood(secret), await isGood(next.secret)]).toStrictEqual([true, true]);
    clock.advance(day - 1);
    expect([await isGood(secret), await isGood(next.secret)]).toStrictEqual([true, true]);
    clock.advance(1);
    expect([await isGood(secret), await isGood(next.secret)]).toStrictEqual([false, true]);
  });

  test("of one that was rotated leaves each old secret its whole day, and nothing of it after that", async () => {
    const { make, rotate, isGood, store, clock } = await house();
    const { secret: first, key } = await make();
    const { secret: second } = madeOf(await rotate(key.keyId));
    clock.advance(day / 2);
    const { secret: third } = madeOf(await rotate(key.keyId));
    const good = async () => await Promise.all([first, second, third].map(isGood));
    expect(await good()).toStrictEqual([true, true, true]);
    clock.advance(day / 2);
    expect(await good()).toStrictEqual([false, true, true]);
    await rotate(key.keyId);
    // The admin's, and this key's three.
    expect(await store.documents({ kind: "key.secret", accountId: "", limit: 100 })).toHaveLength(4);
  });

  test("comes no more often than a key can have secrets", async () => {
    const { make, rotate } = await house();
    const { key } = await make();
    const statuses: number[] = [];
    for (let time = 0; time < 10; time++) statuses.push((await rotate(key.keyId)).status);
    expect(statuses).toStrictEqual([...Array.from({ length: 9 }, () => 200), 409]);
  });

  test("changes nothing else of a key", async () => {
    const { make, rotate, clock } = await house();
    const terms = {
      name: "bounded",
      scopes: ["read", "write"],
      allowTools: ["world.*", "notes.add"],
      expiresAt: new Date(clock.now() + day).toISOString(),
      rateLimit: { perSecond: 5, burst: 10 },
      quotas: { api_cost: 100 },
    };
    const { key } = await make(terms);
    const { key: after } = madeOf(await rotate(key.keyId));
    expect(after).toStrictEqual({ ...key, rotatedAt: new Date(clock.now()).toISOString() });
  });

  test("twice at once: one wins, the other is told of the conflict, and nothing is half done", async () => {
    const { make, rotate, isGood, as, admin, store } = await house();
    const { secret, key } = await make();
    const answers = await Promise.all([rotate(key.keyId), rotate(key.keyId)]);
    expect(answers.map(codeOf).toSorted()).toStrictEqual(["200", "409 revision_conflict"]);
    const won = answers.find(({ status }) => status === 200);
    expect([await isGood(secret), await isGood(madeOf(won as Answer).secret)]).toStrictEqual([true, true]);
    // One lead each for the admin's secret and this key's two: the loser's secret leads nowhere.
    const leads = await store.documents({ kind: "key.secret", accountId: "", limit: 100 });
    expect(leads).toHaveLength(3);
    expect(listOf(await as(admin)("/api/keys")).items).toHaveLength(2);
  });
});

describe("a revocation", () => {
  test("ends every secret at once, and leaves no way from any secret to the key", async () => {
    const { make, rotate, revoke, isGood, store, clock } = await house();
    const { secret, key } = await make();
    const { secret: second } = madeOf(await rotate(key.keyId));
    expect([await isGood(secret), await isGood(second)]).toStrictEqual([true, true]);
    const { key: after } = madeOf(await revoke(key.keyId));
    expect(after).toMatchObject({ status: "revoked", revokedAt: new Date(clock.now()).toISOString() });
    expect([await isGood(secret), await isGood(second)]).toStrictEqual([false, false]);
    expect(await store.documents({ kind: "key.secret", accountId: "", limit: 100 })).toHaveLength(1);
  });

  test("is final: a second one changes nothing, and nothing brings the key back", async () => {
    const { make, rotate, revoke, clock } = await house();
    const { key } = await make();
    const first = dataOf(await revoke(key.keyId));
    clock.advance(hour);
    expect(dataOf(await revoke(key.keyId))).toStrictEqual(first);
    expect(codeOf(await rotate(key.keyId))).toBe("409 invalid_transition");
  });

  test("is on record with the key that was ended: asked for again, the answer names it", async () => {
    const { make, as, admin } = await house();
    const made = await Promise.all(Array.from({ length: 8 }, async () => await make()));
    const ended = await Promise.all(
      made.map(async ({ key: { keyId } }, index) => {
        const asked = { method: "DELETE", headers: { "idempotency-key": `end-${index}` } };
        await as(admin)(`/api/keys/${keyId}`, asked);
        const again = await as(admin)(`/api/keys/${keyId}`, asked);
        return [again.body.meta.replayed, madeOf(again).key.keyId];
      }),
    );
    expect(ended).toStrictEqual(made.map(({ key: { keyId } }) => [true, keyId]));
  });

  test("at the same time as a rotation: one of them wins, and then the key is what the winner made of it", async () => {
    const { make, rotate, revoke, isGood } = await house();
    const { secret, key } = await make();
    const [rotated, revoked] = await Promise.all([rotate(key.keyId), revoke(key.keyId)]);
    const codes = [codeOf(rotated), codeOf(revoked)];
    expect(codes.toSorted()).toStrictEqual(["200", "409 revision_conflict"]);
    expect(await isGood(secret)).toBe(codes[0] === "200");
  });

  test("of the key that asks for it is its last deed", async () => {
    const { admin, as, revoke } = await house();
    const { items } = listOf(await as(admin)("/api/keys"));
    expect(codeOf(await revoke(items[0]?.keyId ?? ""))).toBe("200");
    expect(codeOf(await as(admin)("/api/keys"))).toBe("401 invalid_api_key");
  });
});

describe("a key that is bounded itself", () => {
  const tools = ["keys.*", "world.read"];

  test("makes keys within its bounds alone", async () => {
    const { make, as, clock } = await house();
    const at = (ms: number) => new Date(clock.now() + ms).toISOString();
    const narrow = await make({ scopes: ["admin"], allowTools: tools, expiresAt: at(day) });
    const create = async (body: object) => codeOf(await as(narrow.secret)("/api/keys", { body }));
    expect(await create({})).toBe("403 forbidden");
    expect(await create({ allowTools: tools })).toBe("403 forbidden");
    expect(await create({ expiresAt: at(day) })).toBe("403 forbidden");
    expect(await create({ allowTools: tools, expiresAt: at(day + 1) })).toBe("403 forbidden");
    expect(await create({ allowTools: ["world.*"], expiresAt: at(day) })).toBe("403 forbidden");
    expect(await create({ allowTools: [...tools, "notes.add"], expiresAt: at(day) })).toBe("403 forbidden");
    expect(await create({ allowTools: tools, expiresAt: at(day) })).toBe("200");
    expect(await create({ allowTools: ["keys.create"], expiresAt: at(hour) })).toBe("200");
    expect(await create({ allowTools: [], expiresAt: at(hour) })).toBe("200");
  });

  test.each([{ quotas: { search_cost: 1 } }, { rateLimit: { perSecond: 1, burst: 10 } }])(
    "by %j has it once: it makes and changes no other key, and may do both to itself",
    async (bound) => {
      const { make, as, rotate, revoke } = await house();
      const bounded = await make({ scopes: ["admin"], ...bound });
      const beside = await make(bound);
      const create = await as(bounded.secret)("/api/keys", { body: bound });
      expect(errorOf(create)).toMatchObject({
        code: "forbidden",
        message: expect.stringContaining("this key has a rate limit or quotas"),
      });
      expect(codeOf(await rotate(beside.key.keyId, bounded.secret))).toBe("403 forbidden");
      expect(codeOf(await revoke(beside.key.keyId, bounded.secret))).toBe("403 forbidden");
      expect(codeOf(await rotate(bounded.key.keyId, bounded.secret))).toBe("200");
      expect(codeOf(await revoke(bounded.key.keyId, bounded.secret))).toBe("200");
    },
  );

  test("neither rotates nor revokes a wider one, and may do both to itself", async () => {
    const { make, rotate, revoke, isGood, clock } = await house();
    const expiresAt = new Date(clock.now() + day).toISOString();
    const wide = await make();
    const narrow = await make({ scopes: ["admin"], allowTools: tools });
    const short = await make({ scopes: ["admin"], expiresAt });
    for (const { secret } of [narrow, short]) {
      expect(codeOf(await rotate(wide.key.keyId, secret))).toBe("403 forbidden");
      expect(codeOf(await revoke(wide.key.keyId, secret))).toBe("403 forbidden");
    }
    expect(await isGood(wide.secret)).toBe(true);
    expect(codeOf(await rotate(narrow.key.keyId, narrow.secret))).toBe("200");
    expect(codeOf(await revoke(narrow.key.keyId, narrow.secret))).toBe("200");
  });
});

describe("I1: keys of another account", () => {
  test("are as missing as keys that never were, to every tool", async () => {
    const { make, key, rotate, revoke, isGood, as } = await house();
    const { secret, key: mine } = await make();
    const stranger = await key("acct_2", { scopes: ["admin"] });
    for (const act of [rotate, revoke]) {
      const [foreign, missing] = [await act(mine.keyId, stranger), await act("key_00000000", stranger)];
      expect(foreign.body).toMatchObject({ ok: false, error: { code: "not_found" } });
      expect(errorOf(foreign)).toStrictEqual(errorOf(missing));
    }
    expect(await isGood(secret)).toBe(true);
    const listed = listOf(await as(stranger)("/api/keys"));
    expect(listed.items.map(({ name }) => name)).toStrictEqual(["key"]);
    const beyond = listOf(await as(stranger)(`/api/keys?after=${mine.keyId.slice(0, 5)}`));
    expect(JSON.stringify(beyond)).not.toContain(mine.keyId);
  });

  test("with one Idempotency-Key in two accounts two keys are made", async () => {
    const { as, admin, key } = await house();
    const stranger = await key("acct_2", { scopes: ["admin"] });
    const asked = { body: { name: "twin" }, headers: { "idempotency-key": "the-same" } };
    const both = await Promise.all([admin, stranger].map(async (one) => await as(one)("/api/keys", asked)));
    const [mine, theirs] = both.map((answer) => madeOf(answer));
    expect(both.map(({ body }) => "replayed" in body.meta)).toStrictEqual([false, false]);
    expect(mine?.secret).not.toBe(theirs?.secret);
  });
});

describe("the list of keys", () => {
  test("comes page by page, each key once, in one order, and never with a secret", async () => {
    const { make, as, admin } = await house();
    const made = await Promise.all(Array.from({ length: 7 }, async () => await make()));
    const pages: (readonly KeyView[])[] = [];
    for (let after = ""; ; ) {
      const answer = await as(admin)(`/api/keys?limit=3${after === "" ? "" : `&after=${after}`}`);
      const { items, next } = listOf(answer);
      pages.push(items);
      for (const { secret } of made) expect(JSON.stringify(answer.body)).not.toContain(secret);
      if (next === undefined) break;
      after = next;
    }
    expect(pages.map((page) => page.length)).toStrictEqual([3, 3, 2]);
    const ids = pages.flat().map(({ keyId }) => keyId);
    expect(ids).toStrictEqual([...new Set(ids)].toSorted());
    expect(ids).toStrictEqual(expect.arrayContaining(made.map(({ key }) => key.keyId)));
  });

  test.each(["limit=0", "limit=101", "limit=1.5", "limit=x", "after=a&after=b", "accountId=acct_2"])(
    "is not given for ?%s",
    async (query) => {
      const { as, admin } = await house();
      expect(codeOf(await as(admin)(`/api/keys?${query}`))).toBe("400 invalid_input");
    },
  );

  test.each([["read"], ["write"], ["read", "write"]] as const)(
    "is not for the scopes %s %s",
    async (...scopes) => {
      const { as, key } = await house();
      const secret = await key("acct_1", { scopes });
      expect(codeOf(await as(secret)("/api/keys"))).toBe("403 policy_denied");
    },
  );

  test("shows guardrails without the word that confirms an order", async () => {
    const { as, admin, make } = await house();
    const trade = { allowedVenues: ["kalshi"], maxOrderCostCents: 100, maxQuantity: 1 };
    const { key } = await make({ scopes: ["trade"], trade: { ...trade, confirmToken: "open sesame" } });
    const { items } = listOf(await as(admin)("/api/keys"));
    const shown = items.find(({ keyId }) => keyId === key.keyId);
    expect(shown?.trade).toStrictEqual({
      ...trade,
      requireLimitPrice: true,
      dryRunOnly: true,
      allowAutoExecute: false,
      allowRuntimeStart: false,
    });
    expect(shown).toStrictEqual(key);
  });
});

async function lastUsed(
  { as, admin }: Pick<Awaited<ReturnType<typeof house>>, "as" | "admin">,
  name: string,
): Promise<string | undefined> {
  return listOf(await as(admin)("/api/keys")).items.find((one) => one.name === name)?.lastUsedAt;
}

describe("when a key was last used", () => {
  test("is listed as soon as it is used, and kept over a restart", async () => {
    const here = await house();
    const { make, isGood, clock, platform, store } = here;
    const { secret } = await make({ name: "used" });
    expect(await lastUsed(here, "used")).toBeUndefined();
    await isGood(secret);
    const at = new Date(clock.now()).toISOString();
    expect(await lastUsed(here, "used")).toBe(at);
    await platform.close();
    const next = await testPlatform("embedded", { store, clock });
    const admin = await next.key("acct_1", { scopes: ["admin"] });
    const as = (key: string) => async (path: string) => await ask(next, path, { key });
    expect(await lastUsed({ as, admin }, "used")).toBe(at);
  });

  // proves KEY-8.11
  test("is the platform's to note, and no side effect of what was called", async () => {
    const here = await house();
    const { secret } = await here.make({ name: "reader" });
    const { body } = await here.as(secret)("/api/agent/world");
    expect(body.meta.receipt).toMatchObject({ tool: "world.read", sideEffect: "none" });
    expect(await lastUsed(here, "reader")).toBe(new Date(here.clock.now()).toISOString());
  });

  test("keys.touch writes it down at once, however many do so together", async () => {
    const here = await house();
    const { make, as, clock, store } = here;
    const { secret, key } = await make({ name: "touched", scopes: ["write"] });
    clock.advance(hour);
    const at = new Date(clock.now()).toISOString();
    const touches = await Promise.all(
      Array.from({ length: 5 }, async () => await as(secret)("/api/keys/touch", { method: "POST" })),
    );
    expect(touches.map((answer) => dataOf(answer))).toStrictEqual(
      touches.map(() => ({ keyId: key.keyId, lastUsedAt: at })),
    );
    const kept = await store.document({ kind: "key.usage", accountId: "acct_1", id: key.keyId });
    expect(kept?.body).toBe(JSON.stringify({ lastUsedAt: at }));
  });
});
