// B30 where it is decided: a real browser, a page of one origin, the platform at another. What the platform does not give leave for, the
// browser withholds.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleForBrowser } from "../packages/contracts/test/bundle-for-browser.ts";
import { isChromiumSkipped, launchChromium } from "../packages/contracts/test/chromium.ts";
import { ask, testPlatform } from "../packages/server/test-data/test-platform.ts";
import { root } from "./package-graph.ts";

/** One server, which is two origins to a browser. */
async function servePages(): Promise<{ readonly allowed: string; readonly other: string }> {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>page</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { allowed: `http://127.0.0.1:${port}`, other: `http://localhost:${port}` };
}

test.skipIf(isChromiumSkipped)(
  "a page of an allowed origin reads every answer, with every option of the client; one of another origin gets nothing",
  async () => {
    const { allowed, other } = await servePages();
    const platform = await testPlatform("socket", { allowedOrigins: [allowed] });
    const key = await platform.key("acct_1");
    const lend = async (origin: string) => {
      const wanted = { origin, scopes: ["read", "write"] };
      const { body } = await ask(platform, "/api/tokens", { key, body: wanted });
      return (body as { data: { token: string } }).data.token;
    };
    const { code } = await bundleForBrowser(join(root, "packages/sdk/src/index.ts"), "sdk");
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    /** A call of a page, its answer or the code of its error, and what it could see of the answer. */
    const visit = async (page: string, token: string, tool: string): Promise<unknown> => {
      const tab = await browser.newPage();
      await tab.goto(page);
      await tab.addScriptTag({ content: code });
      const options = {
        idempotencyKey: `key-${tool}`,
        sessionId: "monday",
        origin: "direct",
        traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01`,
      };
      const given = { baseUrl: platform.baseUrl, apiKey: token, retries: 0 };
      return await tab.evaluate(`new sdk.SimpleFunctions(${JSON.stringify(given)})
        .call(${JSON.stringify(tool)}, { text: "hello" }, ${JSON.stringify(options)})
        .withReceipt()
        .then(({ data, requestId }) => [data.tool, requestId.startsWith("req_")], ({ code }) => code)`);
    };
    const token = await lend(allowed);
    expect(await visit(allowed, token, "world.read")).toStrictEqual(["world.read", true]);
    expect(await visit(allowed, token, "notes.add")).toStrictEqual(["notes.add", true]);
    expect(await visit(allowed, token, "vault.open")).toBe("policy_denied");
    expect(platform.deeds.map(({ tool }) => tool)).toStrictEqual(["world.read", "notes.add"]);
    // No answer of the platform's, not even its refusal, is given to this page; whatever it sends is not done.
    expect(await visit(other, await lend(other), "notes.add")).toBe("upstream_error");
    expect(platform.deeds).toHaveLength(2);
  },
);
