// How often somebody may come: by key, by address, and dearer with a wrong key.
import { describe, expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { type Answer, ask, generous, testPlatform } from "../test-data/test-platform.ts";

const wrong = `sf_live_${"x".repeat(32)}`;

function rateOf({ status, headers }: Answer): unknown {
  const rate = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after"];
  return [status, ...rate.map((name) => headers.get(name))];
}

describe("a key", () => {
  test("is told of its limit with every answer, and of how long to wait beyond it", async () => {
    const clock = new ManualClock();
    const keyRate = { perSecond: 1, burst: 5 };
    const platform = await testPlatform("socket", { clock, limits: { ...generous, keyRate } });
    const key = await platform.key("acct_1");
    const other = await platform.key("acct_1");
    const ok = rateOf(await ask(platform, "/api/agent/world", { key }));
    const refused = rateOf(await ask(platform, "/api/vault", { key, body: {} }));
    const malformed = rateOf(await ask(platform, "/api/notes", { key, body: "{" }));
    const cursor = { "last-event-id": "nonsense" };
    const stream = rateOf(await ask(platform, "/api/events", { key, headers: cursor }));
    const run = rateOf(await ask(platform, "/api/runs/nonsense/events", { key }));
    const beyond = await ask(platform, "/api/agent/world", { key });
    expect([ok, refused, malformed, stream, run, rateOf(beyond)]).toStrictEqual([
      [200, "5", "4", "1", null],
      [403, "5", "3", "2", null],
      [400, "5", "2", "3", null],
      [400, "5", "1", "4", null],
      [404, "5", "0", "5", null],
      [429, "5", "0", "5", "1"],
    ]);
    expect(beyond.body).toMatchObject({ ok: false, error: { code: "rate_limited", status: 429 } });
    expect(rateOf(await ask(platform, "/api/agent/world", { key: other }))).toStrictEqual([
      200,
      "5",
      "4",
      "1",
      null,
    ]);
    clock.advance(1000);
    expect(rateOf(await ask(platform, "/api/agent/world", { key }))).toStrictEqual([
      200,
      "5",
      "0",
      "5",
      null,
    ]);
    expect(platform.deeds).toHaveLength(3);
  });

  test("opens no more event streams than it may, however fast it asks, and again when one has ended", async () => {
    const { baseUrl, fetch, key } = await testPlatform("socket", {
      limits: { ...generous, streamsPerKey: 3 },
    });
    const secret = await key("acct_1");
    const open = async () => {
      const leaving = new AbortController();
      const headers = { authorization: `Bearer ${secret}` };
      const answer = await fetch(new Request(`${baseUrl}/api/events`, { headers, signal: leaving.signal }));
      return { status: answer.status, leave: () => leaving.abort() };
    };
    const streams = await Promise.all(Array.from({ length: 8 }, open));
    const statuses = streams.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toStrictEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    for (const { leave } of streams) leave();
    let last = await open();
    while (last.status === 429) last = await open();
    expect(last.status).toBe(200);
    last.leave();
  });
});

test.each(["keyRate", "addressRate", "anonymousRate", "wrongKeyRate"] as const)(
  "who meets %s is told its name",
  async (limit) => {
    const limits = { ...generous, [limit]: { perSecond: 1, burst: 1 } };
    const platform = await testPlatform("socket", { clock: new ManualClock(), limits });
    const keys = { anonymousRate: undefined, wrongKeyRate: wrong };
    const key = limit in keys ? keys[limit as keyof typeof keys] : await platform.key("acct_1");
    await ask(platform, "/api/agent/world", { key });
    expect((await ask(platform, "/api/agent/world", { key })).body).toMatchObject({
      error: { code: "rate_limited", details: { reason: "rate", limit } },
    });
  },
);

describe("an address", () => {
  test("that sends too much is refused whoever it is, and told how long to wait", async () => {
    const clock = new ManualClock();
    const addressRate = { perSecond: 1, burst: 3 };
    const platform = await testPlatform("socket", { clock, limits: { ...generous, addressRate } });
    const key = await platform.key("acct_1");
    const paths = ["/api/health", "/api/nothing", "/api/agent/world"];
    for (const path of paths) {
      expect((await ask(platform, path, { key })).status).toBeLessThan(429);
    }
    for (const path of [...paths, "/api/contracts/tools", "/api/events"]) {
      expect(rateOf(await ask(platform, path, { key }))).toStrictEqual([429, "3", "0", "3", "1"]);
    }
    const preflight = await platform.fetch(
      new Request(`${platform.baseUrl}/api/notes`, { method: "OPTIONS" }),
    );
    expect(preflight.status).toBe(429);
    clock.advance(1000);
    expect(await ask(platform, "/api/health")).toMatchObject({ status: 200 });
  });

  test("that shows wrong keys is told so only so often, and its good keys are not touched by it", async () => {
    const clock = new ManualClock();
    const limits = { ...generous, wrongKeyRate: { perSecond: 0.5, burst: 2 } };
    const platform = await testPlatform("socket", { clock, limits });
    const good = await platform.key("acct_1");
    const attempt = async (key = wrong) => (await ask(platform, "/api/agent/world", { key })).status;
    expect([await attempt(), await attempt(), await attempt()]).toStrictEqual([401, 401, 429]);
    expect(await attempt(good)).toBe(200);
    clock.advance(2000);
    expect([await attempt(), await attempt()]).toStrictEqual([401, 429]);
  });

  test("that calls without a key has a limit of its own", async () => {
    const limits = { ...generous, anonymousRate: { perSecond: 1, burst: 2 } };
    const platform = await testPlatform("socket", { limits, clock: new ManualClock() });
    const open = async () => await ask(platform, "/api/public/calendar");
    const answers = [await open(), await open(), await open()];
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 429]);
    expect(answers[2]?.headers.get("retry-after")).toBe("1");
    expect((await ask(platform, "/api/agent/world", { key: await platform.key("acct_1") })).status).toBe(200);
  });

  test("does not exist in process", async () => {
    const limits = { ...generous, addressRate: { perSecond: 1, burst: 1 } };
    const platform = await testPlatform("embedded", { limits });
    const answers = await Promise.all([1, 2, 3].map(() => ask(platform, "/api/health")));
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 200]);
  });
});

describe("a stranger", () => {
  test("who is refused costs no new error, however it is refused", async () => {
    const platform = await testPlatform("embedded");
    const refuse = async () => {
      const answers = [
        await ask(platform, "/api/agent/world"),
        await ask(platform, "/api/notes", { body: {} }),
        await ask(platform, "/api/agent/world", { key: wrong }),
        await ask(platform, "/api/agent/world", { key: "nonsense" }),
        await ask(platform, "/api/events"),
        await ask(platform, "/api/nothing"),
        await ask(platform, "/api/agent/world", { method: "PATCH" }),
        await ask(platform, "/api/agent/world", { headers: { origin: "https://evil.example" } }),
        await ask(platform, "/api/agent/world", { headers: { host: "evil.example" } }),
      ];
      return answers.map(({ status }) => status);
    };
    await refuse();
    let made = 0;
    const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
    onTestFinished(() => {
      Object.defineProperty(
        Error,
        "prepareStackTrace",
        before ?? { value: undefined, configurable: true, writable: true },
      );
    });
    // Every error of ours reads its own stack when it is made.
    Error.prepareStackTrace = (error) => {
      made++;
      return String(error);
    };
    expect(await refuse()).toStrictEqual([401, 401, 401, 401, 401, 404, 405, 403, 421]);
    expect(made).toBe(0);
  });
});
