// S1: any number of tools, and of places in each, can declare what is secret and what is not.
import type { JsonObject } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { tinySchema, toolWith } from "../../test-data/tool-samples.ts";
import { compileCheck } from "./schema-check.ts";
import type { ToolSchema } from "./standard-schema.ts";
import { checksOf } from "./tool-checks.ts";

const secret = { type: "string", "x-sf-secret": true };
const open = { type: "string", "x-sf-public": true };
const two = { type: "object", properties: { pin: secret, word: secret, id: open, handle: open } };
const where = { tool: "notes.read", side: "input" };

describe.each<[string, (schema: JsonObject) => ToolSchema]>([
  ["JSON Schema", (schema) => schema],
  ["a library's schema", (schema) => tinySchema(schema)],
])("in %s, what is secret or public can be declared", (_, given) => {
  test("at several places of one schema", () => {
    const check = compileCheck(two, given(two), where);
    expect([check({ pin: "a" }), check({ pin: 1 })]).toMatchObject([undefined, { path: "/pin" }]);
  });

  test("in the input and the output of one tool, and in the next tool", () => {
    for (const name of ["notes.first", "notes.second"] as const) {
      const { inputMarks, outputMarks } = checksOf(toolWith({ name, input: given(two), output: given(two) }));
      const marks = { publicPaths: ["/handle", "/id"], secretPaths: ["/pin", "/word"] };
      expect([inputMarks, outputMarks]).toStrictEqual([marks, marks]);
    }
  });
});

test("zod's own metadata declares it, also twice", () => {
  const text = z.string().meta({ "x-sf-secret": true });
  for (const name of ["notes.first", "notes.second"] as const) {
    const tool = toolWith({ name, input: z.object({ pin: text, word: text }) });
    expect(checksOf(tool).inputMarks.secretPaths).toStrictEqual(["/pin", "/word"]);
  }
});

test("a mark that nobody knows is refused as little, and one without x- as before", () => {
  const marked = { type: "object", properties: { a: { "x-other": 1 }, b: { "x-other": 2 } } };
  expect(compileCheck(marked, marked, where)({ a: 1 })).toBeUndefined();
  const odd: JsonObject = { type: "object", sfSecret: true };
  expect(() => compileCheck(odd, odd, where)).toThrow(/unknown keyword/);
});
