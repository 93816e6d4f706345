// Whatever a server does, a call ends in time with an answer or a clear fault, keeps little in memory, and leaves nothing open.
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { failureOf, getPage, type GetTerms } from "../../../test/get-page.ts";
import { answersWith, type Listening, rawServer, webServer } from "../../../test/web-server.ts";

const unhandled: unknown[] = [];
const note = (fault: unknown) => void unhandled.push(fault);
beforeAll(() => {
  process.on("unhandledRejection", note);
  process.on("uncaughtExceptionMonitor", note);
});
afterAll(() => {
  process.off("unhandledRejection", note);
  process.off("uncaughtExceptionMonitor", note);
});
afterEach(({ expect: expectHere }) => expectHere(unhandled).toStrictEqual([]));

const urlOf = ({ port }: Listening) => `http://a.local:${port}/`;

async function failureAt(server: Listening, terms: GetTerms = {}): Promise<string | undefined> {
  const failure = await failureOf(getPage(urlOf(server), terms));
  await expect.poll(() => server.open()).toBe(0);
  return failure;
}

const head = (...lines: readonly string[]) => `${["HTTP/1.1 200 OK", ...lines].join("\r\n")}\r\n\r\n`;
const plain = "content-type: text/plain";
const kib = 1024;

describe("bodies that are packed", () => {
  const text = "some text, again and again. ".repeat(100);
  test.each([
    ["gzip", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    ["GZIP", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["deflate", deflateRawSync(text)],
    ["br", brotliCompressSync(text)],
    ["identity", Buffer.from(text)],
  ])("%s is unpacked", async (encoding, body) => {
    const server = await webServer((_, response) => {
      response.writeHead(200, { "content-encoding": encoding, "content-type": "text/plain" }).end(body);
    });
    expect(await getPage(urlOf(server))).toMatchObject({ text, bytes: text.length, truncated: false });
  });

  const bombed = Buffer.alloc(64 * kib * kib);
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
  test.each([
    ["gzip", gzipSync(bombed)],
    ["deflate", deflateSync(bombed)],
    ["br", brotliCompressSync(bombed, quick)],
  ])("a bomb of %s is cut off at the limit, and never unpacked beyond it", async (encoding, bomb) => {
    expect(bomb.length).toBeLessThan(100 * kib);
    const server = await webServer((_, response) => {
      response.writeHead(200, { "content-encoding": encoding, "content-type": "application/pdf" }).end(bomb);
    });
    const before = process.memoryUsage();
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers)), 1);
    const page = await getPage(urlOf(server), { limits: { httpBodyBytes: 100_000 } });
    clearInterval(watch);
    expect(page).toMatchObject({ bytes: 100_000, truncated: true });
    expect(most - before.arrayBuffers).toBeLessThan(8 * kib * kib);
    await expect.poll(() => server.open()).toBe(0);
  });

  test.each([
    ["twice", "gzip, gzip", "unknown_encoding"],
    ["in two ways", "deflate, br", "unknown_encoding"],
    ["in a way that nobody knows", "zstd", "unknown_encoding"],
    ["as a name of an object", "__proto__", "unknown_encoding"],
    ["as gzip, which it is not", "gzip", "bad_encoding"],
    ["as deflate, which it is not", "deflate", "bad_encoding"],
    ["as brotli, which it is not", "br", "bad_encoding"],
  ])("that says it is packed %s is refused", async (_, encoding, reason) => {
    const server = await webServer((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end("plain words");
    });
    expect(await failureAt(server)).toBe(`upstream_error ${reason}`);
  });

  test.each([
    ["gzip", gzipSync(text)],
    ["br", brotliCompressSync(text)],
  ])("%s that ends too early is refused", async (encoding, body) => {
    const server = await webServer((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(body.subarray(0, -9));
    });
    expect(await failureAt(server)).toBe("upstream_error bad_encoding");
  });
});

describe("bodies that are large, long or slow", () => {
  test("one that is larger than the limit is cut off there, and the server is left", async () => {
    const server = await webServer((_, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const more = () => {
        while (response.write("a".repeat(kib)));
        response.once("drain", more);
      };
      more();
    });
    const page = await getPage(urlOf(server), { limits: { httpBodyBytes: 10_000 } });
    expect(page).toMatchObject({ bytes: 10_000, truncated: true });
    await expect.poll(() => server.open()).toBe(0);
  });

  test("one of exactly the limit is whole", async () => {
    const server = await webServer((_, response) => void response.end("a".repeat(1000)));
    expect(await getPage(urlOf(server), { limits: { httpBodyBytes: 1000 } })).toMatchObject({
      bytes: 1000,
      truncated: false,
    });
  });

  test.each(["head", "body", "slow", "flood"] as const)(
    "one that does not come to its end (%s) is given up in time",
    async (way) => {
      const failure = await failureAt(await patientServer(way), { limits: { httpMs: 150 } });
      expect(failure).toBe("timeout http_time");
    },
  );

  test("the time is for all hops together", async () => {
    const server = await webServer(({ url = "/" }, response) => {
      const to = `${url}x`;
      setTimeout(() => response.writeHead(302, { location: to }).end(), 60);
    });
    const limits = { httpMs: 150, redirects: 50 };
    expect(await failureAt(server, { limits })).toBe("timeout http_time");
    expect(server.asked.length).toBeLessThan(5);
  });

  test("a name that is never resolved is given up, too", async () => {
    const resolve = () => new Promise<never>(() => {});
    expect(await failureOf(getPage("http://a.local/", { resolve, limits: { httpMs: 50 } }))).toBe(
      "timeout http_time",
    );
  });
});

/** Takes a connection and does not come to an end. */
async function patientServer(way: "head" | "body" | "slow" | "flood"): Promise<Listening> {
  return await rawServer((socket) => {
    if (way === "head") return;
    socket.write(
      way === "flood" ? "HTTP/1.1 103 Early Hints\r\n\r\n" : head(plain, "content-length: 1000000"),
    );
    if (way === "body") return;
    const timer = setInterval(
      () => void socket.write(way === "slow" ? "a" : "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(50)),
      5,
    );
    socket.on("close", () => clearInterval(timer));
  });
}

describe("servers that do not keep to the rules", () => {
  const broken = "upstream_error connection_failed";
  test.each<[string, readonly string[], string | undefined]>([
    ["say nothing", [], broken],
    ["are no servers of the web", ["220 mail.example ESMTP\r\n"], broken],
    ["speak binary", ["\x16\x03\x01\x02\x00\x01\x00\xff\xfe\x00"], broken],
    ["end inside the header", ["HTTP/1.1 200 OK\r\ncontent-ty"], broken],
    ["send less than they say", [head(plain, "content-length: 100"), "short"], broken],
    ["send more than they say", [head(plain, "content-length: 5"), "hello and more"], undefined],
    ["say two lengths", [head("content-length: 5", "content-length: 6"), "hello!"], broken],
    [
      "say a length and pieces",
      [head("content-length: 5", "transfer-encoding: chunked"), "0\r\n\r\n"],
      broken,
    ],
    ["say a length that is none", [head("content-length: many"), "hello"], broken],
    ["say a length below nothing", [head("content-length: -5"), "hello"], broken],
    ["send pieces of no size", [head("transfer-encoding: chunked"), "zz\r\nhello\r\n0\r\n\r\n"], broken],
    ["send pieces and no last one", [head("transfer-encoding: chunked"), "5\r\nhello\r\n"], broken],
    ["have a NUL in a header", [head("x: a\0b"), "hello"], broken],
    ["have a status that is none", ["HTTP/1.1 99999 OK\r\n\r\n"], broken],
    [
      "switch to something else",
      ["HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
      broken,
    ],
    ["ask to go on, and end", ["HTTP/1.1 100 Continue\r\n\r\n"], broken],
    ["speak an older version, to the end of the connection", ["HTTP/1.0 200 OK\r\n\r\nhello"], undefined],
    [
      "send hints first",
      ["HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n", head("content-length: 5"), "hello"],
      undefined,
    ],
  ])("that %s", async (_, pieces, failure) => {
    const server = await answersWith(...pieces.map((piece) => Buffer.from(piece, "latin1")));
    expect(await failureAt(server)).toBe(failure);
  });

  test("that hang up at once, and before they are asked", async () => {
    expect(await failureAt(await rawServer((socket) => void socket.destroy()))).toBe(broken);
    expect(await failureAt(await rawServer((socket) => void socket.end()))).toBe(broken);
    expect(await failureAt(await rawServer((socket) => void socket.resetAndDestroy()))).toBe(broken);
  });

  test("that are not there", async () => {
    expect(await failureOf(getPage("http://a.local:1/"))).toBe(broken);
  });

  test.each([
    ["large lines", head(`x: ${"a".repeat(20_000)}`)],
    ["many lines", head(...Array.from({ length: 5000 }, (_, at) => `x-${at}: 1`))],
  ])("that send a header of %s", async (_, header) => {
    expect(await failureAt(await answersWith(header))).toBe("upstream_error header_too_large");
  });

  test("that send more of a header than the limit says, before the body or after it", async () => {
    const limits = { httpHeaderBytes: 2000 };
    const large = `x: ${"a".repeat(4000)}\r\n\r\n`;
    expect(await failureAt(await answersWith(head(large)), { limits })).toBe(
      "upstream_error header_too_large",
    );
    const late = await answersWith(head("transfer-encoding: chunked"), "1\r\na\r\n0\r\n", large);
    expect(await failureAt(late, { limits })).toMatch(/^upstream_error/);
  });

  test("whose certificate nobody vouches for, or who have none", async () => {
    const server = await answersWith(head(plain), "hello");
    const failure = failureOf(getPage(`https://a.local:${server.port}/`));
    expect(await failure).toBe(broken);
  });
});

test("any bytes at all, as a page or instead of one, end in an answer or a clear fault", async () => {
  let body: Uint8Array = new Uint8Array();
  let header = "";
  const server = await rawServer((socket) => {
    socket.once("data", () => {
      socket.write(header);
      socket.end(body);
    });
  });
  const types = ["text/html", "text/plain", "application/json", "text/html; charset=utf-16", "x", ""];
  const encodings = ["", "", "gzip", "br", "deflate"];
  const markup = fc
    .array(
      fc.constantFrom(
        ..."<div <p </p </div <table <td <a href= <b </b style=\" ' > < & &#x110000; <!-- --> <![CDATA[ ]]> <style> <script </script> \0 é hidden".split(
          " ",
        ),
      ),
      { maxLength: 60 },
    )
    .map((parts) => Buffer.from(parts.join(" ")));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...types),
      fc.constantFrom(...encodings),
      fc.oneof(fc.uint8Array({ maxLength: 300 }), markup),
      fc.boolean(),
      async (type, encoding, bytes, isBare) => {
        header = isBare ? "" : head(`content-type: ${type}`, `content-encoding: ${encoding}`);
        body = bytes;
        const failure = await failureOf(getPage(urlOf(server)));
        expect(failure === undefined || failure.startsWith("upstream_error ")).toBe(true);
      },
    ),
    { numRuns: 250 },
  );
  await expect.poll(() => server.open()).toBe(0);
});

test("nothing is left behind: no socket, no timer", async () => {
  const server = await webServer((_, response) => void response.end("x"));
  const count = () =>
    process.getActiveResourcesInfo().filter((one) => /TCP(?!Server)|TLS|Timeout|Zlib/.test(one));
  const before = count().filter((one) => !one.startsWith("TCPServer")).length;
  for (let at = 0; at < 20; at++) await getPage(urlOf(server));
  await expect.poll(() => server.open()).toBe(0);
  await expect.poll(() => count().length).toBeLessThanOrEqual(before + 1);
});
