// A schema marked draft-07 is taken where a tool is defined, and its contract says the same in 2020-12.
import { InvalidManifestError, type JsonObject, type JsonValue } from "@spfunctions/contracts";
import { Ajv } from "ajv";
import draft07 from "ajv/dist/refs/json-schema-draft-07.json" with { type: "json" };
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { toolWith } from "../../test-data/tool-samples.ts";
import { checksOf } from "./tool-checks.ts";

const $schema = "http://json-schema.org/draft-07/schema#";
const marked = (schema: object) => ({ $schema, ...schema }) as JsonObject;
const inputOf = (schema: object) => toolWith({ input: marked(schema) }).contract.input;
const text = { type: "string" } as const;
const number = { type: "number" } as const;

describe("a schema marked draft-07 is taken", () => {
  test("as it stands where both drafts say the same, and the contract has the digest of the one without a mark", () => {
    const schema = {
      type: "object",
      properties: {
        items: { type: "array", items: text, contains: { const: "a" }, minItems: 1 },
        $ref: text,
        definitions: { enum: [{ definitions: {}, items: [1] }], default: { dependencies: { a: ["b"] } } },
      },
      if: { required: ["items"] },
      // oxlint-disable-next-line unicorn/no-thenable -- it is a word of JSON Schema
      then: { required: ["$ref"] },
      required: ["items"],
      additionalProperties: false,
      "x-note": { items: [text] },
    };
    expect(inputOf(schema)).toStrictEqual(schema);
    expect(toolWith({ input: marked(schema) }).contract.digest).toBe(
      toolWith({ input: schema }).contract.digest,
    );
    for (const mark of [$schema, $schema.replace("#", ""), $schema.replace("http:", "https:")])
      expect(toolWith({ input: { ...schema, $schema: mark } }).contract.input).toStrictEqual(schema);
  });

  test("on both sides", () => {
    const output = marked({ type: "array", items: [text] });
    expect(toolWith({ output }).contract.output).toStrictEqual({ type: "array", prefixItems: [text] });
  });

  test("with definitions, which become $defs, and references follow", () => {
    expect(
      inputOf({
        $ref: "#/definitions/a~1b%20c",
        definitions: {
          "a/b c": { type: "object", properties: { next: { $ref: "#" }, name: { $ref: "#/$defs/name" } } },
          pair: { items: [text, number], additionalItems: { $ref: "#/definitions/pair/items/1" } },
          more: { $ref: "#/definitions/pair/additionalItems", description: "more" },
          deep: { dependencies: { a: { definitions: { b: text } } } },
          deeper: { $ref: "#/definitions/deep/dependencies/a/definitions/b" },
        },
        $defs: { name: text },
      }),
    ).toStrictEqual({
      $ref: "#/$defs/a~1b%20c",
      $defs: {
        "a/b c": { type: "object", properties: { next: { $ref: "#" }, name: { $ref: "#/$defs/name" } } },
        pair: { prefixItems: [text, number], items: { $ref: "#/$defs/pair/prefixItems/1" } },
        more: { $ref: "#/$defs/pair/items", description: "more" },
        deep: { dependentSchemas: { a: { $defs: { b: text } } } },
        deeper: { $ref: "#/$defs/deep/dependentSchemas/a/$defs/b" },
        name: text,
      },
    });
  });

  test("with a list of items, which becomes prefixItems, and additionalItems, which becomes items", () => {
    expect(inputOf({ items: [text, { items: [number] }], additionalItems: false })).toStrictEqual({
      prefixItems: [text, { prefixItems: [number] }],
      items: false,
    });
    expect(inputOf({ items: [], additionalItems: number })).toStrictEqual({ items: number });
    expect(inputOf({ items: text, additionalItems: false })).toStrictEqual({ items: text });
    expect(inputOf({ additionalItems: false })).toStrictEqual({});
  });

  test("with dependencies, which become dependentRequired and dependentSchemas", () => {
    expect(inputOf({ dependencies: { a: ["b"], c: { required: ["d"] }, e: false } })).toStrictEqual({
      dependentRequired: { a: ["b"] },
      dependentSchemas: { c: { required: ["d"] }, e: false },
    });
    expect(inputOf({ dependencies: {} })).toStrictEqual({});
  });

  test("with ids, where a pointer starts at the nearest one, or at the one that it names", () => {
    expect(
      inputOf({
        $id: "https://a.example/whole",
        definitions: { a: text },
        properties: { a: { $ref: "https://a.example/whole#/definitions/a" } },
      }),
    ).toStrictEqual({
      $id: "https://a.example/whole",
      $defs: { a: text },
      properties: { a: { $ref: "https://a.example/whole#/$defs/a" } },
    });
  });

  test("as zod writes it", () => {
    const schema = z.object({
      pair: z.tuple([z.string(), z.number()]).rest(z.boolean()),
      tree: z.object({ name: z.string() }).meta({ id: "Tree" }),
    });
    const written = z.toJSONSchema(schema, { target: "draft-7" }) as JsonObject;
    expect(written["$schema"]).toBe($schema);
    const checks = checksOf(toolWith({ input: written }));
    expect(checks.input({ pair: ["a", 1, true], tree: { name: "n" } })).toBeUndefined();
    expect(checks.input({ pair: ["a", 1, 2], tree: { name: "n" } })?.path).toBe("/pair/2");
    expect(checks.input({ pair: ["a", 1], tree: { name: 1 } })?.path).toBe("/tree/name");
  });

  test("as the SDK of MCP writes a tool's input", () => {
    const input = {
      type: "object",
      properties: {
        point: {
          type: "array",
          minItems: 2,
          maxItems: 2,
          items: [{ type: "number" }, { $ref: "#/properties/point/items/0" }],
        },
      },
      required: ["point"],
      additionalProperties: false,
      $schema,
    };
    const checks = checksOf(toolWith({ input: input as unknown as JsonObject }));
    expect(checks.input({ point: [1, 2] })).toBeUndefined();
    expect(checks.input({ point: [1, "2"] })).toMatchObject({ path: "/point/1", reason: "type" });
  });
});

describe("a schema marked draft-07 that cannot be converted is refused, and the word is named", () => {
  test.each<[string, object, string, string]>([
    [
      "a word beside a reference",
      { properties: { "a/b": { $ref: "#/definitions/t", minLength: 1 } }, definitions: { t: text } },
      "/properties/a~1b/minLength",
      "draft-07 reads nothing beside $ref; put the reference and this into an allOf",
    ],
    [
      "a word of 2020-12",
      { allOf: [{ prefixItems: [text] }] },
      "/allOf/0/prefixItems",
      "a word of 2020-12 that draft-07 does not read; mark the schema as 2020-12, or leave $schema out",
    ],
    [
      "a name that stands in definitions and in $defs",
      { definitions: { a: text }, $defs: { a: number } },
      "/definitions/a",
      "stands in $defs, too; give one another name",
    ],
    [
      "a reference to what is no schema",
      { "x-parts": { a: { items: [text] } }, $ref: "#/x-parts/a" },
      "/$ref",
      "#/x-parts/a leads to a place where draft-07 has no schema; move it to definitions",
    ],
    [
      "a reference to additionalItems that nobody reads",
      { additionalItems: text, items: { $ref: "#/additionalItems" } },
      "/items/$ref",
      "#/additionalItems leads to a place where draft-07 has no schema; move it to definitions",
    ],
    [
      "a pointer into another document",
      { properties: { a: { $ref: "other.json#/definitions/a" } } },
      "/properties/a/$ref",
      "other.json#/definitions/a leads into another document; write it as #/definitions/…",
    ],
    [
      "an id with a fragment",
      { definitions: { a: { $id: "#a" } } },
      "/definitions/a/$id",
      "an id with a fragment; refer to it as #/definitions/…",
    ],
    [
      "a part of another draft",
      { items: { $schema: "http://json-schema.org/draft-04/schema#" } },
      "/items/$schema",
      "a part of another draft; convert it first",
    ],
    ["dependencies that are none", { dependencies: ["a"] }, "/dependencies", "an object is expected"],
  ])("%s", (_, schema, place, why) => {
    const error = refusalOf(() => inputOf(schema));
    expect(error).toBeInstanceOf(InvalidManifestError);
    expect(error.message).toBe(`invalid tool notes.read: input: draft-07: ${place}: ${why}`);
    expect(error.details).toStrictEqual({ tool: "notes.read", path: `/input${place}`, reason: "bad_schema" });
  });

  test.each<[string, object, RegExp]>([
    ["an unknown word", { requird: ["a"] }, /unknown keyword: "requird"/],
    [
      "a reference to nowhere",
      { $ref: "#/definitions/none" },
      /can't resolve reference #\/definitions\/none/,
    ],
    ["definitions that are none", { definitions: ["a"] }, /schema is invalid/],
  ])("%s is refused as in any schema", (_, schema, words) => {
    expect(refusalOf(() => inputOf(schema)).message).toMatch(words);
  });
});

test("what was accepted before keeps its digest: a schema without the mark, and the schema of draft-07 itself", () => {
  const old = {
    definitions: { a: text },
    dependencies: { a: ["b"] },
    properties: { a: { $ref: "#/definitions/a", $schema } },
  } as JsonObject;
  expect(toolWith({ input: old }).contract.input).toStrictEqual(old);
  expect(toolWith({ input: draft07 as JsonObject }).contract.input).toStrictEqual(draft07);
});

test("a converted schema takes and refuses what a validator of draft-07 does", () => {
  const schemas: object[] = [
    { items: [text, number], additionalItems: { type: "null" } },
    { items: [text, number], minItems: 1, uniqueItems: true },
    { dependencies: { a: ["b"], b: { properties: { a: text } } } },
    {
      definitions: { l: { items: [text, { $ref: "#/definitions/l" }], additionalItems: false } },
      $ref: "#/definitions/l",
    },
    { properties: { a: { items: [{ $ref: "#/properties/b" }] }, b: number }, additionalProperties: false },
  ];
  const values: JsonValue[] = [
    [],
    ["a"],
    [1],
    ["a", 1],
    ["a", "b"],
    ["a", 1, null],
    ["a", 1, 1],
    ["a", ["b"]],
    ["a", ["b", 1]],
    {},
    { a: 1 },
    { a: "x", b: 1 },
    { a: 1, b: 1 },
    { a: [1], b: 1 },
    { a: ["x"] },
    { c: 1 },
  ];
  for (const schema of schemas) {
    const validate = new Ajv({ strict: false }).compile(marked(schema));
    const { input } = checksOf(toolWith({ input: marked(schema) }));
    expect(values.map((value) => input(value) === undefined)).toStrictEqual(
      values.map((value) => validate(value)),
    );
  }
});
