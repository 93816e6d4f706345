import { createMemoryStore, defineTool } from "@spfunctions/kernel";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPlatform } from "../src/open-platform.ts";
import { ask, installation, testPlatform } from "../test-data/test-platform.ts";

const folder = join(import.meta.dirname, "../src");

/** Every route of a platform that has no tools of its own. */
const routes = [
  "DELETE /api/keys/{keyId}",
  "GET /api/approvals",
  "GET /api/approvals/grants",
  "GET /api/approvals/{approvalId}",
  "GET /api/contracts/signing-key",
  "GET /api/contracts/tools",
  "GET /api/contracts/tools/{name}",
  "GET /api/events",
  "GET /api/grants",
  "GET /api/health",
  "GET /api/keys",
  "GET /api/openapi.json",
  "GET /api/ready",
  "GET /api/runs/{runId}/events",
  "GET /api/runtime",
  "POST /api/approvals/grants/{grantId}/revoke",
  "POST /api/approvals/{approvalId}/answer",
  "POST /api/grants",
  "POST /api/grants/{grantId}/answer",
  "POST /api/keys",
  "POST /api/keys/touch",
  "POST /api/keys/{keyId}/rotate",
  "POST /api/runs/{runId}/credential",
  "POST /api/runtime/ensure",
  "POST /api/runtime/stop",
  "POST /api/tokens",
];

// proves KEY-24.6
// proves RUN-1.8, RUN-3.2
test("the routes besides those of tools are these, and no others", async () => {
  const { baseUrl, fetch } = await testPlatform("embedded", { packs: [] });
  const answer = await fetch(new Request(`${baseUrl}/api/openapi.json`));
  const { paths } = (await answer.json()) as { paths: Readonly<Record<string, object>> };
  const described = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.keys(byMethod).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.toSorted()).toStrictEqual(routes);
  // What is not described is not there either: no other path is written anywhere.
  const sources = globSync("**/*.ts", { cwd: folder }).filter((file) => !/\.test\.ts$|^openapi\//.test(file));
  const written = sources.flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/["'`](\/api\/[^"'`]*)["'`]/g)].map(
      ([, path]) => path,
    ),
  );
  expect(new Set(written)).toStrictEqual(new Set(routes.map((route) => route.split(" ")[1])));
});

test("of these only the documents, and whether it is there and can serve, answer without a key", async () => {
  const { baseUrl, fetch } = await testPlatform("embedded", { packs: [] });
  const open: string[] = [];
  for (const route of routes) {
    const [method = "", path = ""] = route.split(" ");
    const request = new Request(`${baseUrl}${path.replaceAll(/\{\w+\}/g, "x")}`, {
      method,
      ...(method === "POST" && { body: "{}", headers: { "content-type": "application/json" } }),
    });
    if ((await fetch(request)).status !== 401) open.push(route);
  }
  expect(open).toStrictEqual([
    "GET /api/contracts/signing-key",
    "GET /api/contracts/tools",
    "GET /api/contracts/tools/{name}",
    "GET /api/health",
    "GET /api/openapi.json",
    "GET /api/ready",
  ]);
});

// proves KEY-11.3, KEY-24.7, KEY-24.8, KEY-24.9, KEY-24.10, KEY-24.11, KEY-24.12, KEY-24.14
// proves RUN-1.8, RUN-1.11, RUN-2.12, RUN-2.13, RUN-3.2, RUN-10.26
test.each([
  ["the broad tool list", "GET", "/api/tools"],
  ["the broad tool list", "POST", "/api/tools/call"],
  ["running a model", "POST", "/api/runs"],
  ["running a model", "POST", "/api/agent/run"],
  ["sessions", "GET", "/api/sessions"],
  ["traces", "GET", "/api/traces"],
  ["traces", "POST", "/api/traces"],
  ["MCP", "POST", "/mcp"],
  ["MCP", "POST", "/api/mcp"],
  ["auth.status", "GET", "/api/auth/status"],
  ["events.search", "GET", "/api/public/events"],
  ["market.related", "GET", "/api/market/related"],
  ["investigations.create", "POST", "/api/investigations"],
  ["intents.propose", "POST", "/api/intents/propose"],
  ["webhooks.create", "POST", "/api/webhooks"],
])("there is no route for %s: %s %s", async (_, method, path) => {
  const house = await testPlatform();
  const key = await house.key("acct_1", { scopes: ["read", "write", "admin"] });
  const { status, body } = await ask(house, path, { method, key, ...(method === "POST" && { body: {} }) });
  expect([status, body.ok ? "" : body.error.code]).toStrictEqual([404, "not_found"]);
  expect(house.deeds).toStrictEqual([]);
});

test.each([
  ["GET", "/api/health"],
  ["GET", "/api/ready"],
  ["GET", "/api/events"],
  ["GET", "/api/runs/{id}/events"],
  ["GET", "/api/contracts/tools/{tool}"],
  ["GET", "/api/approvals"],
  ["GET", "/api/approvals/{id}"],
  ["POST", "/api/approvals/{id}/answer"],
  ["POST", "/api/approvals/grants/{id}/revoke"],
  ["GET", "/api/grants"],
  ["POST", "/api/grants"],
  ["POST", "/api/grants/{id}/answer"],
  ["POST", "/api/runs/{id}/credential"],
] as const)(
  "a tool at %s %s, which is the platform's own route, is refused at the start",
  async (method, path) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const tool = defineTool({
      name: "mine.read",
      description: "Wants a route that is taken.",
      input: {
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
        additionalProperties: false,
      },
      output: {},
      permissions: [],
      sideEffect: "none",
      costEffect: "api_cost",
      http: { method, path },
      run: () => null,
    });
    await expect(
      openPlatform({ store: createMemoryStore(), installation, packs: [tool] }),
    ).rejects.toMatchObject({
      code: "invalid_manifest",
    });
  },
);
