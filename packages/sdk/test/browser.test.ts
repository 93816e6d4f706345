import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bundleForBrowser } from "../../contracts/test/bundle-for-browser.ts";
import { isChromiumSkipped, launchChromium } from "../../contracts/test/chromium.ts";
import { agentEvents } from "../../contracts/test-data/samples.ts";
import { testKey, testToken } from "../test-data/test-client.ts";
import { type Arrived, answer, type Reply, refuse, TestPlatform } from "../test-data/test-platform.ts";

const bundled = await bundleForBrowser(join(import.meta.dirname, "browser-probe.ts"), "sdkProbe");

test("the package bundles for a browser without a module of Node, as one that knows where it is", () => {
  expect(bundled.imports).toEqual([]);
  expect(bundled.code.match(/["'`]node:[^"'`]*["'`]|\brequire\(/g)).toBeNull();
  const places = bundled.modules
    .filter((id) => /\/place-\w+\.ts$/.test(id))
    .map((id) => id.split("/").at(-1));
  expect(places).toEqual(["place-browser.ts"]);
});

describe.skipIf(isChromiumSkipped)("in Chromium", () => {
  let browser: Browser | undefined;
  let page: Page;
  let platform: TestPlatform;

  beforeAll(async () => {
    platform = await TestPlatform.start();
    platform.handler = reply;
    browser = await launchChromium();
    page = await browser.newPage();
    await page.goto(`${platform.baseUrl}/page`);
    await page.addScriptTag({ content: bundled.code });
  });
  beforeEach(() => void (platform.arrived.length = 0));

  afterAll(async () => {
    await browser?.close();
    await platform.stop();
  });

  const run = <Result>(name: string, apiKey: string | undefined): Promise<Result> =>
    page.evaluate(`sdkProbe.${name}(${JSON.stringify(apiKey)}, ${JSON.stringify(platform.baseUrl)})`);

  // proves KEY-6.19, KEY-18.1
  test("a long-lived key is refused before any request", async () => {
    expect(await run("make", testKey)).toBe("browser_key_forbidden");
    expect(platform.arrived).toStrictEqual([]);
  });

  // proves KEY-18.4
  test("a token is accepted, and so is no key at all", async () => {
    expect(await run("make", testToken)).toBe("made, hasApiKey true");
    expect(await run("make", undefined)).toBe("made, hasApiKey false");
  });

  // proves KEY-6.20, KEY-18.5
  test("a page with a token calls, lists and follows", async () => {
    expect(await run("use", testToken)).toStrictEqual({
      keys: [{ keyId: "key_1" }, { keyId: "key_2" }],
      events: ["run.started", "run.completed"],
      requestId: "req_1",
      refused: "forbidden",
    });
    const sent = platform.arrived.map(({ method, path, headers }) => [
      `${method} ${path}`,
      headers.get("authorization") === `Bearer ${testToken}`,
      headers.has("cookie"),
      headers.get("user-agent")?.includes("spfunctions"),
    ]);
    expect(sent).toStrictEqual(
      [
        "GET /api/keys",
        "GET /api/keys?after=key_1",
        "GET /api/runs/run_0190aaaa/events",
        "GET /api/runtime",
        "DELETE /api/keys/key_1",
      ].map((line) => [line, true, false, false]),
    );
  });
});

function reply({ method, path }: Arrived): Reply {
  switch (`${method} ${path}`) {
    case "GET /page":
      return new Response("<!doctype html><title>probe</title>", {
        headers: { "content-type": "text/html", "set-cookie": "session=1" },
      });
    case "GET /api/keys":
      return answer({ items: [{ keyId: "key_1" }], next: "key_1" });
    case "GET /api/keys?after=key_1":
      return answer({ items: [{ keyId: "key_2" }] });
    case "GET /api/runs/run_0190aaaa/events":
      return new Response(
        [agentEvents["run.started"], agentEvents["run.completed"]]
          .map((event, at) => `id: ${at}\ndata: ${JSON.stringify(event)}\n\n`)
          .join(""),
        { headers: { "content-type": "text/event-stream" } },
      );
    case "GET /api/runtime":
      return answer({ state: "running" });
    case "GET /favicon.ico":
      return new Response(null, { status: 204 });
    default:
      return refuse("forbidden", 403);
  }
}
