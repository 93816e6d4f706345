import { createMemoryStore, defineTool } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { openPlatform } from "../src/open-platform.ts";
import { installation } from "../test-data/test-platform.ts";

test.each(["/api/health", "/api/events", "/api/runs/{id}/events", "/api/contracts/tools/{tool}"])(
  "a tool at %s, which is the platform's own route, is refused at the start",
  async (path) => {
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
      http: { method: "GET", path },
      run: () => null,
    });
    await expect(
      openPlatform({ store: createMemoryStore(), installation, packs: [tool] }),
    ).rejects.toMatchObject({
      code: "invalid_manifest",
    });
  },
);
