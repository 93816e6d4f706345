// What is sent again, when, and what never is.
import {
  CancelledError,
  type ContractTool,
  RateLimitedError,
  TimeoutError,
  UpstreamError,
} from "@spfunctions/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rejectionOf } from "../../contracts/test-data/refusal-of.ts";
import { fixtureManifest } from "../test-data/fixture-tools.ts";
import { embeddedClient, type TestClient, testClient, testKey } from "../test-data/test-client.ts";
import { answer, type Reply, refuse, say, TestPlatform } from "../test-data/test-platform.ts";
import { TestTiming } from "../test-data/test-timing.ts";

let platform: TestPlatform;
let timing: TestTiming;
beforeEach(async () => {
  platform = await TestPlatform.start();
  timing = new TestTiming();
});
afterEach(() => platform.stop());

const client = (options: object = {}) =>
  testClient({ baseUrl: platform.baseUrl, apiKey: testKey, ...options }, { timing });

/** Answers with these, one after the other, and then well. */
function repliesWith(...replies: (() => Reply)[]): void {
  platform.handler = (_, count) => replies[count - 1]?.() ?? answer({ at: count });
}

const unavailable = () => refuse("journal_append_failed", 503);

test("X1: of what was sent again, an error says whether an attempt before it was never answered", async () => {
  const sf = client();
  const write = () => rejectionOf(sf.notes.write({ text: "x" }, { idempotencyKey: "once" }));
  repliesWith(
    () => "break",
    () => refuse("forbidden", 403),
  );
  expect((await write()).details).toMatchObject({ status: 403, earlier: "outcome_unknown" });
  platform.arrived.length = 0;
  repliesWith(unavailable, () => refuse("forbidden", 403));
  expect((await write()).details).not.toHaveProperty("earlier");
});

test("a tool is called by the route of the contract that is given, whatever the client was built with", async () => {
  platform.handler = () => answer({ done: true });
  const sf = client();
  const found = fixtureManifest.tools.find(({ name }) => name === "markets.read");
  const contract = {
    ...(found as ContractTool),
    http: { method: "GET", path: "/api/elsewhere/{ticker}" },
  } as const;
  expect(await sf.callByContract(contract, { ticker: "FED" })).toStrictEqual({ done: true });
  expect(platform.arrived.map(({ path }) => path)).toStrictEqual(["/api/elsewhere/FED"]);
  const { http: _, ...local } = contract;
  await expect(sf.callByContract(local, {})).rejects.toMatchObject({ code: "tool_not_callable" });
});

describe("a read is sent again", () => {
  test.each<[string, () => Reply]>([
    ["the connection broke", () => "break"],
    ["there were too many requests", () => refuse("rate_limited", 429)],
    ["the platform failed", () => refuse("internal", 500)],
    ["a proxy answered for it", () => say(503, "<html>")],
    ["its answer broke off", () => brokenBody()],
  ])("when %s", async (_, reply) => {
    repliesWith(reply, reply);
    expect(await client().markets.read("FED")).toStrictEqual({ at: 3 });
  });

  test("twice at most, unless told otherwise, and then its last error is given", async () => {
    repliesWith(...Array.from({ length: 9 }, () => unavailable));
    const error = await rejectionOf(client().markets.read("FED"));
    expect([error.code, error.details?.["status"], platform.arrived.length]).toStrictEqual([
      "journal_append_failed",
      503,
      3,
    ]);
    await rejectionOf(client({ retries: 0 }).markets.read("FED"));
    expect(platform.arrived).toHaveLength(4);
    await rejectionOf(client({ retries: 4 }).markets.read("FED"));
    expect(platform.arrived).toHaveLength(9);
  });

  test("after waits that double, of which chance takes any part", async () => {
    repliesWith(...Array.from({ length: 9 }, () => unavailable));
    await rejectionOf(client({ retries: 7 }).markets.read("FED"));
    expect(timing.waits).toStrictEqual([250, 500, 1000, 2000, 4000, 8000, 8000]);
    timing = new TestTiming();
    timing.chance = 0.1;
    platform.arrived.length = 0;
    await rejectionOf(client({ retries: 2 }).markets.read("FED"));
    expect(timing.waits).toStrictEqual([25, 50]);
  });

  test("not before the platform says", async () => {
    const date = new Date(timing.now() + 9000).toUTCString();
    repliesWith(
      () => refuse("rate_limited", 429, { headers: { "retry-after": "7" } }),
      () => refuse("rate_limited", 429, { headers: { "retry-after": date } }),
    );
    await client().markets.read("FED");
    expect(timing.waits).toStrictEqual([7000, 2000]);
  });
});

describe("nothing is sent again", () => {
  test.each([
    ["invalid_input", 400],
    ["invalid_api_key", 401],
    ["policy_denied", 403],
    ["not_found", 404],
    ["idempotency_conflict", 409],
    ["not_found", 501],
  ])("when the platform means it: %s %i", async (code, status) => {
    repliesWith(() => refuse(code, status));
    expect((await rejectionOf(client().markets.read("FED"))).code).toBe(code);
    expect(platform.arrived).toHaveLength(1);
  });

  test("when the platform asks for more patience than a call has: its error says how long", async () => {
    repliesWith(() => refuse("rate_limited", 429, { headers: { "retry-after": "3600" } }));
    const error = await rejectionOf(client().markets.read("FED"));
    expect(error).toBeInstanceOf(RateLimitedError);
    expect([error.details?.["retryAfterMs"], platform.arrived.length, timing.waits]).toStrictEqual([
      3_600_000,
      1,
      [],
    ]);
  });

  test("when the wait would end after the call's time", async () => {
    timing = new TestTiming(19_999);
    repliesWith(() => refuse("rate_limited", 429, { headers: { "retry-after": "20" } }));
    expect(await rejectionOf(client().markets.read("FED", { timeoutMs: 20_000 }))).toBeInstanceOf(
      RateLimitedError,
    );
    expect(platform.arrived).toHaveLength(1);
  });

  test.each<[string, () => Reply]>([
    ["the connection broke", () => "break"],
    ["the platform failed", unavailable],
    ["there were too many requests", () => refuse("rate_limited", 429)],
  ])("of a mutation without an idempotency key, when %s", async (_, reply) => {
    repliesWith(reply);
    await rejectionOf(client({ retries: 5 }).notes.write({ text: "x" }));
    expect(platform.arrived).toHaveLength(1);
  });
});

test("a mutation without a key whose answer is lost says that it may have taken effect", async () => {
  repliesWith(() => "break");
  const error = await rejectionOf(client().notes.write({ text: "x" }));
  expect(error).toBeInstanceOf(UpstreamError);
  expect([error.retry, error.details]).toStrictEqual([
    "never",
    { tool: "notes.write", reason: "outcome_unknown" },
  ]);
  repliesWith(...Array.from({ length: 9 }, () => (): Reply => "break"));
  const read = await rejectionOf(client().markets.read("FED"));
  expect([read.retry, read.details]).toStrictEqual([
    "after_wait",
    { tool: "markets.read", reason: "network" },
  ]);
});

test.each<[string, () => Reply]>([
  ["a proxy has given up", () => say(504, "<h1>504 Gateway Time-out</h1>")],
  ["what runs it has failed", () => refuse("upstream_error", 502)],
  ["half of the answer is missing", () => say(200, '{"ok":true,"da')],
  ["a model that it asks has failed", () => refuse("provider_failed", 502)],
])("X1: a mutation without a key is not said to be worth repeating where %s", async (_, reply) => {
  repliesWith(reply);
  const error = await rejectionOf(client().notes.write({ text: "x" }));
  expect(error.retry).toBe("never");
  expect(error.message).toMatch(/it may have taken effect; look before you repeat it/);
  repliesWith(...Array.from({ length: 9 }, () => reply));
  const keyed = await rejectionOf(client().notes.write({ text: "x" }, { idempotencyKey: "once" }));
  expect(keyed.message).not.toMatch(/may have taken effect/);
});

test("a mutation with an idempotency key is sent again under the same key and with the same input", async () => {
  const input = { text: "as it was" };
  repliesWith(
    () => "break",
    () => {
      input.text = "changed";
      return refuse("idempotency_in_progress", 409);
    },
  );
  expect(await client().notes.write(input, { idempotencyKey: "once" })).toStrictEqual({ at: 3 });
  expect(platform.arrived.map(({ headers, body }) => [headers.get("idempotency-key"), body])).toStrictEqual(
    Array.from({ length: 3 }, () => ["once", '{"text":"as it was"}']),
  );
});

test("a paid read is sent under a key of the client's own, the same with each attempt, another with each call", async () => {
  repliesWith(() => "break", unavailable);
  await client().search.run({ query: "x" });
  await client().ask.model({ question: "x" });
  await client().markets.read("FED");
  await client({ retries: 0 }).search.run({ query: "x" });
  const keys = platform.arrived.map(({ headers }) => headers.get("idempotency-key"));
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys.slice(0, 3)).toStrictEqual([keys[0], keys[0], keys[0]]);
  expect(keys[3]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[3]).not.toBe(keys[0]);
  expect(keys.slice(4)).toStrictEqual([null, null]);
});

async function isWaiting(count: number): Promise<void> {
  await expect.poll(() => platform.arrived.length).toBe(count);
}

describe.each([
  ["on a socket", (options: object) => client(options)],
  [
    "in process, by a platform that takes no notice",
    (options: object) => embeddedClient(platform, { apiKey: testKey, ...options }, { timing }),
  ],
])("a call that ends early, %s:", (_, clientWith: (options: object) => TestClient) => {
  test("its time is over, with all attempts", async () => {
    platform.handler = (__, count) => (count === 1 ? unavailable() : "silence");
    const call = rejectionOf(clientWith({ timeoutMs: 40_000 }).markets.read("FED"));
    await isWaiting(2);
    timing.advance(39_000);
    expect(timing.pending).toBe(1);
    timing.advance(1000);
    const error = await call;
    expect(error).toBeInstanceOf(TimeoutError);
    expect([error.retry, error.details]).toStrictEqual([
      "after_wait",
      { tool: "markets.read", reason: "timeout" },
    ]);
    expect(timing.pending).toBe(0);
  });

  test("its caller gives up while it waits for an answer, and a mutation may have taken effect", async () => {
    platform.handler = () => "silence";
    const stop = new AbortController();
    const call = rejectionOf(clientWith({}).notes.write({ text: "x" }, { signal: stop.signal }));
    await isWaiting(1);
    stop.abort(new Error(testKey));
    const error = await call;
    expect(error).toBeInstanceOf(CancelledError);
    expect(error.details).toStrictEqual({ tool: "notes.write", reason: "outcome_unknown" });
    expect(timing.pending).toBe(0);
  });

  test("its caller gives up in the middle of the answer", async () => {
    platform.handler = () =>
      new Response(new ReadableStream({ start: (it) => it.enqueue(new TextEncoder().encode('{"ok')) }));
    const stop = new AbortController();
    const call = rejectionOf(clientWith({}).markets.read("FED", { signal: stop.signal }));
    await isWaiting(1);
    stop.abort();
    expect(await call).toBeInstanceOf(CancelledError);
  });

  test("its caller gives up between two attempts, and no other is made", async () => {
    const stop = new AbortController();
    platform.handler = () => {
      queueMicrotask(() => stop.abort());
      return unavailable();
    };
    expect(await rejectionOf(clientWith({}).markets.read("FED", { signal: stop.signal }))).toBeInstanceOf(
      CancelledError,
    );
    expect(platform.arrived).toHaveLength(1);
  });

  test("its caller had given up before: nothing is sent", async () => {
    const error = await rejectionOf(
      clientWith({}).notes.write({ text: "x" }, { signal: AbortSignal.abort() }),
    );
    expect([error.code, error.details?.reason, platform.arrived.length]).toStrictEqual([
      "cancelled",
      "cancelled",
      0,
    ]);
  });
});

test("a signal that lives long is left without listeners", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    listeners++;
    add(...given);
  };
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    listeners--;
    remove(...given);
  };
  repliesWith(unavailable);
  await client().markets.read("FED", { signal });
  expect([listeners, timing.pending]).toStrictEqual([0, 0]);
});

function brokenBody(): Response {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"ok":true,"data"'));
    },
    pull(controller) {
      controller.error(new Error("broken"));
    },
  });
  return new Response(body);
}
