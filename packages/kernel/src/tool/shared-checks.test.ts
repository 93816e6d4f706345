// Tools with the same schema share what was compiled of it, and nothing else.
import type { JsonObject, JsonValue } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { tinySchema, toolWith } from "../../test-data/tool-samples.ts";
import { compileCheck } from "./schema-check.ts";
import { checksOf } from "./tool-checks.ts";

const where = { tool: "notes.read", side: "input" };
const checkOf = (schema: JsonObject) => compileCheck(schema, schema, where);
const strict = (): JsonObject => ({
  type: "object",
  properties: { size: { enum: ["s", "m"] }, count: { type: "integer", minimum: 1 } },
  required: ["size"],
  additionalProperties: false,
});

const named = (type: string): JsonObject => ({
  $id: "https://example.com/shelf",
  $defs: { mark: { type } },
  $ref: "https://example.com/shelf#/$defs/mark",
});

describe("two checks of the same schema", () => {
  test("each say what is wrong with what they were given, in any order", () => {
    const [one, two] = [checkOf(strict()), checkOf(strict())];
    const bad = { size: "s", count: 0 };
    expect(one(bad)).toMatchObject({ path: "/count", reason: "minimum" });
    expect(two({ size: "xl" })).toMatchObject({ path: "/size", reason: "enum" });
    expect(one({ size: "s" })).toBeUndefined();
    expect(two({ size: "s", more: 1 })).toMatchObject({ path: "/more", reason: "additionalProperties" });
    expect(two({ size: "m" })).toBeUndefined();
    expect(one(bad)).toMatchObject({ path: "/count", reason: "minimum" });
  });

  test("keep what they have said: the next one does not change it", () => {
    const [one, two] = [checkOf(strict()), checkOf(strict())];
    const said = one({ size: "xl" });
    two({});
    two({ size: "s" });
    expect(said).toStrictEqual({
      path: "/size",
      reason: "enum",
      message: 'must be one of "s", "m"',
    });
  });

  test("are of the same schema also where its members are in another order", () => {
    const { type, ...rest } = strict();
    const turned = checkOf({ ...rest, type } as JsonObject);
    for (const value of [{}, { size: "s" }, { size: 5 }, { size: "m", count: 1.5 }, 5, null] as JsonValue[])
      expect(turned(value) === undefined).toBe(checkOf(strict())(value) === undefined);
  });

  test("ask a library each its own, where each has one", () => {
    const text = z.string().refine((value) => value !== "one");
    const other = z.string().refine((value) => value !== "two");
    const contract = { type: "string" };
    const [one, two] = [compileCheck(contract, text, where), compileCheck(contract, other, where)];
    expect([one("one"), one("two")].map((said) => said === undefined)).toStrictEqual([false, true]);
    expect([two("one"), two("two")].map((said) => said === undefined)).toStrictEqual([true, false]);
  });

  test("differ where one is a library's: what that calls a format is its own business, and nobody else's", () => {
    const schema = { type: "string", format: "shelf-mark" };
    const library = tinySchema(schema, (value: unknown) => ({ value }));
    expect(compileCheck(schema, library, where)("anything")).toBeUndefined();
    expect(refusalOf(() => checkOf(schema)).message).toContain("shelf-mark");
    expect(compileCheck(schema, library, where)("anything")).toBeUndefined();
  });
});

test("a tool's schema stays what it was, whatever the owner of it, or of one like it, does to theirs", () => {
  const [mine, theirs] = [strict(), strict()];
  const one = toolWith({ input: mine });
  const two = toolWith({ name: "other.read", input: theirs });
  for (const schema of [mine, theirs] as Record<string, unknown>[]) {
    (schema["properties"] as { size: { enum: string[] } }).size.enum.push("xl");
    delete schema["required"];
    schema["additionalProperties"] = true;
  }
  for (const tool of [one, two, toolWith({ name: "third.read", input: strict() })]) {
    expect(checksOf(tool).input({ size: "xl" })).toMatchObject({ reason: "enum" });
    expect(checksOf(tool).input({})).toMatchObject({ reason: "required" });
    expect(checksOf(tool).input({ size: "s", more: 1 })).toMatchObject({ reason: "additionalProperties" });
  }
});

test("a schema that is refused is refused again, with the name of the tool that came with it", () => {
  const bad = { type: "strnig" };
  for (const tool of ["notes.read", "notes.write"])
    expect(refusalOf(() => compileCheck(bad, bad, { tool, side: "output" })).message).toContain(
      `invalid tool ${tool}: output: not a usable JSON Schema`,
    );
});

test("a schema with names of its own meets no other of that name", () => {
  const [text, number, again] = [named("string"), named("number"), named("string")].map(checkOf);
  expect([text?.("a"), number?.(5), again?.("a")]).toStrictEqual([undefined, undefined, undefined]);
  expect([text?.(5), number?.("a"), again?.(5)].map((said) => said?.reason)).toStrictEqual(
    Array<string>(3).fill("type"),
  );
});

test("a check outlives what is remembered: more schemas than are kept change nothing about the first", () => {
  const first = checkOf(strict());
  for (let most = 0; most < 1100; most++) checkOf({ type: "integer", maximum: most });
  expect(first({ size: "xl" })).toMatchObject({ reason: "enum" });
  expect(checkOf(strict())({ size: "xl" })).toMatchObject({ reason: "enum" });
  expect(checkOf({ type: "integer", maximum: 0 })(1)).toMatchObject({ reason: "maximum" });
});
