import { createMemoryStore, defineTool } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { openPlatform } from "../src/open-platform.ts";
import { installation } from "../test-data/test-platform.ts";

test.each([
  ["GET", "/api/health"],
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
