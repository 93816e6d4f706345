import { describe, expect, test } from "vitest";
import { refusalOf } from "../../test-data/refusal-of.ts";
import type { JsonObject } from "../json/json-value.ts";
import { inputReaderOf, type InputRequest } from "./input-reader.ts";
import type { ToolRoute } from "./tool-route.ts";

const input: JsonObject = {
  type: "object",
  additionalProperties: false,
  $defs: { level: { enum: ["low", "high"] } },
  properties: {
    id: { type: "string" },
    name: { type: "string" },
    level: { $ref: "#/$defs/level" },
    count: { type: "integer" },
    on: { type: "boolean" },
    price: { type: ["number", "null"] },
    filter: { type: "object" },
    tags: { type: "array", items: { type: "string" } },
    numbers: { type: "array", items: { type: "number" } },
    rows: { type: "array", items: { type: "array", items: { type: "number" } } },
    maybe: { anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }] },
    mixed: { type: "array" },
  },
};

function read(method: ToolRoute["method"], path: string, request: Partial<InputRequest>) {
  return inputReaderOf({ name: "keys.list", http: { method, path }, input })({
    params: {},
    query: "",
    ...request,
  });
}
const ofQuery = (query: string) => read("GET", "/api/keys", { query });
const refusedQuery = (query: string) => refusalOf(() => ofQuery(query)).details;

describe("a query written by hand", () => {
  const forms: readonly (readonly [query: string, input: JsonObject])[] = [
    ["", {}],
    ["name=5", { name: "5" }],
    ["name=true", { name: "true" }],
    ["name=", { name: "" }],
    ["name", { name: "" }],
    ["name=a+b%2Bc", { name: "a b+c" }],
    ["name=a=b", { name: "a=b" }],
    ["&name=a&&level=low&", { name: "a", level: "low" }],
    ["%6eame=%c3%a9", { name: "é" }],
    ["count=5&on=true&price=null", { count: 5, on: true, price: null }],
    ["price=-1.5e3", { price: -1500 }],
    ["filter={%22a%22:[1,null]}", { filter: { a: [1, null] } }],
    ["tags=a&tags=b", { tags: ["a", "b"] }],
    ["tags=a&name=n&tags=b", { tags: ["a", "b"], name: "n" }],
    ["tags=a", { tags: ["a"] }],
    ["tags=", { tags: [""] }],
    ["tags=5&tags=[x]", { tags: ["5", "[x]"] }],
    ["tags=[]", { tags: [] }],
    ['tags=["a","b"]', { tags: ["a", "b"] }],
    ["numbers=1&numbers=2.5", { numbers: [1, 2.5] }],
    ["numbers=1", { numbers: [1] }],
    ["numbers=[1,2]", { numbers: [1, 2] }],
    ["rows=[1]&rows=[2,3]", { rows: [[1], [2, 3]] }],
    ["rows=[[1]]", { rows: [[1]] }],
    ["maybe=null", { maybe: null }],
    ["maybe=a&maybe=b", { maybe: ["a", "b"] }],
    ['mixed=["a",1]', { mixed: ["a", 1] }],
    ["unknown=5", { unknown: "5" }],
    ["=5", { "": "5" }],
  ];
  test.each(forms)("%s", (query, expected) => {
    expect(ofQuery(query)).toStrictEqual(expected);
  });

  const refused: readonly (readonly [query: string, path: string, reason: string])[] = [
    ["count=five", "/count", "syntax"],
    ["count=", "/count", "syntax"],
    ["count=05", "/count", "trailing_text"],
    ["count=9007199254740993", "/count", "inexact_integer"],
    ["on=True", "/on", "syntax"],
    ["on", "/on", "syntax"],
    ['filter={"a":1,"a":2}', "/filter/a", "duplicate_key"],
    ["numbers=1&numbers=x", "/numbers", "syntax"],
    ["tags=[a", "/tags/0", "syntax"],
    ["maybe=a", "/maybe", "syntax"],
    ["mixed=a&mixed=b", "/mixed", "ambiguous_item"],
    ["name=a&name=b", "/name", "repeated_parameter"],
    ["name=a&name=a", "/name", "repeated_parameter"],
    ["count=1&count=2", "/count", "repeated_parameter"],
    ["unknown=1&unknown=2", "/unknown", "repeated_parameter"],
    ["name=%", "/name", "bad_percent_encoding"],
    ["name=%ff", "/name", "bad_percent_encoding"],
    ["name=%c0%af", "/name", "bad_percent_encoding"],
    ["%zz=1", "", "bad_percent_encoding"],
  ];
  test.each(refused)("%s is refused at %s: %s", (query, path, reason) => {
    expect(refusedQuery(query)).toStrictEqual({ path, reason });
  });

  test("and a path parameter is not said again", () => {
    const request = { params: { id: "a" }, query: "id=a" };
    expect(refusalOf(() => read("DELETE", "/api/keys/{id}", request)).details).toStrictEqual({
      path: "/id",
      reason: "repeated_parameter",
    });
  });

  test("and a body is refused rather than ignored", () => {
    const withBody = () => read("DELETE", "/api/keys", { body: '{"name":"a"}' });
    expect(refusalOf(withBody).details).toStrictEqual({ path: "", reason: "body_not_allowed" });
    expect(read("DELETE", "/api/keys", { body: "" })).toStrictEqual({});
  });
});

describe("a path", () => {
  test("gives its members as the schema types them", () => {
    const params = { id: "5", count: "5", on: "false" };
    expect(read("GET", "/api/{id}/{count}/{on}", { params, query: "name=n" })).toStrictEqual({
      id: "5",
      count: 5,
      on: false,
      name: "n",
    });
  });

  test("is refused where it gives none, an empty one or another type", () => {
    const given: readonly Record<string, string>[] = [
      { count: "1" },
      { id: "", count: "1" },
      { id: "a", count: "b" },
    ];
    const path = "/api/{id}/{count}";
    expect(given.map((params) => refusalOf(() => read("GET", path, { params })).details)).toStrictEqual([
      { path: "/id", reason: "missing" },
      { path: "/id", reason: "missing" },
      { path: "/count", reason: "syntax" },
    ]);
  });
});

describe("a body", () => {
  test("is the input, with the path's members", () => {
    const body = ' {"count": "not checked here", "extra": [1]} ';
    expect(read("PUT", "/api/keys/{id}", { params: { id: "k" }, body })).toStrictEqual({
      id: "k",
      count: "not checked here",
      extra: [1],
    });
  });

  test.each([undefined, ""])("that is not there (%j) is an empty object", (body) => {
    expect(read("POST", "/api/keys", { body })).toStrictEqual({});
    expect(read("POST", "/api/keys/{id}", { params: { id: "k" }, body })).toStrictEqual({ id: "k" });
  });

  const refused: readonly (readonly [
    what: string,
    request: Partial<InputRequest>,
    path: string,
    reason: string,
  ])[] = [
    ["an array", { body: "[]" }, "", "not_an_object"],
    ["null", { body: "null" }, "", "not_an_object"],
    ["a string", { body: '"{}"' }, "", "not_an_object"],
    ["a form", { body: "name=a" }, "", "syntax"],
    ["spaces alone", { body: " " }, "", "syntax"],
    ["the same key twice", { body: '{"name":"a","name":"b"}' }, "/name", "duplicate_key"],
    ["a member of the path", { body: '{"id":"k"}' }, "/id", "repeated_parameter"],
    ["a query beside it", { body: "{}", query: "name=a" }, "", "query_not_allowed"],
    ["a query instead", { query: "name=a" }, "", "query_not_allowed"],
  ];
  test.each(refused)("of %s is refused", (_, request, path, reason) => {
    const { code, details } = refusalOf(() =>
      read("POST", "/api/keys/{id}", { params: { id: "k" }, ...request }),
    );
    expect({ code, path: details?.path, reason: details?.reason }).toStrictEqual({
      code: "invalid_input",
      path,
      reason,
    });
  });
});
