import { describe, expect, test } from "vitest";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { type EncodedToolInput, encodeToolInput } from "./encode-tool-input.ts";
import { type ToolRoute, toolRouteOf } from "./tool-route.ts";

function route(method: ToolRoute["method"], path: string): ToolRoute {
  return toolRouteOf({ name: "keys.get", http: { method, path } }) as ToolRoute;
}

describe("an input on its way out", () => {
  const written: readonly (readonly [ToolRoute["method"], string, object, EncodedToolInput])[] = [
    ["GET", "/api/keys", {}, { path: "/api/keys" }],
    ["GET", "/api/keys", { after: "k 1&2", limit: 5 }, { path: "/api/keys?after=k%201%262&limit=5" }],
    ["GET", "/api/keys", { on: true, none: null, gone: undefined }, { path: "/api/keys?none=null&on=true" }],
    ["DELETE", "/api/keys", { tags: ["a", "b"] }, { path: "/api/keys?tags=%5B%22a%22%2C%22b%22%5D" }],
    ["DELETE", "/api/keys/{id}", { id: "a/b?c#d", why: "" }, { path: "/api/keys/a%2Fb%3Fc%23d?why=" }],
    ["GET", "/api/keys/{id}", { id: 1e21 }, { path: "/api/keys/1e%2B21" }],
    ["GET", "/api/keys/{id}", { id: false }, { path: "/api/keys/false" }],
    ["GET", "/api/keys/{id}", { id: "%2e%2e" }, { path: "/api/keys/%252e%252e" }],
    ["GET", "/api/keys/{id}", { id: "..." }, { path: "/api/keys/..." }],
    ["POST", "/api/keys", { b: 1, a: ["x"] }, { path: "/api/keys", body: '{"a":["x"],"b":1}' }],
    ["PUT", "/api/keys/{id}", { id: "k1", name: "n" }, { path: "/api/keys/k1", body: '{"name":"n"}' }],
    ["PATCH", "/api/keys/{id}", { id: "k1" }, { path: "/api/keys/k1", body: "{}" }],
  ];
  test.each(written)("%s %s with %j is %j", (method, path, input, encoded) => {
    expect(encodeToolInput(route(method, path), input)).toStrictEqual(encoded);
  });

  test("a template's own braces in a value stay text", () => {
    const twice = route("GET", "/api/{a}/{b}");
    expect(encodeToolInput(twice, { a: "{b}", b: "$&" })).toStrictEqual({ path: "/api/%7Bb%7D/%24%26" });
  });

  test("an inherited name is no path parameter", () => {
    const { details } = refusalOf(() => encodeToolInput(route("GET", "/api/{constructor}"), {}));
    expect(details).toStrictEqual({ path: "/constructor", reason: "missing" });
  });

  test("an own member called __proto__ travels", () => {
    const input: unknown = JSON.parse('{"__proto__":"p","id":"k"}');
    expect(encodeToolInput(route("GET", "/api/keys/{id}"), input)).toStrictEqual({
      path: "/api/keys/k?__proto__=p",
    });
    expect(encodeToolInput(route("POST", "/api/keys/{id}"), input)).toStrictEqual({
      path: "/api/keys/k",
      body: '{"__proto__":"p"}',
    });
  });
});

describe("an input that cannot travel is invalid_input", () => {
  const segments: readonly (readonly [unknown, string])[] = [
    [{}, "missing"],
    [{ id: undefined }, "missing"],
    [{ id: "" }, "empty_segment"],
    [{ id: "." }, "dot_segment"],
    [{ id: ".." }, "dot_segment"],
    [{ id: null }, "not_a_segment"],
    [{ id: ["k"] }, "not_a_segment"],
    [{ id: {} }, "not_a_segment"],
  ];
  test.each(segments)("%j in the path: %s", (input, reason) => {
    for (const method of ["GET", "POST"] as const) {
      const { code, details } = refusalOf(() => encodeToolInput(route(method, "/api/keys/{id}"), input));
      expect({ code, details }).toStrictEqual({ code: "invalid_input", details: { path: "/id", reason } });
    }
  });

  const wholes: readonly (readonly [string, unknown])[] = [
    ["nothing", undefined],
    ["null", null],
    ["an array", []],
    ["a string", "{}"],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["a function", () => ({})],
    ["a lone surrogate", { name: "\ud800" }],
    ["a bigint", { count: 1n }],
  ];
  test.each(wholes)("%s", (_, input) => {
    for (const method of ["GET", "POST"] as const) {
      expect(refusalOf(() => encodeToolInput(route(method, "/api/keys"), input)).code).toBe("invalid_input");
    }
  });

  test("and no message holds a value", () => {
    const { message, details } = refusalOf(() =>
      encodeToolInput(route("GET", "/api/keys/{id}"), { id: ["hunter2"], note: "hunter2" }),
    );
    expect(JSON.stringify({ message, details })).not.toContain("hunter2");
  });
});
