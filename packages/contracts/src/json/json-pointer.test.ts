import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonPointer, readJsonPointer, splitJsonPointer, toJsonPointer } from "./json-pointer.ts";

/** The document of RFC 6901, section 5. */
const document = {
  foo: ["bar", "baz"],
  "": 0,
  "a/b": 1,
  "c%d": 2,
  "e^f": 3,
  "g|h": 4,
  "i\\j": 5,
  'k"l': 6,
  " ": 7,
  "m~n": 8,
};

describe("RFC 6901, section 5", () => {
  test.each([
    ["", document],
    ["/foo", ["bar", "baz"]],
    ["/foo/0", "bar"],
    ["/", 0],
    ["/a~1b", 1],
    ["/c%d", 2],
    ["/e^f", 3],
    ["/g|h", 4],
    ["/i\\j", 5],
    ['/k"l', 6],
    ["/ ", 7],
    ["/m~0n", 8],
  ])("%j points to its value", (pointer, value) => {
    expect([isJsonPointer(pointer), readJsonPointer(document, pointer)]).toEqual([true, value]);
  });
});

describe("what is no JSON pointer", () => {
  test.each(["foo", "foo/0", "#/foo", "/~", "/~2", "/a~", "/m~n", " /foo", "~0"])(
    "%j points nowhere",
    (text) => {
      expect([isJsonPointer(text), readJsonPointer(document, text)]).toEqual([false, undefined]);
    },
  );

  test.each(["/".repeat(20_000_000), `/${"a".repeat(20_000_000)}`])("length is no obstacle (%#)", (text) => {
    expect([isJsonPointer(text), isJsonPointer(`${text}~`)]).toEqual([true, false]);
  });
});

describe("a pointer reads own members only", () => {
  test.each([
    "/toString",
    "/__proto__",
    "/constructor/name",
    "/foo/length",
    "/foo/-",
    "/foo/00",
    "/foo/01",
    "/foo/-1",
    "/foo/1.0",
    "/foo/2",
    "/foo/ 0",
    "/foo/0/length",
    "/foo/0/0",
    "/missing/deeper",
    "//x",
  ])("%j is not there", (pointer) => {
    expect(readJsonPointer(document, pointer)).toBeUndefined();
  });

  test("a member called __proto__ is there when it is data", () => {
    expect(readJsonPointer(JSON.parse('{"__proto__":{"x":1}}'), "/__proto__/x")).toBe(1);
  });

  test("null is a value, and has no members", () => {
    expect([readJsonPointer({ a: null }, "/a"), readJsonPointer({ a: null }, "/a/b")]).toEqual([
      null,
      undefined,
    ]);
  });
});

describe("for any segments", () => {
  const segments = fc.array(fc.oneof(fc.string(), fc.constantFrom("~", "/", "~0", "~1", "~01", "", "0")));

  test("writing and splitting a pointer gives them back", () => {
    fc.assert(
      fc.property(segments, (path) => {
        const pointer = toJsonPointer(path);
        expect([isJsonPointer(pointer), splitJsonPointer(pointer)]).toEqual([true, path]);
      }),
    );
  });

  test("the pointer to a value reads that value", () => {
    fc.assert(
      fc.property(segments, (path) => {
        const nested = path.reduceRight<object>((value, key) => Object.fromEntries([[key, value]]), {
          here: true,
        });
        expect(readJsonPointer(nested as never, toJsonPointer([...path, "here"]))).toBe(true);
      }),
    );
  });
});

test("array positions and symbols have a place in a path", () => {
  expect(toJsonPointer(["a", 0, Symbol("s")])).toBe("/a/0/Symbol(s)");
});
