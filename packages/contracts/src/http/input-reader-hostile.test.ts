import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { isSimpleFunctionsError } from "../error/simple-functions-error.ts";
import type { JsonObject } from "../json/json-value.ts";
import { inputReaderOf, type InputRequest } from "./input-reader.ts";

const inherited = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"];
const members = Object.fromEntries(inherited.map((name) => [name, { type: "integer" }]));

const openGet = inputReaderOf({
  name: "keys.list",
  http: { method: "GET", path: "/api/keys" },
  input: {
    type: "object",
    properties: { count: { type: "integer" }, tags: { type: "array", items: { type: "string" } } },
  },
});
const declared = inputReaderOf({
  name: "keys.list",
  http: { method: "GET", path: "/api/keys/{constructor}" },
  input: { type: "object", properties: members },
});
const own = (entries: readonly (readonly [string, unknown])[]) => Object.fromEntries(entries) as JsonObject;

describe("a name that every object inherits", () => {
  test.each(inherited)("%s becomes a member like any other", (name) => {
    const read = openGet({ params: {}, query: `${name}=x` });
    expect(read).toStrictEqual(own([[name, "x"]]));
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.keys(read)).toStrictEqual([name]);
    expect(refusalOf(() => openGet({ params: {}, query: `${name}=x&${name}=y` })).details?.reason).toBe(
      "repeated_parameter",
    );
  });

  test("is read by its own schema", () => {
    const query = inherited
      .filter((name) => name !== "constructor")
      .map((name) => `${name}=1`)
      .join("&");
    expect(declared({ params: { constructor: "2" }, query })).toStrictEqual(
      own(inherited.map((name) => [name, name === "constructor" ? 2 : 1])),
    );
  });

  test("is missing in a path that does not give it", () => {
    expect(refusalOf(() => declared({ params: {}, query: "" })).details).toStrictEqual({
      path: "/constructor",
      reason: "missing",
    });
  });

  test("changes no prototype", () => {
    openGet({ params: {}, query: '__proto__={"polluted":1}&constructor={"prototype":{"polluted":1}}' });
    expect("polluted" in {}).toBe(false);
  });
});

describe("whatever is sent", () => {
  const anyQuery = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc
      .array(fc.constantFrom("count", "tags", "__proto__", "=", "&", "%", "%5B", "[", "1", "+", "%ff", '"'), {
        maxLength: 20,
      })
      .map((parts) => parts.join("")),
  );

  test("it is read or it is invalid_input, never a crash", () => {
    fc.assert(
      fc.property(anyQuery, fc.option(anyQuery, { nil: undefined }), (query, body) => {
        expect(outcomeOf({ params: {}, query, body })).toBeOneOf(["read", "invalid_input"]);
      }),
      { numRuns: 1000 },
    );
  });

  const leaks: readonly (readonly [what: string, query: string, body: string])[] = [
    ["text that is no JSON", "count=hunter2", ""],
    ["a list", "tags=[hunter2", ""],
    ["bad encoding", "count=hunter2%", ""],
    ["bad encoding of a name", "hunter2%=1", ""],
    ["a repetition", "count=1&x=hunter2&x=hunter2", ""],
    ["a body", "", "hunter2"],
  ];
  test.each(leaks)("S1: a refusal of %s holds no value", (_, query, body) => {
    const error = refusalOf(() => openGet({ params: {}, query, body }));
    expect(`${JSON.stringify(error)} ${error.stack} ${String(error.cause)}`).not.toContain("hunter2");
  });

  test("parameters by the thousand are read", () => {
    const query = Array.from({ length: 20_000 }, (_, index) => `n${index}`).join("&");
    expect(Object.keys(openGet({ params: {}, query }))).toHaveLength(20_000);
    const tags = Array.from({ length: 20_000 }, () => "tags=a").join("&");
    expect(openGet({ params: {}, query: tags })["tags"]).toHaveLength(20_000);
  });
});

function outcomeOf(request: InputRequest): string {
  try {
    return Object.getPrototypeOf(openGet(request)) === Object.prototype ? "read" : "a changed prototype";
  } catch (error) {
    return isSimpleFunctionsError(error) ? error.code : "a crash";
  }
}
