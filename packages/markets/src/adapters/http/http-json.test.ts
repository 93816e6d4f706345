import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../../../kernel/test-data/call-clock.ts";
import { LocalVenue, sendJson, sendText } from "../../../test-data/venues/local-venue.ts";
import { advanceOnce, until } from "../../../test-data/waiting.ts";
import { type HttpJson, openHttpJson } from "./http-json.ts";

let venue: LocalVenue;
let clock: ManualClock;
let get: HttpJson;

beforeEach(async () => {
  venue = await LocalVenue.open();
  clock = new ManualClock();
  get = openHttpJson("kalshi", "https://venue.invalid", { clock, baseUrl: `${venue.url}/v2/` });
});

afterEach(() => venue.close());

async function faultOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => "no fault",
    (fault: unknown) => fault,
  );
  if (!isSimpleFunctionsError(error)) return error;
  return { code: error.code, retry: error.retry, message: error.message, details: error.details };
}

const network = {
  code: "upstream_error",
  retry: "after_wait",
  message: "kalshi: it gave no whole answer; is it up, and can it be reached from here?",
  details: { reason: "network" },
};

describe("an answer", () => {
  test("is asked for below the address, with what is asked written so that it cannot lead elsewhere", async () => {
    venue.answer = (_, response) => sendJson(response, { ok: [1, "0.5600"] });
    expect(await get(["markets", "A/..?b#c"], { limit: 5, cursor: "a&b=c" })).toEqual({ ok: [1, "0.5600"] });
    expect(venue.asked).toEqual(["/v2/markets/A%2F..%3Fb%23c?limit=5&cursor=a%26b%3Dc"]);
    expect(clock.waits).toEqual([]);
  });

  test("of 404 is nothing", async () => {
    venue.answer = (_, response) => response.writeHead(404).end("{}");
    expect(await get(["markets", "NONE"], {})).toBeUndefined();
    expect(venue.requests.length).toBe(1);
  });

  test("is got without a key and without a cookie, also once the venue has set one", async () => {
    venue.answer = (_, response) => {
      response.setHeader("set-cookie", "session=1");
      sendJson(response, []);
    };
    await get(["a"], {});
    await get(["b"], {});
    const sent = venue.requests.map(({ method, headers }) => [method, headers.authorization, headers.cookie]);
    expect(sent).toEqual([
      ["GET", undefined, undefined],
      ["GET", undefined, undefined],
    ]);
  });
});

describe("what is no answer is upstream_error, and its text is repeated nowhere", () => {
  test.each([
    ["text", "<html>S3CRET-BODY</html>"],
    ["nothing", ""],
    ["half of it", '{"markets":[{"ticker":"S3CRET-BODY"'],
    ["a key twice", '{"S3CRET-BODY":1,"S3CRET-BODY":2}'],
    ["nested without end", `${"[".repeat(300)}S3CRET-BODY`],
  ])("%s", async (_, text) => {
    venue.answer = (_request, response) => sendText(response, text);
    const error: unknown = await get(["markets"], {}).catch((fault: unknown) => fault);
    expect(isSimpleFunctionsError(error) && error.toJSON()).toEqual({
      name: "UpstreamError",
      code: "upstream_error",
      message: "kalshi: it answered with something that is not JSON",
      retry: "after_wait",
      details: { reason: "not_json" },
    });
    expect(venue.requests.length).toBe(1);
  });

  test("a refusal is not asked for again", async () => {
    venue.answer = (_, response) => response.writeHead(403).end("S3CRET-BODY");
    expect(await faultOf(get(["markets"], {}))).toEqual({
      code: "upstream_error",
      retry: "never",
      message: "kalshi: it answered 403",
      details: { status: 403, reason: "status" },
    });
    expect(venue.requests.length).toBe(1);
  });

  test.each([
    ["without end", (chunk: Buffer) => chunk, {}],
    ["that is small until it is unpacked", gzipSync, { "content-encoding": "gzip" }],
  ])("an answer %s is left off at the limit", async (_, pack, headers) => {
    const small = openHttpJson("kalshi", "", { clock, baseUrl: venue.url, limits: { maxBytes: 100_000 } });
    let isClosed = false;
    venue.answer = (_request, response) => {
      response.on("close", () => {
        isClosed = true;
      });
      response.writeHead(200, headers);
      response.write(pack(Buffer.alloc(1_000_000, " ")));
    };
    expect(await faultOf(small(["markets"], {}))).toEqual({
      code: "upstream_error",
      retry: "after_wait",
      message: "kalshi: it answered with more than 100000 bytes",
      details: { reason: "too_large" },
    });
    await until(() => isClosed);
    expect(venue.requests.length).toBe(1);
  });

  test("a redirect is not followed, to another host or to its own", async () => {
    const other = await LocalVenue.open((_, response) => sendJson(response, []));
    for (const location of [`${other.url}/markets`, "/elsewhere"]) {
      venue.answer = (_, response) => response.writeHead(302, { location }).end();
      expect(await faultOf(get(["markets"], {}))).toEqual({
        code: "upstream_error",
        retry: "after_wait",
        message: "kalshi: it answered with a redirect, and none is followed",
        details: { reason: "redirect" },
      });
    }
    expect([other.asked, venue.asked]).toEqual([[], ["/v2/markets", "/v2/markets"]]);
    await other.close();
  });
});

describe("too slow is timeout", () => {
  test.each([
    ["without any answer", () => undefined],
    [
      "in the middle of it",
      (response: ServerResponse) => {
        response.writeHead(200).write('{"markets":[');
      },
    ],
  ])("%s", async (_, begin) => {
    venue.answer = (_request, response) => begin(response);
    const fault = faultOf(get(["markets"], {}));
    await until(() => venue.requests.length === 1);
    clock.advance(14_999);
    expect(clock.waits).toEqual([1]);
    clock.advance(1);
    expect(await fault).toEqual({
      code: "timeout",
      retry: "after_wait",
      message: "kalshi: it gave no whole answer within 15000 ms; ask again later",
      details: { reason: "timeout", timeoutMs: 15_000 },
    });
    expect(venue.requests.length).toBe(1);
  });
});

describe("a fault that may pass is met again at most twice", () => {
  test("503, then 502, then the answer", async () => {
    venue.answer = (_, response, n) => {
      if (n < 2) response.writeHead(503 - n).end();
      else sendJson(response, "here");
    };
    const answer = get(["markets"], {});
    await advanceOnce(clock, 250);
    await advanceOnce(clock, 1_000);
    expect(await answer).toBe("here");
    expect(venue.requests.length).toBe(3);
  });

  test.each([
    [
      "a status",
      (response: ServerResponse) => response.writeHead(500).end("S3CRET-BODY"),
      {
        code: "upstream_error",
        retry: "after_wait",
        message: "kalshi: it answered 500",
        details: { status: 500, reason: "status" },
      },
    ],
    ["a connection that is reset", (response: ServerResponse) => response.destroy(), network],
    [
      "an answer that breaks off",
      (response: ServerResponse) => {
        response.writeHead(200, { "content-length": 1_000 });
        response.write('{"markets":[', () => response.destroy());
      },
      network,
    ],
  ])("%s, three times", async (_, answerWith, expected) => {
    venue.answer = (_request, response) => answerWith(response);
    const fault = faultOf(get(["markets"], {}));
    await advanceOnce(clock, 250);
    await advanceOnce(clock, 1_000);
    expect(await fault).toEqual(expected);
    expect(venue.requests.length).toBe(3);
    expect(clock.waits).toEqual([]);
  });

  test("nobody there at all", async () => {
    await venue.close();
    const fault = faultOf(get(["markets"], {}));
    await advanceOnce(clock, 250);
    await advanceOnce(clock, 1_000);
    expect(await fault).toEqual(network);
    venue = await LocalVenue.open();
  });
});

const limited = (details: object) => ({
  code: "rate_limited",
  retry: "after_wait",
  message: "kalshi: it has been asked too often; ask again later",
  details: { status: 429, ...details },
});

describe("429", () => {
  test("is waited out for as long as the venue asks, and not shorter", async () => {
    venue.answer = (_, response, n) => {
      if (n === 0) response.writeHead(429, { "retry-after": "7" }).end();
      else sendJson(response, "here");
    };
    const answer = get(["markets"], {});
    await until(() => clock.waits.includes(7_000));
    clock.advance(6_999);
    expect([clock.waits, venue.requests.length]).toEqual([[1], 1]);
    clock.advance(1);
    expect(await answer).toBe("here");
  });

  test("without a time is met with waits of its own, then told", async () => {
    venue.answer = (_, response) => response.writeHead(429).end();
    const fault = faultOf(get(["markets"], {}));
    await advanceOnce(clock, 250);
    await advanceOnce(clock, 1_000);
    expect(await fault).toEqual(limited({}));
    expect(venue.requests.length).toBe(3);
  });

  test("with a longer wait than anybody has is told at once", async () => {
    venue.answer = (_, response) => response.writeHead(429, { "retry-after": "60" }).end();
    expect(await faultOf(get(["markets"], {}))).toEqual(limited({ retryAfterMs: 60_000 }));
    expect(venue.requests.length).toBe(1);
  });

  test("holds for whoever asks next too: told while it is long, waited out once it is short", async () => {
    venue.answer = (_, response) => response.writeHead(429, { "retry-after": "60" }).end();
    await faultOf(get(["markets"], {}));
    venue.answer = (_, response) => sendJson(response, "here");
    clock.advance(40_000);
    expect(await faultOf(get(["other"], {}))).toEqual(limited({ retryAfterMs: 20_000 }));
    clock.advance(15_000);
    const answer = get(["other"], {});
    await until(() => clock.waits.includes(5_000));
    expect(venue.requests.length).toBe(1);
    clock.advance(5_000);
    expect(await answer).toBe("here");
  });

  test("that asks for more than an hour is believed for an hour", async () => {
    venue.answer = (_, response) => response.writeHead(429, { "retry-after": "999999999" }).end();
    await faultOf(get(["markets"], {}));
    venue.answer = (_, response) => sendJson(response, "here");
    clock.advance(3_600_000);
    expect(await get(["markets"], {})).toBe("here");
  });
});

describe("a caller who gives up", () => {
  const expected = {
    code: "cancelled",
    retry: "never",
    message: "kalshi: cancelled by the caller while it was read",
    details: undefined,
  };

  test("beforehand asks nothing", async () => {
    expect(await faultOf(get(["markets"], {}, AbortSignal.abort()))).toEqual(expected);
    expect(venue.requests.length).toBe(0);
  });

  test("ends the request", async () => {
    venue.answer = () => undefined;
    const caller = new AbortController();
    const fault = faultOf(get(["markets"], {}, caller.signal));
    await until(() => venue.requests.length === 1);
    caller.abort();
    expect(await fault).toEqual(expected);
    expect(clock.waits).toEqual([]);
  });

  test("ends the wait for a venue that wants to be left alone", async () => {
    venue.answer = (_, response) => response.writeHead(429, { "retry-after": "5" }).end();
    void faultOf(get(["markets"], {}));
    await until(() => clock.waits.includes(5_000));
    const caller = new AbortController();
    const fault = faultOf(get(["other"], {}, caller.signal));
    caller.abort();
    expect(await fault).toEqual(expected);
    expect(venue.requests.length).toBe(1);
  });

  test("ends the wait for the next request", async () => {
    venue.answer = (_, response) => response.writeHead(500).end();
    const caller = new AbortController();
    const fault = faultOf(get(["markets"], {}, caller.signal));
    await until(() => clock.waits.includes(250));
    caller.abort();
    expect(await fault).toEqual(expected);
    expect([clock.waits, venue.requests.length]).toEqual([[], 1]);
  });
});

test("the venue's own address is asked only where no other is given", async () => {
  const asked: string[] = [];
  const fetch = async (input: string) => {
    asked.push(input);
    return Response.json([]);
  };
  await openHttpJson("kalshi", "https://venue.invalid/v2", { clock, fetch })(["markets"], {});
  await openHttpJson("kalshi", "https://venue.invalid/v2", { clock, fetch, baseUrl: "http://127.0.0.1:9" })(
    ["markets"],
    {},
  );
  expect(asked).toEqual(["https://venue.invalid/v2/markets", "http://127.0.0.1:9/markets"]);
});
