// One server in a process of its own: `bare`, a hono route and nothing else, or `governed`, the platform on SQLite with a key.
// It says where it is, and then how much memory it has whenever it is asked.
import { serve } from "@hono/node-server";
import { openSqliteStore } from "@spfunctions/host/store";
import { defineTool, newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { listen, openPlatform } from "@spfunctions/server";
import { Hono } from "hono";
import type { AddressInfo } from "node:net";

const payload = { ticker: "KXFEDDECISION-26SEP-H0", yesCents: 62, noCents: 38, volume: 12_500, isOpen: true };
const tool = defineTool({
  name: "bench.read",
  description: "Reads something that is at hand.",
  input: {
    type: "object",
    properties: { ticker: { type: "string" } },
    required: ["ticker"],
    additionalProperties: false,
  },
  output: { type: "object", properties: { ticker: { type: "string" } }, required: ["ticker"] },
  permissions: ["bench:read"],
  sideEffect: "none",
  costEffect: "api_cost",
  http: { method: "GET", path: "/api/bench/{ticker}" },
  run: () => payload,
});

const [kind = "", argument = ""] = process.argv.slice(2);
const { url, key } = kind === "bare" ? await bareServer(argument) : await governedServer(argument);
process.send?.({ url, key });
process.on("message", () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heapUsed });
});

/** `answer`: what the other server answers, so that both send the same. */
async function bareServer(answer: string): Promise<{ url: string; key: string }> {
  const same = JSON.parse(answer) as object;
  const app = new Hono();
  app.get("/api/bench/:ticker", (c) => c.json(same));
  const port = await new Promise<number>((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, (info: AddressInfo) => resolve(info.port));
  });
  return { url: `http://127.0.0.1:${port}`, key: "" };
}

async function governedServer(folder: string): Promise<{ url: string; key: string }> {
  const unlimited = { perSecond: 100_000, burst: 1_000_000 };
  const platform = await openPlatform({
    store: await openSqliteStore({ folder }),
    installation: openInstallation(newInstallationSecret()),
    packs: [tool],
    limits: { keyRate: unlimited, addressRate: unlimited },
  });
  const { secret } = await platform.createKey("bench", { scopes: ["read"] });
  const { url: at } = await listen(platform, { port: 0 });
  return { url: at, key: secret };
}
