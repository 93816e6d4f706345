import { randomUUID } from "node:crypto";
import { InvalidManifestError } from "@spfunctions/contracts";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { toolWith } from "../../test-data/tool-samples.ts";
import type { ToolSchema } from "./standard-schema.ts";

let count = 0;

describe("a default that is not the same each time is refused: the digest would be another one after a restart", () => {
  test.each<[string, ToolSchema, string]>([
    ["an id", z.object({ id: z.string().default(() => randomUUID()) }), "/properties/id/default"],
    ["a counter", z.object({ n: z.int().default(() => count++) }), "/properties/n/default"],
    ["the time", z.object({ at: z.number().default(() => Date.now()) }), "/properties/at/default"],
    [
      "the time as a text",
      z.object({ at: z.string().default(() => new Date().toISOString()) }),
      "/properties/at/default",
    ],
    [
      "the time in few characters",
      z.object({ at: z.string().default(() => Date.now().toString(36)) }),
      "/properties/at/default",
    ],
    [
      "deep in a default",
      z.object({ o: z.object({ at: z.number() }).default(() => ({ at: Date.now() })) }),
      "/properties/o/default/at",
    ],
    [
      "inside a union, in a list",
      z.object({ l: z.array(z.object({ id: z.string().default(() => randomUUID()) }).nullable()) }),
      "/properties/l/items/anyOf/0/properties/id/default",
    ],
    ["before it is checked", z.object({ id: z.string().prefault(randomUUID) }), "/properties/id/default"],
    [
      "instead of what is wrong",
      z.object({ id: z.string().catch(() => randomUUID()) }),
      "/properties/id/default",
    ],
    [
      "a member called default",
      z.object({ default: z.string().default(() => randomUUID()) }),
      "/properties/default/default",
    ],
  ])("%s", (_, schema, path) => {
    const error = refusalOf(() => toolWith({ input: schema }));
    expect(error).toBeInstanceOf(InvalidManifestError);
    expect(error.message).toBe(
      `invalid tool notes.read: input: ${path} is not the same each time; give a fixed value, or leave it optional and fill it in in run`,
    );
    expect(error.details).toStrictEqual({ tool: "notes.read", path: `/input${path}`, reason: "bad_schema" });
  });

  test("in an output as well", () => {
    const output = z.object({ at: z.string().default(() => new Date().toISOString()) });
    expect(refusalOf(() => toolWith({ output })).details).toMatchObject({
      path: "/output/properties/at/default",
    });
  });

  test("what is the same each time is taken, also from a function", () => {
    const input = z.object({
      a: z.string().default(() => "a text that is long enough for a time"),
      b: z.array(z.string()).default(() => []),
      c: z.object({ d: z.int() }).prefault({ d: 1 }),
      e: z.string().catch("e").optional(),
    });
    expect(toolWith({ input }).contract.digest).toBe(toolWith({ input }).contract.digest);
  });

  test("a clock that stands still holds nobody up", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const input = z.object({ from: z.string().default("2020-01-01T00:00:00Z") });
      expect(toolWith({ input }).contract.name).toBe("notes.read");
    } finally {
      vi.useRealTimers();
    }
  });
});
