import { expect, test } from "vitest";
import { inPlaceSchemas } from "./in-place-schemas.ts";

const named = (title: string) => ({ title });

test("schemas about the same value are told apart by whether they always hold", () => {
  const schema = {
    $ref: "#/$defs/target",
    allOf: [named("all")],
    anyOf: [named("any")],
    oneOf: [named("one")],
    if: named("if"),
    ["then" as string]: named("then"),
    else: named("else"),
    dependentSchemas: { a: named("dependent") },
    dependencies: { a: named("dependency") },
    not: named("not"),
    properties: { a: named("member") },
    items: named("item"),
    $defs: { target: named("target") },
  };
  expect(inPlaceSchemas(schema, schema)).toStrictEqual({
    always: ["target", "all"].map(named),
    sometimes: ["any", "one", "if", "then", "else", "dependent", "dependency"].map(named),
  });
});

test("a schema that says nothing of the kind has none", () => {
  expect(inPlaceSchemas({}, { $ref: "#/$defs/gone", allOf: {}, dependentSchemas: [] })).toStrictEqual({
    always: [],
    sometimes: [],
  });
});
