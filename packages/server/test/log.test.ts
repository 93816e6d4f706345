import { expect, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { turn } from "../../kernel/test-data/call-waiting.ts";
import { defaultPlatformLimits } from "../src/platform-limits.ts";
import { watchedStore } from "../test-data/watched-store.ts";
import type { LogLine } from "../src/log-line.ts";
import { ask, testPlatform, type Way } from "../test-data/test-platform.ts";

const secret = "sf_live_abcdefghijklmnopqrstuvwxyz012345";

test.each<Way>(["socket", "embedded"])(
  "S1: whoever wants hears of each request how it was answered, and no more of it: %s",
  async (way) => {
    const logged: LogLine[] = [];
    const platform = await testPlatform(way, { log: (line) => void logged.push(line), logRequests: true });
    const key = await platform.key("acct_1");
    const asked = [
      await ask(platform, "/api/health"),
      await ask(platform, `/api/${secret}?token=${secret}`, { key, headers: { "x-more": secret } }),
      await ask(platform, `/api/${"x".repeat(1000)}`),
    ];
    const path = `/api/${"x".repeat(195)}`;
    expect(logged).toStrictEqual([
      answered("/api/health", 200),
      answered(expect.stringMatching(/^\/api\/\[redacted:[^\]]+\]$/), 404),
      answered(path, 404),
    ]);
    expect(logged.map(({ requestId }) => requestId)).toStrictEqual(
      asked.map(({ headers }) => headers.get("x-request-id")),
    );
    for (const hidden of [secret, key]) expect(JSON.stringify(logged)).not.toContain(hidden);
  },
);

test("the line of a request has the id of its key and the tool, and nothing of either that is secret", async () => {
  const logged: LogLine[] = [];
  const log = (line: LogLine) => void logged.push(line);
  const platform = await testPlatform("socket", { log, logRequests: true });
  const { key, secret: kept } = await platform.platform.createKey("acct_1", { scopes: ["read"] });
  await ask(platform, "/api/notes", { key: kept, body: {} });
  await ask(platform, "/api/notes", { body: {} });
  await ask(platform, "/api/approvals", { key: kept });
  const who = { accountId: "acct_1", keyId: key.keyId };
  const facts = logged.map(({ accountId, keyId, tool }) => ({ accountId, keyId, tool }));
  const [tool] = facts.map((one) => one.tool);
  expect(tool).toMatch(/^notes\.[a-z]+$/);
  expect(facts).toEqual([{ ...who, tool }, { tool }, who]);
  expect(JSON.stringify(logged)).not.toContain(kept);
});

test.each<readonly [string, () => unknown]>([
  [
    "throws",
    () => {
      throw new Error("the log is full");
    },
  ],
  ["fails later", async () => await Promise.reject(new Error("the log is full"))],
])("B24: a log that %s breaks nothing", async (_, log) => {
  const clock = new ManualClock();
  const state = { isBroken: false };
  const store = watchedStore(() => {
    if (state.isBroken) throw new Error("the disk is full");
  });
  const platform = await testPlatform("embedded", { log, logRequests: true, clock, store });
  const key = await platform.key("acct_1");
  expect((await ask(platform, "/api/notes", { key, body: {} })).status).toBe(200);
  state.isBroken = true;
  expect((await ask(platform, "/api/notes", { key, body: {} })).status).toBe(500);
  // What is done from time to time fails, says so, and is tried again.
  clock.advance(defaultPlatformLimits.keyUsageMs);
  await turn();
  state.isBroken = false;
  expect((await ask(platform, "/api/notes", { key, body: {} })).status).toBe(200);
  expect(await platform.platform.close()).toStrictEqual({ cut: [], left: [] });
});

test("nobody else hears of a request that is answered", async () => {
  const logged: LogLine[] = [];
  const platform = await testPlatform("embedded", { log: (line) => void logged.push(line) });
  expect((await ask(platform, "/api/health")).status).toBe(200);
  expect(logged).toStrictEqual([]);
});

function answered(path: unknown, status: number): object {
  const message: unknown = expect.stringMatching(new RegExp(`^GET /api/\\S+ answered with ${status}$`));
  const taken = { durationMs: expect.any(Number), requestId: expect.stringMatching(/^req_/) };
  return { level: "info", event: "request.answered", message, method: "GET", path, status, ...taken };
}
