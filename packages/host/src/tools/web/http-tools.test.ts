import { createMemoryStore, registerPacks } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { checksOf } from "../../../../kernel/src/tool/tool-checks.ts";
import { getPage } from "../../../test/get-page.ts";
import { webServer } from "../../../test/web-server.ts";
import { httpTools } from "./http-tools.ts";

test("the pack is one tool that reads, costs a request, and needs the network", () => {
  const pack = httpTools();
  expect(() => registerPacks([pack])).not.toThrow();
  expect(pack.map(({ contract }) => contract)).toMatchObject([
    {
      name: "http.get",
      sideEffect: "none",
      costEffect: "api_cost",
      permissions: ["net"],
      capability: { kind: "net", url: "/url" },
      idempotency: { type: "natural" },
      access: { anonymousAllowed: false },
      agent: { callable: true },
    },
  ]);
});

// proves LIVE-4.15, LIVE-4.16
test("it takes an address, and gives what was kept unless it is told not to", () => {
  const [tool] = httpTools();
  expect(tool?.contract.input).toMatchObject({
    properties: { url: { type: "string" }, use_cache: { type: "boolean", default: true } },
    required: ["url"],
    additionalProperties: false,
  });
});

test("what it gives is what its contract says", async () => {
  const [tool] = httpTools();
  if (tool === undefined) throw new Error("there is no tool");
  const { input, output, fillDefaults } = checksOf(tool);
  expect(fillDefaults?.({ url: "https://a.example/" })).toStrictEqual({
    url: "https://a.example/",
    use_cache: true,
  });
  expect(input({ url: "https://a.example/", use_cache: true })).toBeUndefined();
  const server = await webServer(({ url }, response) => {
    if (url === "/") response.writeHead(302, { location: "/p" }).end();
    else response.writeHead(200, { "content-type": "text/html" }).end("<title>a</title>b");
  });
  const store = createMemoryStore();
  for (const hit of [false, true]) {
    const page = await getPage(`http://a.local:${server.port}/`, { store });
    expect(page.cache.hit).toBe(hit);
    expect(output(page)).toBeUndefined();
  }
});

describe("what it is made with is looked at once", () => {
  test.each([
    [{ httpMs: 0 }],
    [{ httpMs: 2 ** 31 }],
    [{ redirects: -1 }],
    [{ httpBodyBytes: 1.5 }],
    [{ textChars: Number.NaN }],
    [{ cacheTtlS: "3600" }],
    [{ bodyBytes: 1 }],
    [{ __proto__: null, constructor: 1 }],
  ])("limits %j are refused", (limits) => {
    expect(() => httpTools({ limits: limits as object })).toThrow(
      expect.objectContaining({
        code: "host_configuration_needed",
        details: { path: "/limits", reason: "bad_limit" },
      }),
    );
  });

  test.each(["", " ", "a\r\nx: y", "é", "x".repeat(257)])("a user agent %j is refused", (userAgent) => {
    expect(() => httpTools({ userAgent })).toThrow(
      expect.objectContaining({ code: "host_configuration_needed" }),
    );
  });
});
