// Events are followed over breaks: nothing is lost, nothing comes twice, and it ends when there is nothing more to come.
import { CancelledError, maxCursorChars, UpstreamError } from "@spfunctions/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rejectionOf } from "../../contracts/test-data/refusal-of.ts";
import { agentEvents } from "../../contracts/test-data/samples.ts";
import type { EventsOptions, FollowedEvent } from "../src/index.ts";
import { embeddedClient, type TestClient, testClient, testKey } from "../test-data/test-client.ts";
import { answer, refuse, say, TestPlatform } from "../test-data/test-platform.ts";
import { TestTiming } from "../test-data/test-timing.ts";

let platform: TestPlatform;
let timing: TestTiming;
beforeEach(async () => {
  platform = await TestPlatform.start();
  timing = new TestTiming();
});
afterEach(() => platform.stop());

const runId = agentEvents["run.started"].runId;

/** The nth event of the account. The last is the end of the run. */
const log = [
  agentEvents["run.started"],
  agentEvents["tool.resolved"],
  agentEvents["policy.checked"],
  agentEvents["tool.started"],
  agentEvents["tool.completed"],
  agentEvents["run.completed"],
];
const messageAt = (at: number) =>
  `id: seg_a:${at}.0\nevent: ${log[at]?.type}\ndata: ${JSON.stringify(log[at])}\n\n`;
const headers = { "content-type": "text/event-stream" };

/** A stream that says some things and then ends, breaks, or stays open. */
function stream(text: string, then: "end" | "break" | "stay"): Response {
  const body = new ReadableStream({
    start(controller) {
      if (text !== "") controller.enqueue(new TextEncoder().encode(text));
    },
    pull(controller) {
      if (then === "end") controller.close();
      else if (then === "break") controller.error(new Error("broken"));
      else return new Promise<void>(() => {});
      return undefined;
    },
  });
  return new Response(body, { headers });
}

/** From where a client goes on. */
const placeIn = (given: Headers) =>
  Number(/^seg_a:(\d+)\.0$/.exec(given.get("last-event-id") ?? "")?.[1] ?? -1) + 1;

async function all(events: AsyncIterable<FollowedEvent>): Promise<FollowedEvent[]> {
  const seen: FollowedEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

const whole = log.map((event, at) => ({ event, cursor: `seg_a:${at}.0` }));

describe.each([
  ["on a socket", () => testClient({ baseUrl: platform.baseUrl, apiKey: testKey }, { timing })],
  ["in process", () => embeddedClient(platform, { apiKey: testKey }, { timing })],
])("%s", (_, client: () => TestClient) => {
  test("a run is followed to its last event, and no further", async () => {
    platform.handler = () => stream(log.map((__, at) => messageAt(at)).join(""), "stay");
    expect(await all(client().events({ runId }))).toStrictEqual(whole);
    expect(platform.paths).toStrictEqual([`/api/runs/${runId}/events`]);
    expect(platform.arrived[0]?.headers.get("authorization")).toBe(`Bearer ${testKey}`);
    expect(timing.pending).toBe(0);
  });

  test.each(["end", "break"] as const)("after each %s it goes on where it was", async (then) => {
    platform.handler = ({ headers: given }) => stream(messageAt(placeIn(given)), then);
    expect(await all(client().events({ runId }))).toStrictEqual(whole);
    // A break can take along what was on its way: then it is asked for again.
    const places = new Set(platform.arrived.map(({ headers: given }) => given.get("last-event-id")));
    expect([...places]).toStrictEqual([null, ...[0, 1, 2, 3, 4].map((at) => `seg_a:${at}.0`)]);
  });

  test("half a message is not taken, and its cursor neither", async () => {
    platform.handler = ({ headers: given }, count) => {
      const next = messageAt(placeIn(given));
      return stream(count % 2 === 1 ? next.slice(0, -1) : next, "break");
    };
    expect(await all(client().events({ runId }))).toStrictEqual(whole);
  });

  test("a cursor without an event is a place to go on from", async () => {
    platform.handler = ({ headers: given }, count) =>
      count === 1
        ? stream("id: seg_a:2.0\n\n: still here\n\n", "break")
        : stream(
            log
              .slice(placeIn(given))
              .map((__, at) => messageAt(at + 3))
              .join(""),
            "end",
          );
    expect(await all(client().events({ runId }))).toStrictEqual(whole.slice(3));
  });

  test("it begins after a given cursor", async () => {
    platform.handler = ({ headers: given }) => stream(messageAt(placeIn(given)), "end");
    expect(await all(client().events({ runId, after: "seg_a:3.0" }))).toStrictEqual(whole.slice(4));
  });

  test("of a run that was over before the cursor nothing comes", async () => {
    platform.handler = () => new Response(null, { status: 204 });
    expect(await all(client().events({ runId, after: "seg_a:5.0" }))).toStrictEqual([]);
    expect(platform.arrived).toHaveLength(1);
  });

  test("an account's events go on after a run's end, until their reader leaves", async () => {
    platform.handler = () => stream(messageAt(5) + messageAt(0), "stay");
    const seen: string[] = [];
    for await (const { event } of client().events()) {
      seen.push(event.type);
      if (seen.length === 2) break;
    }
    expect([seen, platform.paths]).toStrictEqual([["run.completed", "run.started"], ["/api/events"]]);
    expect(timing.pending).toBe(0);
  });

  test("events of a kind that this client does not know are passed over", async () => {
    platform.handler = () => stream(`data: {"type":"model.dreamt"}\n\ndata: 7\n\n${messageAt(5)}`, "stay");
    expect(await all(client().events({ runId }))).toStrictEqual([whole[5]]);
  });

  test.each([
    ["no JSON", "data: {oops\n\n"],
    ["no event of its kind", 'data: {"type":"run.started"}\n\n'],
  ])("a message that is %s ends it with an error", async (__, text) => {
    platform.handler = () => stream(text, "stay");
    expect(await rejectionOf(all(client().events()))).toBeInstanceOf(UpstreamError);
    expect(platform.arrived).toHaveLength(1);
  });

  test("a stream that has fallen silent is opened again", async () => {
    platform.handler = ({ headers: given }, count) =>
      count === 1
        ? stream(messageAt(0), "stay")
        : stream(
            log
              .slice(placeIn(given))
              .map((__, at) => messageAt(at + 1))
              .join(""),
            "stay",
          );
    const events = client().events({ runId });
    const first = await events.next();
    const rest = all(events);
    await expect.poll(() => timing.pending).toBe(1);
    timing.advance(60_000);
    expect([first.value, ...(await rest)]).toStrictEqual(whole);
  });

  test.each<[string, () => Response]>([
    ["before an answer", () => stream("", "stay")],
    ["after an event", () => stream(messageAt(0), "stay")],
  ])("its caller ends it %s", async (__, reply) => {
    platform.handler = reply;
    const stop = new AbortController();
    const events = all(client().events({ signal: stop.signal }));
    await expect.poll(() => platform.arrived.length).toBe(1);
    stop.abort();
    expect(await rejectionOf(events)).toBeInstanceOf(CancelledError);
    expect([platform.arrived.length, timing.pending]).toStrictEqual([1, 0]);
  });
});

const follow = (options: EventsOptions = {}) =>
  all(testClient({ baseUrl: platform.baseUrl, apiKey: testKey }, { timing }).events(options));

const ofLength = (chars: number) => `seg_${"a".repeat(chars - 8)}:1.0`;

describe("a follower", () => {
  test.each([
    ["an unknown run", () => refuse("not_found", 404), "not_found"],
    ["a key that is not good", () => refuse("invalid_api_key", 401), "invalid_api_key"],
    ["a cursor that is none", () => refuse("invalid_input", 400), "invalid_input"],
    ["a page", () => say(200, "<html>"), "upstream_error"],
    ["an answer that is no stream", () => answer({}), "upstream_error"],
  ])("does not ask again after %s", async (_, reply, code) => {
    platform.handler = reply;
    expect((await rejectionOf(follow())).code).toBe(code);
    expect(platform.arrived).toHaveLength(1);
  });

  test("takes every cursor that a platform can give out, and no other", async () => {
    const asked: unknown[] = [];
    const inProcess = embeddedClient(
      {
        fetch: async ({ headers: given }) => {
          asked.push(given.get("last-event-id")?.length);
          return new Response(null, { status: 204 });
        },
      },
      { apiKey: testKey },
      { timing },
    );
    for (const after of [ofLength(4097), ofLength(maxCursorChars)]) {
      expect(await all(inProcess.events({ runId, after }))).toStrictEqual([]);
    }
    expect(asked).toStrictEqual([4097, maxCursorChars]);
    for (const after of ["", "a b", "é", "a\n", ofLength(maxCursorChars + 1)]) {
      const error = await rejectionOf((async () => await all(inProcess.events({ after })))());
      expect([error.code, error.details?.["path"]]).toStrictEqual(["invalid_input", "/after"]);
    }
    expect(asked).toHaveLength(2);
  });

  test("that never got through gives up as early as a call does", async () => {
    platform.handler = () => "break";
    expect((await rejectionOf(follow())).code).toBe("upstream_error");
    expect([platform.arrived.length, timing.waits]).toStrictEqual([3, [250, 500]]);
  });

  test("that did waits for a platform that comes back, longer and longer, and as long as it is asked to", async () => {
    platform.handler = (_, count) => {
      if (count === 1) return stream(`retry: 1000\n${messageAt(4)}`, "end");
      if (count === 2) return refuse("rate_limited", 429, { headers: { "retry-after": "3600" } });
      return count < 6 ? "break" : stream(messageAt(5), "end");
    };
    expect(await follow({ runId })).toStrictEqual(whole.slice(4));
    expect(timing.waits).toStrictEqual([1000, 30_000, 1000, 2000, 4000]);
  });

  test("that did gives up after five minutes without a sign, and says from where to go on", async () => {
    platform.handler = (_, count) => (count === 1 ? stream(messageAt(0), "end") : "break");
    const error = await rejectionOf(follow());
    expect([error.code, error.details?.["cursor"], timing.elapsed() > 300_000]).toStrictEqual([
      "upstream_error",
      "seg_a:0.0",
      true,
    ]);
    expect(platform.arrived.length).toBeGreaterThan(20);
  });
});
