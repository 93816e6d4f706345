import { readFileSync } from "node:fs";
import { CancelledError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { failureOf, getPage } from "../../../test/get-page.ts";
import { resolveLocal, webContext, webServer } from "../../../test/web-server.ts";
import { defaultHttpLimits } from "./http-limits.ts";
import { PageGetter } from "./page-getter.ts";
import { ownUserAgent } from "./user-agent.ts";

describe("a page", () => {
  // proves LIVE-4.43
  test("is given whole, with where it came from", async () => {
    const server = await webServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end("<title>A page</title><h1>Greeting</h1><p>Hello <a href='/more#there'>more</a></p>");
    });
    const base = `http://a.local:${server.port}`;
    expect(await getPage(`${base}/p?q=1#part`)).toStrictEqual({
      url: `${base}/p?q=1`,
      status: 200,
      contentType: "text/html",
      kind: "html",
      charset: "utf-8",
      title: "A page",
      text: `# Greeting\n\nHello more (${base}/more)`,
      bytes: 81,
      truncated: false,
      redirects: [],
      cache: { hit: false, fetchedAt: expect.any(String) },
    });
  });

  test("is asked for by one GET that says who asks and nothing of whom it serves", async () => {
    const server = await webServer((_, response) => void response.end("x"));
    await getPage(`http://a.local:${server.port}/p?q=1#part`);
    const [asked] = server.asked;
    expect(server.asked).toHaveLength(1);
    expect([asked?.method, asked?.url]).toStrictEqual(["GET", "/p?q=1"]);
    expect(asked?.headers).toStrictEqual({
      host: `a.local:${server.port}`,
      connection: "close",
      "user-agent": ownUserAgent,
      accept: expect.stringContaining("text/html"),
      "accept-encoding": "gzip, deflate, br",
    });
  });

  test.each([400, 404, 418, 500, 503])("that comes with status %i is an answer", async (status) => {
    const server = await webServer((_, response) => {
      response.writeHead(status, { "content-type": "text/plain", "set-cookie": "a=b" }).end("no such thing");
    });
    expect(await getPage(`http://a.local:${server.port}/`)).toMatchObject({
      status,
      kind: "text",
      text: "no such thing",
    });
  });

  test.each([
    ["of a GET", 200],
    ["with status 204", 204],
    ["with status 304", 304],
  ])("may be empty: %s", async (_, status) => {
    const server = await webServer((_request, response) => {
      response.writeHead(status, { "content-encoding": "gzip" }).end();
    });
    expect(await getPage(`http://a.local:${server.port}/`)).toMatchObject({ status, bytes: 0, text: "" });
  });

  test("that is JSON is given as it is, and of what is binary only what it is", async () => {
    const server = await webServer(({ url }, response) => {
      response.writeHead(200, { "content-type": url === "/json" ? "application/ld+json" : "image/png" });
      response.end(url === "/json" ? '{ "a": [1, "é"] }' : Buffer.from([137, 80, 78, 71, 0, 0, 0]));
    });
    const base = `http://a.local:${server.port}`;
    expect(await getPage(`${base}/json`)).toMatchObject({ kind: "json", text: '{ "a": [1, "é"] }' });
    const image = await getPage(`${base}/png`);
    expect(image).toMatchObject({ kind: "binary", contentType: "image/png", bytes: 7 });
    expect(image).not.toHaveProperty("text");
  });
});

test("the program names itself with the version of the package", () => {
  const file = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(file) as { version: string };
  expect(ownUserAgent).toBe(`SimpleFunctions/${version}`);
});

test("no proxy of the environment is used", async () => {
  const [server, proxy] = await Promise.all([
    webServer((_, response) => void response.end("direct")),
    webServer((_, response) => void response.end("proxied")),
  ]);
  const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"];
  const before = names.map((name) => [name, process.env[name]] as const);
  try {
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    expect(await getPage(`http://a.local:${server.port}/`)).toMatchObject({ text: "direct" });
    expect(proxy.connections()).toBe(0);
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
});

describe("what the law refuses is not asked for", () => {
  test.each([
    "http://127.0.0.1:PORT/",
    "http://[::1]:PORT/",
    "http://0x7f.1:PORT/",
    "http://2130706433:PORT/",
    "http://user:word@a.local:PORT/",
    "file:///etc/passwd",
    "ftp://a.local/",
    "gopher://a.local:PORT/",
    "not an address",
    "http://granted-not.example:PORT/",
  ])("%s", async (url) => {
    const server = await webServer((_, response) => void response.end("x"));
    const isGranted = (host: string) => host === "a.local";
    const failure = await failureOf(
      getPage(url.replace("PORT", String(server.port)), { context: webContext({ isGranted }) }),
    );
    expect(failure).toBe("capability_denied");
    expect(server.connections()).toBe(0);
  });

  test("B29: a name that stands at an address which is not public, opened by nobody", async () => {
    const server = await webServer((_, response) => void response.end("x"));
    // The law of these tests leaves only ports 80 and 443 to such names: the server stands behind the name at its own.
    const authorize = async (url: string) => ({ url, host: "a.example", port: server.port, isLocal: false });
    const context = { ...webContext(), authorize };
    const url = `http://a.example:${server.port}/`;
    for (const answers of [["127.0.0.1"], ["93.184.215.14", "127.0.0.1"], ["::ffff:127.0.0.1"]])
      expect(await failureOf(getPage(url, { context, resolve: async () => answers }))).toBe(
        "capability_denied address_not_public",
      );
    expect(server.connections()).toBe(0);
  });

  test("B29: a name that is public when it is checked, and is another one after that", async () => {
    const server = await webServer((_, response) => void response.end("x"));
    const context = webContext();
    let asked = 0;
    // Whoever asked twice would get here: the second answer is not even asked for.
    const resolve = async () => (asked++ === 0 ? ["127.0.0.9"] : ["127.0.0.1"]);
    expect(await failureOf(getPage(`http://a.local:${server.port}/`, { context, resolve }))).toBe(
      "upstream_error connection_failed",
    );
    expect(asked).toBe(1);
    expect(server.connections()).toBe(0);
  });

  test("B29: this machine by its name, unless that was opened in the configuration", async () => {
    const server = await webServer((_, response) => void response.end("home"));
    const getter = new PageGetter(defaultHttpLimits, {});
    const input = { url: `http://localhost:${server.port}/`, use_cache: false };
    const get = (isLocal: boolean) => {
      const reach = { url: input.url, host: "localhost", port: server.port, isLocal };
      return getter.get(input, { ...webContext(), authorize: async () => reach });
    };
    expect(await failureOf(get(false))).toBe("capability_denied address_not_public");
    expect(await get(true)).toMatchObject({ text: "home" });
    expect(server.connections()).toBe(1);
  });

  test("an answer of the law that is not the address it names", async () => {
    const server = await webServer((_, response) => void response.end("x"));
    const url = `http://a.local:${server.port}/`;
    const right = { url, host: "a.local", port: server.port, isLocal: true };
    for (const wrong of [
      { ...right, host: "b.local" },
      { ...right, port: 80 },
      { ...right, url: `ftp://a.local:${server.port}/` },
      { ...right, url: `http://u:p@a.local:${server.port}/` },
    ]) {
      const context = { ...webContext(), authorize: async () => wrong };
      expect(await failureOf(getPage(url, { context }))).toBe("contract_violation");
    }
    expect(server.connections()).toBe(0);
  });
});

describe("a call that is called off", () => {
  test("ends at once, wherever it is, and leaves nothing open", async () => {
    const server = await webServer(({ url }, response) => {
      if (url === "/body") response.write("some");
    });
    const never = new Promise<never>(() => {});
    const base = `http://a.local:${server.port}`;
    for (const [url, resolve] of [
      [`${base}/head`, resolveLocal],
      [`${base}/body`, resolveLocal],
      [`${base}/name`, () => never],
    ] as const) {
      const context = webContext();
      const getting = failureOf(getPage(url, { context, resolve }));
      await expect.poll(() => server.open()).toBe(resolve === resolveLocal ? 1 : 0);
      context.abort(new CancelledError("the caller has gone"));
      expect(await getting).toBe("cancelled");
      await expect.poll(() => server.open()).toBe(0);
    }
  });

  test("asks nobody where that was before it began", async () => {
    const server = await webServer((_, response) => void response.end("x"));
    const context = webContext();
    context.abort();
    expect(await failureOf(getPage(`http://a.local:${server.port}/`, { context }))).toBe("cancelled");
    expect(server.connections()).toBe(0);
  });
});
