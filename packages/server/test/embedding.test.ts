// In somebody else's app the platform is the same as alone: the same answers, the same door, and everybody is counted by where they
// come from.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import { describe, expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { listen, type Platform, requestListener } from "../src/index.ts";
import { ask, generous, type TestPlatform, testPlatform } from "../test-data/test-platform.ts";

type Embedded = Pick<TestPlatform, "baseUrl" | "fetch">;

async function belowAPath(platform: Platform): Promise<Embedded> {
  const app = new Hono();
  app.get("/", (c) => c.text("an app"));
  app.mount("/governed", platform.fetch);
  const { url, close } = await listen(app, { port: 0 });
  onTestFinished(() => close(0));
  return { baseUrl: `${url}/governed`, fetch: (request) => fetch(request) };
}

const besideOthers = (platform: Platform) => servedBy(platform, "");

/** As Express does it: whoever is mounted below a path is not told of it. */
const belowAnother = (platform: Platform) => servedBy(platform, "/governed");

async function servedBy(platform: Platform, path: string): Promise<Embedded> {
  const answer = requestListener(platform);
  const server = createServer((incoming, outgoing) => {
    const { url = "" } = incoming;
    if (!url.startsWith(`${path}/api/`)) return void outgoing.end("an app");
    incoming.url = url.slice(path.length);
    return void answer(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}${path}`, fetch: (request) => fetch(request) };
}

test("a request that still has the path before /api is told to take it off", async () => {
  const { platform, deeds, key } = await testPlatform();
  const headers = { authorization: `Bearer ${await key("acct_1")}`, "content-type": "application/json" };
  const send = (url: string) => new Request(url, { method: "POST", headers, body: "{}" });
  const request = send("http://localhost/governed/api/notes");
  const answer = await platform.fetch(request.clone());
  expect([answer.status, await answer.json()]).toMatchObject([
    404,
    {
      error: {
        code: "not_found",
        message: expect.stringMatching(/begins with \/api\/, and something stands before it here/),
        details: { reason: "below_prefix" },
      },
    },
  ]);
  const passedOn = new Request(request.url.replace("/governed/api/", "/api/"), request);
  expect((await platform.fetch(passedOn)).status).toBe(200);
  expect(deeds).toHaveLength(1);
  const other = (await (await platform.fetch(send("http://localhost/elsewhere"))).json()) as object;
  expect(JSON.stringify(other)).not.toContain("below_prefix");
});

describe.each([
  ["below a path of an app that speaks fetch", belowAPath],
  ["beside the routes of a server of node:http", besideOthers],
  ["below a path of one", belowAnother],
])("%s", (_, embed) => {
  test("the app answers its own, and the platform what is the platform's", async () => {
    const { platform, deeds, key } = await testPlatform();
    const embedded = await embed(platform);
    const own = await fetch(new URL("/", embedded.baseUrl));
    expect(await own.text()).toBe("an app");
    const secret = await key("acct_1");
    const made = await ask(embedded, "/api/notes", { key: secret, body: {} });
    expect([made.status, made.body.ok, deeds.length]).toStrictEqual([200, true, 1]);
    const refused = await ask(embedded, "/api/notes", { body: {} });
    expect(refused.body).toMatchObject({ ok: false, error: { code: "missing_api_key" } });
    expect(deeds).toHaveLength(1);
  });

  test("its description leads to it", async () => {
    const { platform } = await testPlatform();
    const { baseUrl } = await embed(platform);
    const at = `${baseUrl}/api/openapi.json`;
    const { servers } = (await (await fetch(at)).json()) as { servers: [{ url: string }] };
    expect(new URL(servers[0].url, at).href).toBe(`${baseUrl}/`);
  });

  test("a call's events come as they happen", async () => {
    const { platform, key } = await testPlatform();
    const { baseUrl } = await embed(platform);
    const authorization = `Bearer ${await key("acct_1")}`;
    const headers = { authorization, accept: "text/event-stream", "content-type": "application/json" };
    const answer = await fetch(`${baseUrl}/api/notes`, { method: "POST", headers, body: "{}" });
    expect((await answer.text()).match(/^event: answer$/gm)).toHaveLength(1);
  });

  test("a page of the app's own origin calls with a token, and one of elsewhere not at all", async () => {
    const { platform, key } = await testPlatform();
    const embedded = await embed(platform);
    const { origin } = new URL(embedded.baseUrl);
    const made = await ask(embedded, "/api/tokens", { key: await key("acct_1"), body: { origin } });
    const { token } = (made.body as { data: { token: string } }).data;
    const from = async (page: string) =>
      (await ask(embedded, "/api/agent/world", { key: token, headers: { origin: page } })).status;
    expect([await from(origin), await from("https://evil.example")]).toStrictEqual([200, 403]);
  });

  test("whoever comes too often is told so by their address, without a key too", async () => {
    const { platform } = await testPlatform("embedded", {
      clock: new ManualClock(),
      limits: { ...generous, addressRate: { perSecond: 1, burst: 2 } },
    });
    const embedded = await embed(platform);
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) statuses.push((await ask(embedded, "/api/health")).status);
    expect(statuses).toStrictEqual([200, 200, 429]);
    expect(platform.refused()).toStrictEqual({ address_rate: 1 });
  });
});
