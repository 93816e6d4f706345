/* oxlint-disable unicorn/no-thenable -- the schemas are what is tried */
import { isJsonObject, type JsonObject, type JsonValue } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { fitsReference } from "../../test-data/reference-schema.ts";
import { compileCheck } from "./schema-check.ts";

const where = { tool: "notes.read", side: "input" };
const compile = (schema: JsonObject) => {
  const check = compileCheck(schema, schema, where);
  check.ready();
  return check;
};
const open = { type: "object", unevaluatedProperties: false } as const;
const list = { type: "array", unevaluatedItems: false } as const;
const kind = { properties: { kind: { const: "a" } }, required: ["kind"] };
const size = { properties: { size: { type: "integer" } } };

describe("a schema that the validator would take too much by is refused where the tool is defined", () => {
  test.each<[string, JsonObject, string]>([
    ["unevaluatedItems beside contains", { ...list, contains: { type: "string" } }, "contains"],
    ["unevaluatedItems above contains", { ...list, allOf: [{ contains: { type: "string" } }] }, "contains"],
    ["unevaluatedItems above items", { ...list, anyOf: [{ items: false }, true] }, "nested items"],
    [
      "unevaluatedItems above items of allOf",
      { ...list, allOf: [{ items: { type: "string" } }] },
      "nested items",
    ],
    [
      "unevaluatedItems above a prefix that may not apply",
      { ...list, anyOf: [{ prefixItems: [{ type: "array" }] }, true] },
      "nested prefixItems",
    ],
    ["unevaluatedProperties beside an if alone", { ...open, if: kind, then: size }, "both branches"],
    [
      "unevaluatedProperties above an if alone",
      { ...open, allOf: [{ if: kind, else: size }] },
      "both branches",
    ],
    [
      "unevaluatedProperties beside an if that names another property",
      { ...open, if: kind, then: size, else: true },
      "the property kind",
    ],
    [
      "unevaluatedProperties beside an if that speaks of all",
      { ...open, if: { additionalProperties: false }, then: size, else: size },
      "additionalProperties",
    ],
    [
      "the same behind a reference",
      { ...open, $ref: "#/$defs/one", $defs: { one: { if: kind, then: size } } },
      "both branches",
    ],
    [
      "the same behind an anchor",
      { ...open, $ref: "#one", $defs: { one: { $anchor: "one", if: kind, then: size } } },
      "both branches",
    ],
    [
      "a $dynamicRef to a pointer",
      { $dynamicRef: "#/$defs/one", $defs: { one: { type: "string" } } },
      "$dynamicRef",
    ],
    [
      "a $dynamicRef to an anchor",
      { $dynamicRef: "#one", $defs: { one: { $anchor: "one" } } },
      "$dynamicRef",
    ],
  ])("%s", (_, schema, words) => {
    const { message, code } = refusalOf(() => compile(schema));
    expect([code, message.includes(words)]).toStrictEqual(["invalid_manifest", true]);
  });
});

describe("what the validator counts as JSON Schema does is taken", () => {
  test.each<[string, JsonObject, JsonValue, JsonValue]>([
    [
      "unevaluatedProperties beside allOf",
      { ...open, allOf: [size], properties: { kind: true } },
      { kind: 1, size: 2 },
      { other: 1 },
    ],
    [
      "unevaluatedProperties beside an if with both branches",
      { ...open, properties: { kind: true }, if: kind, then: size, else: true },
      { kind: "a", size: 1 },
      { kind: "b", size: 1 },
    ],
    [
      "unevaluatedItems beside prefixItems",
      { ...list, prefixItems: [{ type: "string" }], allOf: [{ prefixItems: [true, true] }] },
      ["a", 1],
      ["a", 1, 2],
    ],
    [
      "a $dynamicRef to a dynamic anchor",
      { $dynamicAnchor: "node", type: "object", properties: { next: { $dynamicRef: "#node" } } },
      { next: { next: {} } },
      { next: { next: 1 } },
    ],
    [
      "contains behind prefixItems",
      { type: "array", prefixItems: [{ type: "string" }], contains: { const: "x" } },
      ["x"],
      [],
    ],
    [
      "contains of an empty list behind another one",
      { type: "array", items: { type: "array", contains: { type: "string" } } },
      [["x"], [1, "x"]],
      [["x"], []],
    ],
  ])("%s", (_, schema, good, bad) => {
    const check = compile(schema);
    expect(check(good)).toBeUndefined();
    expect(check(bad)).toBeDefined();
  });
});

test("G1: whatever schema is taken, a value that it forbids is not", () => {
  const name = fc.constantFrom("a", "b", "c");
  const leaf: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
    true,
    false,
    { type: "integer" },
    { type: "string" },
    { const: 1 },
    { maximum: 2 },
    { required: ["a"] },
    { properties: { a: true } },
    { prefixItems: [true] },
    { items: true },
    { $ref: "#/$defs/one" },
    { contains: { const: 1 } },
  );
  const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => ({
    schema: fc.oneof({ maxDepth: 3, depthSize: "small" }, leaf, parts(tie("schema"))),
  }));
  function parts(child: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
    const children = fc.array(child, { minLength: 1, maxLength: 2 });
    const named = fc.dictionary(name, child, { maxKeys: 2 });
    const record = {
      properties: named,
      patternProperties: fc.dictionary(fc.constantFrom("^a", "b|c", "."), child, { maxKeys: 1 }),
      additionalProperties: child,
      unevaluatedProperties: fc.oneof(fc.constant(false), child),
      prefixItems: children,
      items: child,
      contains: child,
      unevaluatedItems: fc.oneof(fc.constant(false), child),
      if: child,
      then: child,
      else: child,
      allOf: children,
      anyOf: children,
      oneOf: children,
      not: child,
      dependentSchemas: named,
    };
    return fc
      .subarray(Object.entries(record), { minLength: 1, maxLength: 4 })
      .chain((some) => fc.record(Object.fromEntries(some) as Record<string, fc.Arbitrary<JsonValue>>));
  }
  const value = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.constantFrom<JsonValue>(null, true, 0, 1, 3, "x"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(name, tie("value"), { maxKeys: 3 }),
    ),
  })).value;
  // A reference to the schema that it stands in has no end.
  const plain = schema.filter((one) => !JSON.stringify(one).includes("$ref"));
  let taken = 0;
  fc.assert(
    fc.property(schema, plain, fc.array(value, { minLength: 8, maxLength: 8 }), (given, one, values) => {
      const root = { ...(isJsonObject(given) && given), $defs: { one } } as JsonObject;
      let check: ReturnType<typeof compile>;
      try {
        check = compile(root);
      } catch {
        return;
      }
      taken++;
      const forbidden: unknown[] = [];
      for (const each of values)
        if (check(each) === undefined && !fitsReference(root, each)) forbidden.push([root, each]);
      expect(forbidden).toStrictEqual([]);
    }),
    { numRuns: Number(process.env["RUNS"] ?? 400) },
  );
  expect(taken).toBeGreaterThan(100);
});
