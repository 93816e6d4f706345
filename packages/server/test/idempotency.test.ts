// A write that is sent again is not done again, for as long as its key is kept.
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { gatedPack } from "../test-data/gated-pack.ts";
import { type Answer, ask, type TestPlatform, testPlatform } from "../test-data/test-platform.ts";

const day = 24 * 3_600_000;
const once = { "idempotency-key": "order-1" };

function said({ status, body }: Answer): unknown {
  return body.ok ? [status, body.data, body.meta.replayed] : [status, body.error.code];
}

const writes: readonly (readonly [
  tool: string,
  method: string,
  path: string,
  body: object,
  other: object,
])[] = [
  ["notes.add", "POST", "/api/notes", { text: "a" }, { text: "b" }],
  ["sessions.touch", "POST", "/api/sessions/touch", { text: "a" }, { text: "b" }],
  ["vault.open", "POST", "/api/vault", { text: "a" }, { text: "b" }],
  ["engine.start", "POST", "/api/engine", { text: "a" }, { text: "b" }],
  ["paper.order", "POST", "/api/paper/orders", { count: 1 }, { count: 2 }],
  [
    "execution.place",
    "POST",
    "/api/execution",
    { venue: "kalshi", side: "yes", quantity: 1, limitPriceCents: 5, dryRun: true },
    { venue: "kalshi", side: "yes", quantity: 2, limitPriceCents: 5, dryRun: true },
  ],
];

async function mighty(platform: TestPlatform, accountId: string): Promise<string> {
  const trade = { allowedVenues: ["kalshi"], maxOrderCostCents: 1000, maxQuantity: 10 };
  return await platform.key(accountId, { scopes: ["read", "write", "trade", "admin"], trade });
}

describe.each(["socket", "embedded"] as const)("an idempotency key (%s)", (way) => {
  test.each(writes)("is honoured by %s", async (tool, method, path, body, other) => {
    const platform = await testPlatform(way);
    const key = await mighty(platform, "acct_1");
    const first = await ask(platform, path, { method, key, body, headers: once });
    const again = await ask(platform, path, { method, key, body, headers: once });
    const changed = await ask(platform, path, { method, key, body: other, headers: once });
    const unkeyed = await ask(platform, path, { method, key, body });
    expect([first, again, changed, unkeyed].map(said)).toStrictEqual([
      [200, { tool, echo: body }, undefined],
      [200, { tool, echo: body }, true],
      [409, "idempotency_conflict"],
      [200, { tool, echo: body }, undefined],
    ]);
    expect(platform.deeds.map(({ input }) => input)).toStrictEqual([body, body]);
  });

  test("of another account is another key", async () => {
    const platform = await testPlatform(way);
    const keys = [await platform.key("acct_1"), await platform.key("acct_2")];
    const answers: Answer[] = [];
    for (const [index, key] of keys.entries()) {
      answers.push(await ask(platform, "/api/notes", { key, body: { text: `${index}` }, headers: once }));
    }
    expect(answers.map(said)).toStrictEqual([
      [200, { tool: "notes.add", echo: { text: "0" } }, undefined],
      [200, { tool: "notes.add", echo: { text: "1" } }, undefined],
    ]);
    expect(platform.deeds.map(({ accountId }) => accountId)).toStrictEqual(["acct_1", "acct_2"]);
  });

  test("is kept for seven days, and no longer", async () => {
    const clock = new ManualClock();
    const platform = await testPlatform(way, { clock });
    const key = await platform.key("acct_1");
    const ask1 = async () => said(await ask(platform, "/api/notes", { key, body: {}, headers: once }));
    const data = { tool: "notes.add", echo: {} };
    expect(await ask1()).toStrictEqual([200, data, undefined]);
    clock.advance(7 * day - 1);
    expect(await ask1()).toStrictEqual([200, data, true]);
    clock.advance(1);
    expect(await ask1()).toStrictEqual([200, data, undefined]);
    expect(platform.deeds).toHaveLength(2);
  });

  test("of a call that still runs is in progress; however many come at once, it runs once", async () => {
    const { pack, visit, visits } = gatedPack();
    const platform = await testPlatform(way, { packs: [pack] });
    const key = await platform.key("acct_1");
    const send = () => ask(platform, "/api/gated/write", { key, body: { text: "x" }, headers: once });
    const all = Array.from({ length: 10 }, send);
    const running = await visit(0);
    const refused = await send();
    expect(said(refused)).toStrictEqual([409, "idempotency_in_progress"]);
    running.goOn();
    const answers = (await Promise.all(all)).map(said);
    expect(answers).toContainEqual([200, { text: "x" }, undefined]);
    for (const answer of answers)
      expect([
        [200, { text: "x" }, undefined],
        [409, "idempotency_in_progress"],
      ]).toContainEqual(answer);
    expect(visits).toHaveLength(1);
    expect(said(await send())).toStrictEqual([200, { text: "x" }, true]);
  });

  test("answers again what a secret was shown once without the secret", async () => {
    const platform = await testPlatform(way);
    const key = await platform.key("acct_1", { scopes: ["admin"] });
    const make = () => ask(platform, "/api/keys", { key, body: { name: "one" }, headers: once });
    const [first, again] = [await make(), await make()];
    if (!first.body.ok || !again.body.ok) throw new Error("no key was made");
    const { secret } = first.body.data as { secret: string };
    expect(secret).toMatch(/^sf_live_/);
    expect(again.body.meta.replayed).toBe(true);
    expect(first.body.meta.redacted).toContain("/secret");
    expect(JSON.stringify(again.body)).not.toContain(secret);
    const listed = await ask(platform, "/api/keys", { key });
    expect(JSON.stringify(listed.body).match(/"name":"one"/g)).toHaveLength(1);
  });

  test.each([
    ["empty", ""],
    ["too long", "k".repeat(5000)],
    ["given twice", "a, b"],
  ])("that is %s never lets a write run twice", async (_, name) => {
    const platform = await testPlatform(way);
    const key = await platform.key("acct_1");
    const headers = { "idempotency-key": name };
    const first = await ask(platform, "/api/notes", { key, body: {}, headers });
    const again = await ask(platform, "/api/notes", { key, body: {}, headers });
    const isRefused = first.status === 400 && again.status === 400;
    expect(isRefused || (again.body.ok && again.body.meta.replayed === true)).toBe(true);
    expect(platform.deeds).toHaveLength(isRefused ? 0 : 1);
  });
});
