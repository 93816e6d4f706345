import { describe, expect, test } from "vitest";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { doubleFromHex, notNumbers } from "../../test-data/rfc8785.ts";
import { canonicalJson } from "./canonical-json.ts";
import { maxJsonDepth, maxJsonValues } from "./json-value.ts";

class Order {
  quantity = 1;
}

const nest = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};
const gone = () => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
};
const failing = (trap: keyof ProxyHandler<object>, target: object = {}) =>
  new Proxy(target, {
    [trap]: () => {
      throw new Error("a trap");
    },
  });
const throwing = (thrown: unknown) => ({
  get x() {
    throw thrown;
  },
});

const refused: readonly (readonly [what: string, value: unknown, path: string, message: string])[] = [
  ["undefined", undefined, "", "undefined is not a JSON value"],
  ["a function", { a: [() => 1] }, "/a/0", "function is not a JSON value"],
  ["a class", { a: Order }, "/a", "function is not a JSON value"],
  ["toJSON of a plain object", { toJSON: () => 1 }, "/toJSON", "function is not a JSON value"],
  ["a symbol", [Symbol("s")], "/0", "symbol is not a JSON value"],
  ["a bigint", { big: 1n }, "/big", "bigint is not a JSON value"],
  ["NaN", { n: Number.NaN }, "/n", "NaN is not a JSON number"],
  ["Infinity", [1, Number.POSITIVE_INFINITY], "/1", "Infinity is not a JSON number"],
  ["-Infinity", Number.NEGATIVE_INFINITY, "", "-Infinity is not a JSON number"],
  ["undefined in an array", { list: [1, undefined] }, "/list/1", "undefined is not a JSON value"],
  // oxlint-disable-next-line no-sparse-arrays -- the hole is what is tested
  ["a hole in an array", [1, , 3], "/1", "undefined is not a JSON value"],
  ["a Map", { m: new Map() }, "/m", "a Map is not a JSON value; pass plain data"],
  ["a Set", { s: new Set() }, "/s", "a Set is not a JSON value; pass plain data"],
  ["bytes", { b: new Uint8Array(2) }, "/b", "a Uint8Array is not a JSON value; pass plain data"],
  ["an error", new TypeError("x"), "", "an Error is not a JSON value; pass plain data"],
  ["a promise", { p: Promise.resolve() }, "/p", "a Promise is not a JSON value; pass plain data"],
  ["a class instance", { order: new Order() }, "/order", "an Order is not a JSON value; pass plain data"],
  [
    "an object under a data object",
    Object.create({ x: 1 }),
    "",
    "an Object is not a JSON value; pass plain data",
  ],
  ["a boxed string", [Object("s")], "/0", "a String is not a JSON value; pass plain data"],
  ["a boxed number", [Object(1)], "/0", "a Number is not a JSON value; pass plain data"],
  ["a boxed boolean", [Object(true)], "/0", "a Boolean is not a JSON value; pass plain data"],
  ["a boxed bigint", [Object(1n)], "/0", "a BigInt is not a JSON value; pass plain data"],
  ["an invalid Date", { at: new Date(Number.NaN) }, "/at", "an invalid Date"],
  ["a high surrogate alone", { a: "x\ud800" }, "/a", "a string has a lone surrogate"],
  ["a low surrogate alone", ["\udc00\ud800"], "/0", "a string has a lone surrogate"],
  ["a lone surrogate in a key", { a: { "\udfff": 1 } }, "/a/�", "a string has a lone surrogate"],
  ["a getter that throws", { a: [throwing(new Error("no"))] }, "/a/0/x", "reading it threw"],
  ["a getter that throws undefined", throwing(undefined), "/x", "reading it threw"],
  ["a getter that throws a revoked proxy", throwing(gone()), "/x", "reading it threw"],
  ["a proxy that hides its prototype", [[1, 2], failing("getPrototypeOf")], "/1", "reading it threw"],
  ["a proxy that hides its keys", [[1, 2], failing("ownKeys")], "/1", "reading it threw"],
  ["a proxy that fails on a member", { p: failing("get", { x: 1 }) }, "/p/x", "reading it threw"],
  ["an array proxy that fails", [[1, 2], failing("get", [1])], "/1", "reading it threw"],
  ["a revoked proxy", [[1, 2], gone()], "/1", "reading it threw"],
  ["a false Date", { [Symbol.toStringTag]: "Date", __proto__: { x: 1 } }, "", "reading it threw"],
];

// proves KEY-16.26
describe("invalid_input with the path", () => {
  test.each(refused)("%s", (_, value, path, message) => {
    const place = path === "" ? "the root" : path;
    const { code, message: said, retry, details } = refusalOf(() => canonicalJson(value));
    expect({ code, said, retry, details }).toEqual({
      code: "invalid_input",
      said: `not JSON at ${place}: ${message}`,
      retry: "never",
      details: { path, reason: "not_json" },
    });
  });

  test.each(notNumbers)("the double %s of RFC 8785's Appendix B", (hex) => {
    expect(refusalOf(() => canonicalJson([doubleFromHex(hex)])).details?.path).toBe("/0");
  });

  test("what a getter threw is the cause, even an error of ours", () => {
    const inner = refusalOf(() => canonicalJson(undefined));
    const error = refusalOf(() => canonicalJson({ a: throwing(inner) }));
    expect([error.details, error.cause]).toEqual([{ path: "/a/x", reason: "not_json" }, inner]);
  });

  test("keys are shown short and in one line", () => {
    const value = { [`a\n\u001b${"k".repeat(99)}canary`]: Number.NaN };
    const path = `/a��${"k".repeat(61)}…`;
    const { message, details } = refusalOf(() => canonicalJson(value));
    expect({ message, details }).toEqual({
      message: `not JSON at ${path}: NaN is not a JSON number`,
      details: { path, reason: "not_json" },
    });
  });

  test("a member called constructor does not get into the message", () => {
    const order = Object.assign(new Order(), { constructor: { name: "canary" } });
    expect(JSON.stringify(refusalOf(() => canonicalJson(order)))).not.toContain("canary");
  });
});

describe("depth", () => {
  test(`${maxJsonDepth} levels are written`, () => {
    expect(JSON.parse(canonicalJson(nest(maxJsonDepth)))).toEqual(nest(maxJsonDepth));
  });

  test.each([maxJsonDepth + 1, 10_000, 1_000_000])(
    "%i levels are refused, not risked on the stack",
    (depth) => {
      const { message, details } = refusalOf(() => canonicalJson(nest(depth)));
      expect(message).toMatch(/: nested deeper than 256$/);
      // The root, and what a message shows of so long a path: 16 segments, an ellipsis, 15 segments.
      expect(details?.path?.split("/")).toHaveLength(1 + 32);
    },
  );
});

describe("size", () => {
  test(`an object that is shared without end is refused after ${maxJsonValues} values, and does not hang`, () => {
    let shared: object = {};
    for (let level = 0; level < 60; level++) shared = { a: shared, b: shared };
    const { code, message, details } = refusalOf(() => canonicalJson(shared));
    expect(code).toBe("invalid_input");
    expect(message).toMatch(/^not JSON at (?:\/[ab]){16}\/…(?:\/[ab]){15}: more than 10000000 values$/);
    expect(details?.reason).toBe("not_json");
  });

  test("an object that is shared is no cycle", () => {
    let shared: object = { x: 1 };
    for (let level = 0; level < 10; level++) shared = { a: shared, b: shared };
    expect(canonicalJson(shared).split('{"x":1}')).toHaveLength(1 + 2 ** 10);
  });
});

describe("a cycle is refused where it closes", () => {
  const self: Record<string, unknown> = { before: 1 };
  self["self"] = self;
  const list: unknown[] = [0];
  list.push(list);
  const far: Record<string, unknown> = { a: [{ b: {} }] };
  (far["a"] as { b: Record<string, unknown> }[])[0] = { b: { up: far } };
  const inner: Record<string, unknown> = {};
  inner["next"] = { back: inner };

  test.each([
    ["on itself", self, "/self"],
    ["in an array", list, "/1"],
    ["through several levels", far, "/a/0/b/up"],
    ["below the root", { x: { y: inner } }, "/x/y/next/back"],
  ])("%s", (_, value, path) => {
    const { message, details } = refusalOf(() => canonicalJson(value));
    expect({ message, details }).toEqual({
      message: `not JSON at ${path}: a cycle`,
      details: { path, reason: "not_json" },
    });
  });
});

test("what is no JSON value is named with its article: an Error, a Map, a URL", () => {
  class A {
    readonly one = 1;
  }
  const said = [new A(), new Error("x"), new Map(), new URL("http://localhost")].map((value) => {
    try {
      return canonicalJson(value);
    } catch (error) {
      return (error as Error).message.match(/\ban? [A-Z]\w*/)?.[0];
    }
  });
  expect(said).toStrictEqual(["an A", "an Error", "a Map", "a URL"]);
});
