import { describe, expect, test } from "vitest";
import { refusalOf } from "../../test-data/refusal-of.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { inputReaderOf } from "./input-reader.ts";
import type { ToolRoute } from "./tool-route.ts";

function compile(method: ToolRoute["method"], path: string, input: JsonObject) {
  return inputReaderOf({ name: "things.do", http: { method, path }, input });
}
const withMember = (schema: JsonValue, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties: { x: schema },
  additionalProperties: false,
  ...more,
});
const string = { type: "string" };
const number = { type: "number" };

describe("a member that may be a string and something else", () => {
  const ambiguous: readonly (readonly [what: string, input: JsonObject])[] = [
    ["a type list", withMember({ type: ["string", "null"] })],
    ["no type at all", withMember({})],
    ["the schema true", withMember(true)],
    ["an enum", withMember({ enum: ["a", 1] })],
    ["anyOf", withMember({ anyOf: [string, number] })],
    ["oneOf within allOf", withMember({ allOf: [{ oneOf: [string, number] }] })],
    ["a branch without a type", withMember({ anyOf: [string, { minLength: 2 }] })],
    ["if, then and else", withMember({ if: string, ["then" as string]: string, else: number })],
    ["a then without an else", withMember({ if: { minLength: 1 }, ["then" as string]: string })],
    ["a reference", withMember({ $ref: "#/$defs/y" }, { $defs: { y: { type: ["string", "number"] } } })],
    ["a reference to itself", withMember({ $ref: "#/$defs/y" }, { $defs: { y: { $ref: "#/$defs/y" } } })],
    [
      "references to itself, twice over",
      withMember(
        { $ref: "#/$defs/y" },
        { $defs: { y: { anyOf: [{ $ref: "#/$defs/y" }, { $ref: "#/$defs/y" }] } } },
      ),
    ],
    ["a reference out of the document", withMember({ $ref: "https://example.com/s.json" })],
    ["a reference to nothing", withMember({ $ref: "#/$defs/none" })],
    ["a reference that is badly encoded", withMember({ $ref: "#/%" })],
    ["a document of its own", withMember({ $id: "https://example.com/s.json", ...string })],
    ["two branches of the input", { anyOf: [withMember(string), withMember(number)] }],
    ["a branch of the input that is open", { anyOf: [withMember(string), { required: ["y"] }] }],
    ["a condition on the input", { type: "object", dependentSchemas: { y: { properties: { x: string } } } }],
    ["other members", { type: "object", additionalProperties: { type: ["string", "number"] } }],
  ];
  test.each(ambiguous)("by %s: refused in a query, welcome in a body", (_, input) => {
    for (const method of ["GET", "DELETE"] as const) {
      const { code, message, details } = refusalOf(() => compile(method, "/api/things", input));
      expect({ code, tool: details?.tool, reason: details?.reason }).toStrictEqual({
        code: "invalid_manifest",
        tool: "things.do",
        reason: "ambiguous_parameter",
      });
      expect(message).toContain("use POST");
    }
    for (const method of ["POST", "PUT", "PATCH"] as const) {
      const read = compile(method, "/api/things", input);
      expect(read({ params: {}, query: "", body: '{"x":"5"}' })).toStrictEqual({ x: "5" });
    }
  });

  const path = "/api/things/{x}";
  const params: readonly (readonly [what: string, schema: JsonValue])[] = [
    ["a string or a number", { type: ["string", "integer"] }],
    ["a list", { type: "array", items: string }],
    ["an object", { type: "object" }],
    ["a number or nothing", { type: ["number", "null"] }],
    ["nothing", false],
  ];
  test.each(params)("no path carries %s", (_, schema) => {
    for (const method of ["GET", "POST"] as const) {
      expect(refusalOf(() => compile(method, path, withMember(schema))).details).toStrictEqual({
        path: "/input/properties/x",
        tool: "things.do",
        reason: "ambiguous_parameter",
      });
    }
  });
});

describe("a member with one reading", () => {
  const told: readonly (readonly [what: string, input: JsonObject, text: string, value: JsonValue])[] = [
    ["type", withMember(number), "5", 5],
    ["const", withMember({ const: "5" }), "5", "5"],
    ["const null", withMember({ const: null }), "null", null],
    ["enum of strings", withMember({ enum: ["5", "6"] }), "5", "5"],
    ["enum of numbers", withMember({ enum: [5, 6] }), "5", 5],
    ["enum and type", withMember({ type: "string", enum: ["5", 5] }), "5", "5"],
    ["allOf", withMember({ allOf: [{ minLength: 1 }, string] }), "5", "5"],
    ["anyOf that agrees", withMember({ anyOf: [{ const: "a" }, string] }), "5", "5"],
    ["a type beside anyOf", withMember({ ...string, anyOf: [{ minLength: 1 }, { maxLength: 9 }] }), "5", "5"],
    ["a branch that is false", withMember({ anyOf: [string, false] }), "5", "5"],
    ["then and else", withMember({ if: {}, ["then" as string]: number, else: { type: "boolean" } }), "5", 5],
    ["$ref", withMember({ $ref: "#/$defs/a~1b" }, { $defs: { "a/b": number } }), "5", 5],
    ["an encoded $ref", withMember({ $ref: "#/$defs/a%20b" }, { $defs: { "a b": number } }), "5", 5],
    ["the input's $ref", { $ref: "#/$defs/in", $defs: { in: withMember(number) } }, "5", 5],
    ["the input's allOf", { allOf: [withMember(number), { properties: { x: { minimum: 1 } } }] }, "5", 5],
    [
      "closed branches",
      { anyOf: [withMember(number), { properties: {}, additionalProperties: false }] },
      "5",
      5,
    ],
    ["an input within itself", withMember(number, { allOf: [{ $ref: "#" }] }), "5", 5],
    ["other members", { type: "object", additionalProperties: number }, "5", 5],
    [
      "lists as other members",
      { type: "object", additionalProperties: { type: "array", items: number } },
      "5",
      [5],
    ],
    ["an open input", { type: "object", additionalProperties: {} }, "5", "5"],
    ["no schema that could fit", withMember(false), "5", "5"],
    ["a tuple of one type", withMember({ type: "array", prefixItems: [string], items: string }), "5", ["5"]],
  ];
  test.each(told)("by %s", (_, input, text, value) => {
    expect(compile("GET", "/api/things", input)({ params: {}, query: `x=${text}` })).toStrictEqual({
      x: value,
    });
  });
});

test("a name that every object inherits is declared only where it is written", () => {
  const read = compile("GET", "/api/things", {
    anyOf: [
      { properties: { toString: number }, additionalProperties: false },
      { properties: {}, additionalProperties: false },
    ],
  });
  expect(read({ params: {}, query: "toString=5" })).toStrictEqual({ toString: 5 });
});

test("a path parameter may also stand under a pattern", () => {
  const input = {
    properties: { x: string },
    allOf: [{ patternProperties: { x: {} }, additionalProperties: false }],
  };
  expect(compile("POST", "/api/things/{x}", input)({ params: { x: "5" }, query: "" })).toStrictEqual({
    x: "5",
  });
});

describe("a tool is refused", () => {
  test("whose path names what its input does not declare", () => {
    for (const name of ["y", "constructor", "toString"]) {
      expect(
        refusalOf(() => compile("POST", `/api/things/{${name}}`, withMember(string))).details,
      ).toStrictEqual({
        path: "/http/path",
        tool: "things.do",
        reason: "undeclared_parameter",
      });
    }
  });

  const hidden: readonly (readonly [keyword: string, input: JsonObject])[] = [
    ["patternProperties", { type: "object", patternProperties: { "^n": number } }],
    ["patternProperties", { allOf: [{ patternProperties: {} }] }],
    ["unevaluatedProperties", { type: "object", unevaluatedProperties: number }],
    ["$dynamicRef", { $dynamicRef: "#node" }],
    ["$ref", { $ref: "#anchor" }],
    ["$ref", { anyOf: [{ $ref: "https://example.com/s.json" }] }],
    ["$id", { allOf: [{ $id: "https://example.com/s.json" }] }],
  ];
  test.each(hidden)("whose query members %s hides", (keyword, input) => {
    const { message, details } = refusalOf(() => compile("GET", "/api/things", input));
    expect(details).toStrictEqual({ path: "/input", tool: "things.do", reason: "hidden_members" });
    expect(message).toContain(keyword);
    expect(compile("POST", "/api/things", input)({ params: {}, query: "", body: "{}" })).toStrictEqual({});
  });

  test("that is local", () => {
    expect(refusalOf(() => inputReaderOf({ name: "fs.list_dir", input: {} })).details).toStrictEqual({
      path: "/http",
      tool: "fs.list_dir",
      reason: "local_tool",
    });
  });

  test("with schemas that refer to each other without end, in no time", () => {
    const count = 5000;
    const chain = Array.from({ length: count }, (_, index) => [
      `d${index}`,
      { anyOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
    ]);
    const input = withMember(
      { $ref: "#/$defs/d0" },
      { $defs: Object.fromEntries([...chain, [`d${count}`, string]]) },
    );
    expect(refusalOf(() => compile("GET", "/api/things", input)).details?.reason).toBe("ambiguous_parameter");
  });
});
