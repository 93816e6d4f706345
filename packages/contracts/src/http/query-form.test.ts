// What the form promises, the reader keeps.
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../json/json-value.ts";
import { inputReaderOf } from "./input-reader.ts";
import { type QueryForm, queryFormOf } from "./query-form.ts";

const array = (items: JsonValue) => ({ type: "array", items });

describe("a member of the query", () => {
  test.each<[QueryForm, JsonValue, query: string, JsonValue]>([
    ["plain", { type: "string" }, "a=5", "5"],
    ["plain", { enum: ["x", "y"] }, "a=x", "x"],
    ["plain", { type: "integer" }, "a=5", 5],
    ["plain", { type: ["number", "boolean"] }, "a=true", true],
    ["plain", { $ref: "#/$defs/word" }, "a=5", "5"],
    ["plain", { allOf: [{ minLength: 1 }, { type: "string" }] }, "a=5", "5"],
    ["list", array({ type: "string" }), "a=5&a=6", ["5", "6"]],
    ["list", array({ type: "integer" }), "a=5&a=6", [5, 6]],
    ["list", { prefixItems: [{ type: "string" }], ...array({ type: "string" }) }, "a=x&a=y", ["x", "y"]],
    ["json", array({ type: ["string", "integer"] }), 'a=["5",6]', ["5", 6]],
    ["json", array({ type: "object" }), "a=[{}]", [{}]],
    ["json", { type: "array" }, "a=[5]", [5]],
    ["json", { type: "object" }, 'a={"b":1}', { b: 1 }],
    ["json", { type: ["number", "null"] }, "a=null", null],
  ])("is written as %s by its schema %j, and read so", (form, schema, query, value) => {
    const input = { type: "object", properties: { a: schema }, $defs: { word: { type: "string" } } };
    const read = inputReaderOf({ name: "notes.find", http: { method: "GET", path: "/api/notes" }, input });
    expect(queryFormOf(input, "a")).toBe(form);
    expect(read({ params: {}, query })).toStrictEqual({ a: value });
  });

  test("has the form of all that is said about it together", () => {
    const input = {
      allOf: [{ properties: { a: { maxLength: 9 } } }, { properties: { a: { type: "string" } } }],
    };
    expect(queryFormOf(input, "a")).toBe("plain");
  });
});
