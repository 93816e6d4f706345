// B29: a redirect is a server's word. Every hop is allowed, resolved and checked like the first.
import { describe, expect, test } from "vitest";
import { failureOf, getPage } from "../../../test/get-page.ts";
import { answersWith, webContext, webServer } from "../../../test/web-server.ts";

/** A server that sends whoever asks for `/` to a place, and answers everything else. */
async function redirecting(location: string | ((port: number) => string), status = 302) {
  const server = await webServer(({ url }, response) => {
    const target = typeof location === "string" ? location : location(server.port);
    if (url === "/") response.writeHead(status, { location: target }).end("moved");
    else response.end(`at ${url}`);
  });
  return { ...server, base: `http://a.local:${server.port}` };
}

describe("is followed, and each hop allowed anew", () => {
  test.each([301, 302, 303, 307, 308])("with status %i", async (status) => {
    const { base, asked } = await redirecting("/there", status);
    const context = webContext();
    expect(await getPage(`${base}/`, { context })).toMatchObject({
      url: `${base}/there`,
      text: "at /there",
      redirects: [`${base}/`],
    });
    expect(context.authorized).toStrictEqual([`${base}/`, `${base}/there`]);
    expect(asked.map(({ method }) => method)).toStrictEqual(["GET", "GET"]);
  });

  test.each([
    ["relative", "x/../there?q#part", "/there?q"],
    ["only a query", "?q=2", "/?q=2"],
    ["without a scheme", (port: number) => `//b.local:${port}/there`, "/there"],
    ["to another host", (port: number) => `http://b.local:${port}/there`, "/there"],
    ["with a name in another case", (port: number) => `HTTP://B.LOCAL:${port}/there`, "/there"],
    ["in another script", "/ü ✓", "/%C3%BC%20%E2%9C%93"],
  ])("%s", async (_, location, path) => {
    const said = typeof location === "string" ? Buffer.from(location).toString("latin1") : location;
    const { base } = await redirecting(said);
    const { url, redirects } = await getPage(`${base}/`);
    expect([new URL(url).pathname + new URL(url).search, redirects]).toStrictEqual([path, [`${base}/`]]);
  });

  test("as often as the limit says, and no more", async () => {
    const server = await webServer(({ url = "/" }, response) => {
      const at = Number(url.slice(1));
      response.writeHead(at === 0 ? 200 : 302, { location: `/${at - 1}` }).end("done");
    });
    const base = `http://a.local:${server.port}`;
    expect(await getPage(`${base}/5`)).toMatchObject({ text: "done" });
    expect(await failureOf(getPage(`${base}/6`))).toBe("upstream_error too_many_redirects");
    expect(await failureOf(getPage(`${base}/1`, { limits: { redirects: 0 } }))).toBe(
      "upstream_error too_many_redirects",
    );
  });
});

describe("is not followed", () => {
  test("to a host that was not granted", async () => {
    const canary = await webServer((_, response) => void response.end("x"));
    const { base } = await redirecting(`http://other.local:${canary.port}/`);
    const context = webContext({ isGranted: (host) => host === "a.local" });
    expect(await failureOf(getPage(`${base}/`, { context }))).toBe("capability_denied");
    expect(context.authorized).toHaveLength(2);
    expect(canary.connections()).toBe(0);
  });

  test("to a host whose grant has ended in between", async () => {
    const { base, asked } = await redirecting("/there");
    let asks = 0;
    const context = webContext({ isGranted: () => ++asks === 1 });
    expect(await failureOf(getPage(`${base}/`, { context }))).toBe("capability_denied");
    expect(asked).toHaveLength(1);
  });

  test("to a name that stands at an address which is not public, also where it was public at the hop before", async () => {
    const { base, asked, port } = await redirecting((own) => `http://rebinding.example:${own}/there`);
    const law = webContext();
    const authorize = async (url: string) =>
      url.includes("rebinding")
        ? { url, host: "rebinding.example", port, isLocal: false }
        : await law.authorize(url);
    const context = { ...law, authorize };
    expect(await failureOf(getPage(`${base}/`, { context }))).toBe("capability_denied address_not_public");
    expect(asked).toHaveLength(1);
  });

  test.each(["127.0.0.1", "[::1]", "2130706433", "0x7f.1", "127.1", "[::ffff:127.0.0.1]", "169.254.169.254"])(
    "to %s",
    async (host) => {
      const { base, asked } = await redirecting((port) => `http://${host}:${port}/there`);
      expect(await failureOf(getPage(`${base}/`))).toBe("capability_denied");
      expect(asked).toHaveLength(1);
    },
  );

  test.each([
    ["files", "file:///etc/passwd"],
    ["scripts", "javascript:alert(1)"],
    ["data", "data:text/html,x"],
    ["ftp", "ftp://a.local/"],
    ["gopher", "gopher://a.local/_x"],
    ["sockets", "ws://a.local/"],
    ["user names", "http://user@a.local/"],
    ["user names and passwords", "//u:p@a.local/"],
    ["backslashes", "\\\\b.local\\x"],
    ["backslashes in a host", "http://a.local\\@b.local/"],
    ["no host", "http://"],
    ["a host that is none", "http://a b.local/"],
    ["a port that is none", "http://a.local:99999/"],
    ["nothing", ""],
    ["a control character", "/a\tb"],
  ])("with %s", async (_, location) => {
    const { base, asked } = await redirecting(location);
    expect(await failureOf(getPage(`${base}/`))).toBe("upstream_error bad_redirect");
    expect(asked).toHaveLength(1);
  });

  test.each([
    ["nowhere", ""],
    ["two places", "location: /a\r\nlocation: /b\r\n"],
  ])("to %s", async (_, header) => {
    const { port } = await answersWith(`HTTP/1.1 302 Found\r\n${header}content-length: 0\r\n\r\n`);
    expect(await failureOf(getPage(`http://a.local:${port}/`))).toBe("upstream_error bad_redirect");
  });

  test("in a circle", async () => {
    const server = await webServer(({ url }, response) => {
      response.writeHead(302, { location: url === "/a" ? "/b" : "/a#x" }).end();
    });
    expect(await failureOf(getPage(`http://a.local:${server.port}/a`))).toBe("upstream_error redirect_loop");
    expect(server.asked).toHaveLength(2);
  });
});

test("the connection of a hop is gone before the next one is made, whether its body has ended or not", async () => {
  const server = await webServer(({ url }, response) => {
    if (url !== "/there") return response.writeHead(302, { location: "/there" }).write("endless");
    const end = () => (server.open() === 1 ? response.end("alone") : setTimeout(end, 5));
    return end();
  });
  const limits = { httpMs: 2000 };
  expect(await getPage(`http://a.local:${server.port}/`, { limits })).toMatchObject({ text: "alone" });
  await expect.poll(() => server.open()).toBe(0);
});
