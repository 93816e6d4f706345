// What arrives on a socket is not always a request. Whatever it is, it is answered in the words of every other answer, nothing
// runs for it, and nobody waits for ever.
import { httpEnvelopeSchema } from "@spfunctions/contracts";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../src/listen/listen.ts";
import { openSocket, type RawAnswer, rawAnswers } from "../test-data/raw-request.ts";
import { ask, type TestPlatform, testPlatform } from "../test-data/test-platform.ts";

const json = "Content-Type: application/json\r\n";

async function readied(): Promise<TestPlatform & { readonly head: string }> {
  const platform = await testPlatform("socket");
  const key = await platform.key("acct_1");
  return { ...platform, head: `Host: localhost\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n` };
}

function summary({ status, headers, body }: RawAnswer): unknown {
  const envelope = httpEnvelopeSchema.parse(JSON.parse(body));
  expect(headers.get("x-request-id")).toBe(envelope.meta.requestId);
  return envelope.ok ? [status] : [status, envelope.error.code, envelope.error.status];
}

async function only(platform: TestPlatform, ...parts: readonly string[]): Promise<unknown> {
  const answers = await rawAnswers(platform.baseUrl, ...parts);
  expect(answers).toHaveLength(1);
  return summary(answers[0] as RawAnswer);
}

const bad = (status: number) => [status, "invalid_input", status];

describe("a target or a host that cannot be read is answered, and not left waiting", () => {
  test.each([
    ["a backslash in the path", "GET /api\\health HTTP/1.1", "Host: localhost"],
    ["no path", "OPTIONS * HTTP/1.1", "Host: localhost"],
    ["an absolute target without a host", "GET http://[::zz/api/health HTTP/1.1", "Host: localhost"],
    ["another scheme", "GET ftp://localhost/api/health HTTP/1.1", "Host: localhost"],
    ["a host with a space", "GET /api/health HTTP/1.1", "Host: exa mple"],
    ["a host with a name before it", "GET /api/health HTTP/1.1", "Host: a@localhost"],
    ["an empty host", "GET /api/health HTTP/1.1", "Host: "],
    ["no host", "GET /api/health HTTP/1.1", "X-Other: 1"],
    ["no host, in HTTP/1.0", "GET /api/health HTTP/1.0", "X-Other: 1"],
  ])("%s", async (_, line, header) => {
    const platform = await readied();
    expect(await only(platform, `${line}\r\n${header}\r\n\r\n`)).toStrictEqual(bad(400));
  });
});

describe("no request is read in two ways", () => {
  test.each([
    ["a length and chunks", "Content-Length: 2\r\nTransfer-Encoding: chunked", "0\r\n\r\n"],
    ["an unknown coding", "Transfer-Encoding: gzip", "{}"],
    ["chunks that are not the last coding", "Transfer-Encoding: chunked, identity", "0\r\n\r\n"],
    ["two lengths", "Content-Length: 2\r\nContent-Length: 3", "{} "],
    ["a negative length", "Content-Length: -2", "{}"],
    ["a length with a sign", "Content-Length: +2", "{}"],
    ["a list of lengths", "Content-Length: 2, 2", "{}"],
    ["a chunk of no size", "Transfer-Encoding: chunked", "zz\r\n{}\r\n0\r\n\r\n"],
    ["a chunk longer than its size", "Transfer-Encoding: chunked", "2\r\n{}x\r\n0\r\n\r\n"],
    ["a header over two lines", "X-Folded: a\r\n b\r\nContent-Length: 2", "{}"],
    ["a space before the colon", "Content-Length : 2", "{}"],
  ])("%s", async (_, headers, body) => {
    const platform = await readied();
    const sent = `POST /api/notes HTTP/1.1\r\n${platform.head}${json}${headers}\r\n\r\n${body}`;
    expect(await only(platform, sent)).toStrictEqual(bad(400));
    expect(platform.deeds).toStrictEqual([]);
  });

  test("lines that end with a line feed alone", async () => {
    const platform = await readied();
    expect(await only(platform, "GET /api/health HTTP/1.1\nHost: localhost\n\n")).toStrictEqual(bad(400));
  });

  test("what follows a request is a request of its own, with its own key", async () => {
    const platform = await readied();
    const { baseUrl, head, deeds } = platform;
    const first = head.replace("Connection: close\r\n", "");
    const answers = await rawAnswers(
      baseUrl,
      `POST /api/notes HTTP/1.1\r\n${first}${json}Content-Length: 14\r\n\r\n{"text":"one"}`,
      `POST /api/notes HTTP/1.1\r\nHost: localhost\r\n${json}Content-Length: 14\r\n\r\n{"text":"two"}`,
      `POST /api/notes HTTP/1.1\r\n${head}${json}Content-Length: 16\r\n\r\n{"text":"three"}`,
    );
    expect(answers.map(summary)).toStrictEqual([[200], [401, "missing_api_key", 401], [200]]);
    expect(deeds.map(({ input }) => input)).toStrictEqual([{ text: "one" }, { text: "three" }]);
  });
});

describe("headers", () => {
  test("64 KB of one, or 200 of them, are too large", async () => {
    const platform = await readied();
    const long = `X-Long: ${"a".repeat(65_536)}\r\n`;
    const many = Array.from({ length: 200 }, (_, index) => `X-${index}: 1\r\n`).join("");
    for (const flood of [long, many]) {
      const answer = await only(platform, `GET /api/health HTTP/1.1\r\n${flood}${platform.head}\r\n`);
      expect(answer).toStrictEqual(bad(431));
    }
  });

  test("another protocol, a tunnel, and what nobody can expect", async () => {
    const platform = await readied();
    const { head } = platform;
    const upgrade = `GET /api/health HTTP/1.1\r\n${head}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect(await only(platform, upgrade)).toStrictEqual(bad(400));
    expect(await only(platform, `CONNECT localhost:1 HTTP/1.1\r\n${head}\r\n`)).toStrictEqual(bad(400));
    const expecting = `POST /api/notes HTTP/1.1\r\n${head}${json}Expect: magic\r\nContent-Length: 2\r\n\r\n{}`;
    expect(await only(platform, expecting)).toStrictEqual([200]);
  });

  test.each([
    ["localhost", 400, "invalid_input"],
    ["evil.example", 421, "forbidden"],
  ])("an absolute target (%s) is no way around the Host header", async (host, status, code) => {
    const platform = await readied();
    const sent = `GET http://${host}/api/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
    expect(await only(platform, sent)).toStrictEqual([status, code, status]);
  });
});

describe("methods", () => {
  test.each(["TRACE", "PROPFIND", "QUERY", "DELETE"])(
    "%s on a read is 405, and runs nothing",
    async (method) => {
      const platform = await readied();
      const sent = `${method} /api/agent/world HTTP/1.1\r\n${platform.head}\r\n`;
      const [answer] = await rawAnswers(platform.baseUrl, sent);
      expect(summary(answer as RawAnswer)).toStrictEqual([405, "not_found", 405]);
      expect(answer?.headers.get("allow")).toBe("GET");
      expect(platform.deeds).toStrictEqual([]);
    },
  );

  test.each(["/api/agent/world", "/api/events", "/api/notes"])("HEAD runs nothing at %s", async (path) => {
    const platform = await readied();
    const [answer] = await rawAnswers(platform.baseUrl, `HEAD ${path} HTTP/1.1\r\n${platform.head}\r\n`);
    expect(answer).toMatchObject({ status: 405, body: "" });
    expect(platform.deeds).toStrictEqual([]);
  });

  test("HEAD of a document has the headers that GET has", async () => {
    const { baseUrl, fetch } = await readied();
    const [head, get] = await Promise.all(
      ["HEAD", "GET"].map((method) => fetch(new Request(`${baseUrl}/api/contracts/tools`, { method }))),
    );
    expect(head?.status).toBe(200);
    expect(head?.headers.get("etag")).toBe(get?.headers.get("etag"));
    expect(await head?.text()).toBe("");
  });
});

test("300 clients that send slowly do not keep anybody from an answer", async () => {
  const platform = await readied();
  const { baseUrl, head, key } = platform;
  const beginnings = [
    `POST /api/notes HTTP/1.1\r\nHost: loc`,
    `POST /api/notes HTTP/1.1\r\n${head}${json}Content-Length: 500\r\n\r\n{"text":"`,
    `POST /api/notes HTTP/1.1\r\n${head}${json}Transfer-Encoding: chunked\r\n\r\n5\r\n{"te`,
  ];
  const slow = await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const socket = await openSocket(baseUrl);
      socket.write(beginnings[index % 3] ?? "");
      return socket;
    }),
  );
  const secret = await key("acct_2");
  const quick = await Promise.all(
    Array.from({ length: 20 }, () => ask(platform, "/api/notes", { key: secret, body: { text: "hi" } })),
  );
  expect(quick.map(({ status }) => status)).toStrictEqual(Array.from({ length: 20 }, () => 200));
  expect(slow.filter(({ closed }) => closed)).toStrictEqual([]);
});

test("nothing is said into an answer that is under way", async () => {
  const { baseUrl, head } = await readied();
  const socket = await openSocket(baseUrl);
  const chunks: string[] = [];
  socket.setEncoding("latin1").on("data", (chunk: string) => chunks.push(chunk));
  socket.write(`GET /api/events HTTP/1.1\r\n${head}\r\n`);
  const has = async (what: string) => {
    while (!chunks.join("").includes(what)) await once(socket, "data");
  };
  await has("text/event-stream");
  socket.write("this is no request\r\n\r\n");
  await rawAnswers(baseUrl, `POST /api/notes HTTP/1.1\r\n${head}\r\n`);
  await has("run.completed");
  expect(chunks.join("").match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test.each([
  ["headers", "GET /api/health HTTP/1.1\r\nHost: loc"],
  ["a body", `POST /api/notes HTTP/1.1\r\n{head}${json}Content-Length: 500\r\n\r\n{`],
])("whoever does not come to the end of %s is told so, and its connection is closed", async (_, text) => {
  const { platform, key, deeds } = await testPlatform();
  const head = `Host: localhost\r\nAuthorization: Bearer ${await key("acct_1")}\r\n`;
  const { url, close } = await listen(platform, { port: 0, headersMs: 50, requestMs: 100 });
  onTestFinished(() => close(0));
  const answers = await rawAnswers(url, text.replace("{head}", head));
  expect(answers.map(summary)).toStrictEqual([bad(408)]);
  expect(deeds).toStrictEqual([]);
});
