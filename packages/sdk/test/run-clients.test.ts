// What a client sends for a run: what its key has lent the run, renewed in time, and never the key itself.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rejectionOf } from "../../contracts/test-data/refusal-of.ts";
import { testClient, testKey, testToken } from "../test-data/test-client.ts";
import { answer, type Reply, refuse, TestPlatform } from "../test-data/test-platform.ts";
import { TestTiming } from "../test-data/test-timing.ts";

const runId = "run_0123456789";
const minute = 60_000;
const path = `/api/runs/${runId}/credential`;

let platform: TestPlatform;
let timing: TestTiming;
/** What the platform answers who wants a credential, and who comes with one. */
let lends: (count: number) => Reply;
let takes: (authorization: string) => Reply;

const lentWith = (token: string) =>
  answer({
    token,
    runId,
    scopes: ["read"],
    createdAt: "2031-01-01T00:00:00.000Z",
    expiresAt: "2031-01-01T00:15:00.000Z",
  });
const lent = (count: number) => lentWith(`${testToken}${count}`);

beforeEach(async () => {
  platform = await TestPlatform.start();
  timing = new TestTiming();
  let count = 0;
  lends = lent;
  takes = () => answer({ done: true });
  platform.handler = (request) =>
    request.path === path ? lends(++count) : takes(request.headers.get("authorization") ?? "");
});
afterEach(() => platform.stop());

const client = () => testClient({ baseUrl: platform.baseUrl, apiKey: testKey }, { timing });
/** What went along with every request, by its path. */
const sent = () =>
  platform.arrived.map(({ path: at, headers }) => [at, headers.get("authorization")?.replace("Bearer ", "")]);

test("the key borrows, and what was borrowed is what goes along with everything else", async () => {
  const run = client().forRun(runId);
  expect(await run.markets.read("FED")).toStrictEqual({ done: true });
  expect(await run.notes.write({ text: "x" })).toStrictEqual({ done: true });
  expect(sent()).toStrictEqual([
    [path, testKey],
    ["/api/markets/FED", `${testToken}1`],
    ["/api/notes", `${testToken}1`],
  ]);
  expect(platform.arrived[0]).toMatchObject({ method: "POST", body: "{}" });
});

test("many calls at once borrow once, and each run for itself", async () => {
  const sf = client();
  await Promise.all(Array.from({ length: 20 }, () => sf.forRun(runId).markets.read("FED")));
  expect(platform.paths.filter((one) => one === path)).toHaveLength(1);
  expect(sf.forRun("run_9876543210")).not.toBe(sf.forRun(runId));
  expect(sf.forRun(runId)).toBe(sf.forRun(runId));
});

test("it is renewed when two thirds of its life are over, by this side's clock, whatever the platform's says", async () => {
  const run = client().forRun(runId);
  await run.markets.read("FED");
  timing.advance(10 * minute - 1);
  await run.markets.read("FED");
  timing.advance(1);
  await run.markets.read("FED");
  expect(sent().map(([, by]) => by)).toStrictEqual([
    testKey,
    `${testToken}1`,
    `${testToken}1`,
    testKey,
    `${testToken}2`,
  ]);
});

test("where the platform cannot be asked, what is still good goes on being used, to its end", async () => {
  const run = client().forRun(runId);
  await run.markets.read("FED");
  lends = () => refuse("internal", 500);
  timing.advance(12 * minute);
  expect(await run.markets.read("FED")).toStrictEqual({ done: true });
  timing.advance(3 * minute);
  expect((await rejectionOf(run.markets.read("FED"))).code).toBe("internal");
});

test("one that is not taken is renewed and the call sent once more, and no oftener", async () => {
  const run = client().forRun(runId);
  takes = (by) => (by.endsWith("1") ? refuse("invalid_api_key", 401) : answer({ by: by.slice(-1) }));
  expect(await run.notes.write({ text: "x" })).toStrictEqual({ by: "2" });
  takes = () => refuse("invalid_api_key", 401);
  platform.arrived.length = 0;
  expect((await rejectionOf(run.notes.write({ text: "x" }))).code).toBe("invalid_api_key");
  expect(platform.paths).toStrictEqual(["/api/notes", path, "/api/notes"]);
});

describe("where the key has ended", () => {
  beforeEach(() => {
    lends = () => refuse("invalid_api_key", 401);
  });

  test("nothing is sent for the run, and nobody says that it may have happened", async () => {
    const error = await rejectionOf(client().forRun(runId).notes.write({ text: "x" }));
    expect([error.code, error.details?.["reason"], platform.paths]).toStrictEqual([
      "invalid_api_key",
      undefined,
      [path],
    ]);
  });

  test("X1: of an attempt before, that was never answered, it says that nobody knows", async () => {
    const run = client().forRun(runId);
    lends = lent;
    takes = () => {
      timing.advance(10 * minute);
      lends = () => refuse("invalid_api_key", 401);
      return "break";
    };
    const error = await rejectionOf(
      run.notes.write({ text: "x" }, { idempotencyKey: "once", timeoutMs: 3_600_000 }),
    );
    expect(error).toMatchObject({ code: "invalid_api_key", details: { earlier: "outcome_unknown" } });
  });

  test("the run may not act, and before it had ended it may: asked once a minute at most", async () => {
    const sf = client();
    lends = lent;
    expect(await sf.mayActFor(runId)).toBe(true);
    lends = () => refuse("invalid_api_key", 401);
    timing.advance(minute - 1);
    expect(await sf.mayActFor(runId)).toBe(true);
    timing.advance(1);
    expect(await sf.mayActFor(runId)).toBe(false);
    expect(platform.paths).toStrictEqual([path, path]);
  });

  test("and it is known as soon as a call was not taken", async () => {
    const sf = client();
    lends = lent;
    await sf.forRun(runId).markets.read("FED");
    lends = () => refuse("invalid_api_key", 401);
    takes = () => refuse("invalid_api_key", 401);
    await rejectionOf(sf.forRun(runId).markets.read("FED"));
    expect(await sf.mayActFor(runId)).toBe(false);
  });
});

test("where nobody answers, nobody has said that it may not act", async () => {
  lends = () => "break";
  expect(await client().mayActFor(runId)).toBe(true);
});

test.each([
  ["no token", lentWith("sf")],
  ["a key", lentWith(testKey)],
  ["no end", answer({ token: testToken, runId, createdAt: "2031-01-01T00:00:00.000Z" })],
  ["nothing", answer(null)],
  [
    "another run's",
    answer({
      token: testToken,
      runId: "run_9876543210",
      createdAt: "2031-01-01T00:00:00.000Z",
      expiresAt: "2031-01-01T00:15:00.000Z",
    }),
  ],
])("a platform that lends %s is not believed", async (_, reply) => {
  lends = () => reply.clone();
  const error = await rejectionOf(client().forRun(runId).markets.read("FED"));
  expect(error.code).toBe("upstream_error");
  expect(platform.paths.filter((one) => one !== path)).toStrictEqual([]);
});

test.each(["", "x", "run_", "../keys", "run_%2e%2e"])("%j is no run, and nothing is sent", (id) => {
  expect(() => client().forRun(id)).toThrow("runId is no whole run's id: that is run_ and all that follows");
  expect(platform.arrived).toStrictEqual([]);
});

test("S1: neither the key nor what was lent is in any text that is made of a client", async () => {
  const run = client().forRun(runId);
  await run.markets.read("FED");
  takes = () => refuse("forbidden", 403, { message: `you said ${testToken}1 and ${testKey}` });
  const error = await rejectionOf(run.markets.read("FED"));
  const texts = [JSON.stringify(run), JSON.stringify(error), error.message, String(error.stack)].join("\n");
  expect(texts).not.toContain(testKey);
  expect(texts).not.toContain(testToken);
});
