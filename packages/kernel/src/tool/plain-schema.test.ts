// What passes as plain is not looked at by the schema of schemas: so it must be true of it.
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonObject, JsonValue } from "@spfunctions/contracts";
import { isPlainSchema } from "./plain-schema.ts";
import { compileCheck } from "./schema-check.ts";
import type { ToolSchema } from "./standard-schema.ts";

const ajv = new Ajv2020({ strict: false });
(addFormats as unknown as (one: Ajv2020) => void)(ajv);
const isValid = (schema: JsonValue) => ajv.validateSchema(schema as JsonObject, false) === true;

const values: readonly JsonValue[] = [
  null,
  true,
  0,
  -1,
  0.5,
  1,
  "",
  "string",
  "strng",
  "#/$defs/a",
  "(",
  "https://json-schema.org/draft/2020-12/schema",
  [],
  ["string"],
  ["string", "string"],
  ["string", "number"],
  ["strng"],
  [{}],
  [1],
  [{ type: "strng" }],
  {},
  { a: {} },
  { a: { type: "string" } },
  { a: { type: "strng" } },
  { a: 1 },
  { type: "string" },
  { type: "strng" },
];
const words = [
  ..."$schema $ref $defs title description default const enum type properties required additionalProperties".split(
    " ",
  ),
  ..."propertyNames minProperties maxProperties items minItems maxItems uniqueItems minimum maximum".split(
    " ",
  ),
  ..."exclusiveMinimum exclusiveMaximum minLength maxLength pattern format anyOf oneOf allOf x-sf-public".split(
    " ",
  ),
  ..."not if then else $id $anchor patternProperties dependentRequired multipleOf prefixItems contains typ".split(
    " ",
  ),
];

const tree = fc.letrec<{ schema: JsonValue }>((tie) => ({
  schema: fc.dictionary(
    fc.constantFrom(...words),
    fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...values),
      tie("schema"),
      fc.array(tie("schema"), { maxLength: 2 }),
    ),
    { maxKeys: 3 },
  ),
})).schema;

describe("whatever passes as plain, the schema of schemas allows", () => {
  test.each(words)("%s", (word) => {
    const wrong = values.filter((value) => isPlainSchema({ [word]: value }) && !isValid({ [word]: value }));
    expect(wrong).toStrictEqual([]);
  });

  test("any of them, together and within each other", () => {
    fc.assert(
      fc.property(tree, (schema) => {
        fc.pre(isPlainSchema(schema));
        expect(isValid(schema)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("what is plain, and is taken when its tool is defined, does not fail later", () => {
  const withName = fc
    .tuple(tree, tree)
    .map(([schema, named]) => ({ anyOf: [schema, { $ref: "#/$defs/a" }], $defs: { a: named } }));
  test.each<[string, ToolSchema]>([
    ["given as it is", { type: "object" }],
    ["of a library", z.unknown()],
  ])("%s", (_, given) => {
    const where = { tool: "a.b", side: "input" };
    fc.assert(
      fc.property(fc.oneof(tree, withName), (schema) => {
        fc.pre(isPlainSchema(schema));
        const check = taken(() => compileCheck(schema as JsonObject, given, where));
        expect(() => check?.({})).not.toThrow();
      }),
      { numRuns: 1000 },
    );
  });
});

function taken<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

test.each<[string, JsonValue]>([
  [
    "an object",
    { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
  ],
  [
    "what zod says of a schema",
    { $schema: "https://json-schema.org/draft/2020-12/schema", anyOf: [{ const: 1 }, { type: "null" }] },
  ],
])("%s is plain", (_, schema) => {
  expect(isPlainSchema(schema)).toBe(true);
});

test.each<[string, JsonValue]>([
  ["a word that is none", { typ: "string" }],
  ["a type that is none", { type: "strng" }],
  ["a pattern that is none", { pattern: "(" }],
  ["a rarer word", { not: {} }],
  ["a mark with a name inside that is none", { "x-sf-public": { $anchor: "(" } }],
  ["no schema", []],
])("%s is left to the schema of schemas", (_, schema) => {
  expect(isPlainSchema(schema)).toBe(false);
});
