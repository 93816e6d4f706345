import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json/json-value.ts";
import { everySubschema, mapSubschemas } from "./subschemas.ts";

const single = [
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "items",
  "contains",
  "unevaluatedItems",
  "not",
  "if",
  "then",
  "else",
  "contentSchema",
];
const lists = ["allOf", "anyOf", "oneOf", "prefixItems"];
const maps = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];

const whole = (part: JsonObject): JsonObject =>
  Object.fromEntries([
    ...single.map((keyword) => [keyword, part]),
    ...lists.map((keyword) => [keyword, [part, part]]),
    ...maps.map((keyword) => [keyword, { a: part, ["__proto__"]: part }]),
  ]);

describe("the schemas inside a schema", () => {
  test("are changed wherever one can stand, under any name", () => {
    expect(JSON.stringify(mapSubschemas(whole({ title: "old" }), () => ({ title: "new" })))).toBe(
      JSON.stringify(whole({ title: "new" })),
    );
  });

  test("are given with the way to them", () => {
    const ways: string[] = [];
    mapSubschemas(whole({}), (child, way) => {
      ways.push(way.join("/"));
      return child;
    });
    expect(ways).toStrictEqual([
      ...single,
      ...lists.flatMap((keyword) => [`${keyword}/0`, `${keyword}/1`]),
      ...maps.flatMap((keyword) => [`${keyword}/a`, `${keyword}/__proto__`]),
    ]);
  });

  test("are not what only looks like one", () => {
    const data = { properties: { a: 1 } };
    const schema = {
      const: data,
      default: data,
      enum: [data],
      examples: [data],
      "x-sf-note": data,
      allOf: data,
    };
    expect(mapSubschemas(schema, () => false)).toStrictEqual(schema);
  });

  test("are found at any depth, the outer one first", () => {
    const titles: unknown[] = [];
    const schema = { title: 1, items: { title: 2, anyOf: [true, { title: 3 }] }, $defs: { a: { title: 4 } } };
    everySubschema(schema, ({ title }) => titles.push(title));
    expect(titles).toStrictEqual([1, 2, 3, 4]);
  });
});
