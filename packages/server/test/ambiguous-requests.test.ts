// What two readers could read in two ways is refused before anybody is asked who sent it.
import { describe, expect, test } from "vitest";
import { rawAnswers } from "../test-data/raw-request.ts";
import { ask, testPlatform } from "../test-data/test-platform.ts";

type Terms = { readonly host: string; readonly writer: string; readonly reader: string };

async function sent(lines: (terms: Terms) => readonly string[], method = "POST", target = "/api/notes") {
  const platform = await testPlatform("socket");
  const terms = {
    host: new URL(platform.baseUrl).host,
    writer: await platform.key("acct_1", { scopes: ["read", "write"] }),
    reader: await platform.key("acct_1", { scopes: ["read"] }),
  };
  const body = method === "POST" ? "{}" : "";
  const head = [
    `${method} ${target} HTTP/1.1`,
    "Connection: close",
    `Content-Length: ${body.length}`,
    ...lines(terms),
  ];
  const [answer] = await rawAnswers(platform.baseUrl, `${head.join("\r\n")}\r\n\r\n${body}`);
  const { error } = JSON.parse(answer?.body ?? "{}") as {
    error?: { code: string; message: string; details?: object };
  };
  return { status: answer?.status, error, ran: platform.deeds.length, refused: platform.platform.refused() };
}

const whole = ({ host, writer }: Terms) => [
  `Host: ${host}`,
  `Authorization: Bearer ${writer}`,
  "Content-Type: application/json",
];

test("a request with each header once is taken", async () => {
  expect(await sent(whole)).toMatchObject({ status: 200, ran: 1, refused: {} });
});

describe("a header that is read once, and comes twice, is refused:", () => {
  test.each([
    ["authorization", ({ reader }: Terms) => `Authorization: Bearer ${reader}`],
    ["authorization", ({ writer }: Terms) => `AUTHORIZATION: Bearer ${writer}`],
    ["host", () => "Host: evil.example"],
    ["host", ({ host }: Terms) => `Host: ${host}`],
    ["content-type", () => "Content-Type: text/plain"],
    ["origin", () => "Origin: https://one.example\r\nOrigin: https://two.example"],
    ["sec-fetch-site", () => "Sec-Fetch-Site: none\r\nSec-Fetch-Site: none"],
    ["idempotency-key", () => "Idempotency-Key: one\r\nIdempotency-Key: two"],
    ["last-event-id", () => "Last-Event-ID: one\r\nLast-Event-ID: two"],
    ["x-sf-origin", () => "x-sf-origin: direct\r\nx-sf-origin: model"],
    ["x-sf-session", () => "x-sf-session: a\r\nX-SF-Session: b"],
    ["x-sf-sign-receipt", () => "x-sf-sign-receipt: true\r\nx-sf-sign-receipt: true"],
  ])("%s", async (name, more) => {
    const { status, error, ran, refused } = await sent((terms) => [...whole(terms), more(terms)]);
    expect({ status, error, ran, refused }).toStrictEqual({
      status: 400,
      error: {
        code: "invalid_input",
        status: 400,
        message: `the header ${name} comes more than once; send it once`,
        details: { reason: "ambiguous_request" },
      },
      ran: 0,
      refused: { ambiguous_request: 1 },
    });
  });
});

describe("a path that is rewritten before it is matched is refused:", () => {
  test.each([
    "/x/%2e%2e/api/notes",
    "/x/%2E./api/notes",
    "/x/../api/notes",
    "/./api/notes",
    "/%2e/api/notes",
    "/api/notes/.",
    "/x/..",
    "/api/notes#here",
  ])("%s", async (target) => {
    expect(await sent(whole, "POST", target)).toMatchObject({
      status: 400,
      error: { code: "invalid_input", details: { reason: "ambiguous_request" } },
      ran: 0,
      refused: { ambiguous_request: 1 },
    });
  });

  test("and one with dots in a name is not", async () => {
    expect(await sent(whole, "POST", "/x/..y/.z/..%2e")).toMatchObject({ status: 404 });
    expect(await sent(whole, "POST", "/api/notes?to=/../x")).not.toMatchObject({
      error: { details: { reason: "ambiguous_request" } },
    });
  });
});

test("a list may come in several headers", async () => {
  const more = ["Accept: application/json", "Accept: text/html", "Via: 1.1 one", "Via: 1.1 two"];
  expect(await sent((terms) => [...whole(terms), ...more])).toMatchObject({ status: 200, ran: 1 });
});

describe("a target with a host in it", () => {
  test("is refused where that is another than the Host header's", async () => {
    const answer = await sent(whole, "POST", "http://evil.example/api/notes");
    expect(answer).toMatchObject({
      status: 400,
      error: { code: "invalid_input", details: { reason: "ambiguous_request" } },
      ran: 0,
    });
  });

  test("is taken where it is the same", async () => {
    const lines = (terms: Terms) => whole({ ...terms, host: "localhost:7700" });
    expect(await sent(lines, "POST", "http://LOCALHOST:7700/api/notes")).toMatchObject({
      status: 200,
      ran: 1,
    });
  });
});

describe.each(["socket", "embedded"] as const)("over HTTP (%s)", (way) => {
  test.each(["%zz", "%", "a%2", "%ff%fe", "%c3%28", "%41%zz", "%ed%a0%80"])(
    "a path is UTF-8 in percent signs, or refused: %s",
    async (part) => {
      const platform = await testPlatform(way);
      const key = await platform.key("acct_1");
      for (const path of [`/api/portfolio/${part}`, `/api/nowhere/${part}`]) {
        const { status, body } = await ask(platform, path, { key });
        expect([status, body]).toMatchObject([
          400,
          { ok: false, error: { code: "invalid_input", details: { reason: "ambiguous_request" } } },
        ]);
      }
    },
  );

  test.each([
    ["%2541", "%41"],
    ["%25", "%"],
    ["a%20b%C3%A9", "a bé"],
    ["a%2Fb", "a/b"],
  ])("and it is decoded once: %s", async (part, book) => {
    const platform = await testPlatform(way);
    const key = await platform.key("acct_1");
    const { body } = await ask(platform, `/api/portfolio/${part}?`, { key });
    expect(body).toMatchObject({ ok: true, data: { book } });
  });

  test.each(["gzip", "br", "identity, gzip"])("a body in %s is not taken as it is", async (coding) => {
    const platform = await testPlatform(way);
    const key = await platform.key("acct_1");
    const headers = { "content-encoding": coding };
    const { status, body } = await ask(platform, "/api/notes", { key, body: {}, headers });
    expect([status, body]).toMatchObject([
      415,
      { ok: false, error: { code: "invalid_input", details: { reason: "bad_content_encoding" } } },
    ]);
    expect(platform.deeds).toStrictEqual([]);
  });

  test("a body in no encoding that says so is taken", async () => {
    const platform = await testPlatform(way);
    const key = await platform.key("acct_1");
    const headers = { "content-encoding": "identity" };
    expect((await ask(platform, "/api/notes", { key, body: {}, headers })).status).toBe(200);
  });

  test("a stream of events has each parameter once", async () => {
    const platform = await testPlatform(way);
    const key = await platform.key("acct_1");
    const { status, body } = await ask(platform, "/api/events?after=start&after=x", { key });
    expect([status, body]).toMatchObject([
      400,
      { ok: false, error: { code: "invalid_input", details: { reason: "repeated_parameter" } } },
    ]);
  });
});
