// I1: nothing of one account can be seen, named or changed with another account's key, and what is not yours is answered exactly
// as what is not there.
import { type ContractTool, encodeToolInput, toolRouteOf } from "@spfunctions/contracts";
import { startOfEvents, verifyAccount } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { neutralWordsOf, textUntil } from "../test-data/answer-words.ts";
import { ask, type Asked, type TestPlatform, testPlatform } from "../test-data/test-platform.ts";

const mark = "zebra-of-the-first-account";
const trade = { allowedVenues: ["kalshi"], maxOrderCostCents: 1000, maxQuantity: 10 };
const mighty = { scopes: ["read", "write", "trade", "admin"] as const, trade };

/** An account in which something has happened, and what must never be seen of it. */
async function inhabited(platform: TestPlatform) {
  const key = await platform.key("acct_first", { ...mighty, name: mark });
  const headers = { "idempotency-key": "same-key" };
  const made = await ask(platform, "/api/keys", { key, body: { name: mark } });
  const note = await ask(platform, "/api/notes", { key, headers, body: { text: mark } });
  const read = await ask(platform, `/api/portfolio/${mark}`, { key });
  await ask(platform, "/api/runtime/stop", { key, method: "POST" });
  const { key: view } = (made.body as { data: { key: { keyId: string } } }).data;
  const runIds = [made, note, read].map(({ body }) => body.meta.receipt?.runId ?? "");
  const callIds = [made, note, read].map(({ body }) => body.meta.receipt?.callId ?? "");
  const own = note.body.meta.receipt?.principal.keyId ?? "";
  const secrets = [mark, "acct_first", key, view.keyId, own, ...runIds, ...callIds];
  for (const one of secrets) expect(one.length).toBeGreaterThan(5);
  return { key, keyId: view.keyId, runIds, secrets };
}

function callOf(tool: ContractTool): { readonly path: string } & Asked {
  const input = Object.fromEntries(
    Object.entries((tool.input["properties"] ?? {}) as Record<string, { type?: string; enum?: string[] }>)
      .filter(([name]) => (tool.input["required"] as string[] | undefined)?.includes(name) === true)
      .map(([name, { type, enum: words }]) => [
        name,
        words?.[0] ?? { integer: 1, number: 1, boolean: true, array: [] }[type ?? ""] ?? mark,
      ]),
  );
  const route = toolRouteOf(tool);
  if (route === undefined) throw new Error(`${tool.name} has no route`);
  return { method: route.method, ...encodeToolInput(route, input) };
}

describe.each(["socket", "embedded"] as const)("without a key (%s)", (way) => {
  test("only tools answer that say they are for everybody, and no other has run", async () => {
    const platform = await testPlatform(way);
    const { tools } = platform.platform.manifest;
    const statuses = new Map<string, number>();
    for (const tool of tools) {
      const { path, ...asked } = callOf(tool);
      statuses.set(tool.name, (await ask(platform, path, asked)).status);
    }
    const forEverybody = tools.filter(({ access }) => access.anonymousAllowed);
    const answered = [...statuses].filter(([, status]) => status !== 401).map(([name]) => name);
    expect(answered).toStrictEqual(forEverybody.map(({ name }) => name));
    expect(answered.length).toBeLessThan(tools.length);
    expect(platform.deeds.map(({ tool }) => tool).filter((name) => !answered.includes(name))).toStrictEqual(
      [],
    );
  });
});

describe.each(["socket", "embedded"] as const)("another account's key (%s)", (way) => {
  test("I1: sees nothing of an account on any route that there is", async () => {
    const platform = await testPlatform(way);
    const { secrets } = await inhabited(platform);
    const key = await platform.key("acct_second", mighty);
    const seen: string[] = [];
    for (const tool of platform.platform.manifest.tools) {
      const { path, ...asked } = callOf(tool);
      const { body } = await ask(platform, path, {
        ...asked,
        key,
        headers: { "idempotency-key": "same-key" },
      });
      // What it sends itself is no news to it.
      seen.push(JSON.stringify(body));
    }
    for (const path of [
      "/api/health",
      "/api/contracts/tools?mode=review",
      "/api/openapi.json",
      "/api/contracts/signing-key",
    ]) {
      const answer = await platform.fetch(new Request(`${platform.baseUrl}${path}`));
      seen.push(await answer.text());
    }
    expect(seen.length).toBeGreaterThan(25);
    for (const secret of secrets.filter((one) => one !== mark)) expect(seen.join("\n")).not.toContain(secret);
    expect(await ask(platform, "/api/runtime", { key })).toMatchObject({ status: 200 });
    const listed = await ask(platform, "/api/keys", { key });
    expect(JSON.stringify(listed.body)).not.toContain(mark);
  });

  test("I1: gets for what is another's the answer for what never was, byte for byte", async () => {
    const platform = await testPlatform(way);
    const { keyId, runIds } = await inhabited(platform);
    const key = await platform.key("acct_second", mighty);
    const never = "key_00000000-0000-4000-8000-000000000000";
    const noRun = "run_00000000-0000-4000-8000-000000000000";
    const pairs: readonly (readonly [string, string, Asked])[] = [
      [`/api/keys/${keyId}/rotate`, `/api/keys/${never}/rotate`, { method: "POST" }],
      [`/api/keys/${keyId}`, `/api/keys/${never}`, { method: "DELETE" }],
      [`/api/runs/${runIds[1]}/events`, `/api/runs/${noRun}/events`, {}],
    ];
    for (const [theirs, nobodys, asked] of pairs) {
      const answers = await Promise.all(
        [theirs, nobodys].map((path) => ask(platform, path, { ...asked, key })),
      );
      const [first, second] = answers.map(neutralWordsOf);
      expect(answers[0]?.status).toBe(404);
      expect(first).toBe(second);
    }
    expect(await ask(platform, "/api/keys", { key })).toMatchObject({ status: 200 });
    expect(await verifyAccount(platform.store, "acct_second")).not.toMatchObject({ status: "broken" });
  });

  test("I1: has its own events only, also with a cursor that was another's", async () => {
    const platform = await testPlatform(way);
    const first = await inhabited(platform);
    const second = await platform.key("acct_second", mighty);
    await ask(platform, "/api/notes", { key: second, body: { text: "second-was-here" } });
    const stream = async (key: string, after: string) => {
      const headers = { authorization: `Bearer ${key}`, "last-event-id": after };
      return await platform.fetch(new Request(`${platform.baseUrl}/api/events`, { headers }));
    };
    const lastRun = first.runIds.at(-1) ?? "";
    const theirs = await textUntil(await stream(first.key, startOfEvents), (text) => text.includes(lastRun));
    const cursors = [...theirs.matchAll(/^id: (.*)$/gm)].map(([, id = ""]) => id);
    expect(cursors.length).toBeGreaterThan(5);
    for (const cursor of [startOfEvents, cursors[0] ?? "", cursors.at(-1) ?? ""]) {
      const answer = await stream(second, cursor);
      await ask(platform, "/api/notes", { key: second, body: { text: "more" } });
      const text = await textUntil(answer, (sofar) => sofar.includes("run.completed"));
      for (const secret of first.secrets) expect(text).not.toContain(secret);
    }
  });

  test("I1: is told nothing of an idempotency key that another account used", async () => {
    const platform = await testPlatform(way);
    await inhabited(platform);
    const key = await platform.key("acct_second", mighty);
    const headers = { "idempotency-key": "same-key" };
    const { body } = await ask(platform, "/api/notes", { key, headers, body: { text: "mine" } });
    expect(body).toMatchObject({ ok: true, data: { echo: { text: "mine" } } });
    expect(body.meta).not.toHaveProperty("replayed");
  });
});
