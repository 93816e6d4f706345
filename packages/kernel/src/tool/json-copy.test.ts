import * as fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { JsonValue } from "@spfunctions/contracts";
import { copyJson, differenceIn } from "./json-copy.ts";

const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;

test("a copy of any JSON is the same and shares nothing", () => {
  fc.assert(
    fc.property(json, (value) => {
      const copy = copyJson(value);
      expect(copy).toStrictEqual(value);
      expect(typeof copy === "object" && copy !== null && copy === value).toBe(false);
    }),
  );
});

test("names that objects inherit are copied and compared as any others", () => {
  const value = JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":3}') as JsonValue;
  const copy = copyJson(value);
  expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect(differenceIn(copy, value)).toBeUndefined();
  expect(differenceIn({}, value)).toStrictEqual(["__proto__"]);
  expect(differenceIn(value, {})).toStrictEqual(["__proto__"]);
});

test("two values are the same exactly where they are deeply equal", () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(differenceIn(one, other) === undefined).toBe(isDeepStrictEqual(one, other));
      expect(differenceIn(copyJson(one), one)).toBeUndefined();
    }),
    { examples: [[[0], [-0]] as never, [[], {}] as never, [{ a: 1 }, { b: 1 }] as never] },
  );
});

test.each<[string, unknown, JsonValue, string[] | undefined]>([
  ["a member that is undefined is not there", { a: 1, b: undefined }, { a: 1 }, undefined],
  ["a member that is missing is", {}, { a: null }, ["a"]],
  ["a member that was added", { a: 1, b: 2 }, { a: 1 }, ["b"]],
  ["what is lost before what was added", { b: 2 }, { a: 1 }, ["a"]],
  ["the first place, all the way", { a: [1, { b: 2 }], c: 0 }, { a: [1, { b: 3 }], c: 1 }, ["a", "1", "b"]],
  ["an item too many", [1, undefined], [1], ["1"]],
  ["an item too few", [1], [1, 2], ["1"]],
  ["a map is none of JSON", new Map(), {}, []],
  ["a date is none either", new Date(0), {}, []],
  ["a list is no object", [], {}, []],
  ["an object is no list", {}, [], []],
  ["a hole is no null", [undefined], [null], ["0"]],
])("%s", (_, given, value, way) => {
  expect(differenceIn(given, value)).toStrictEqual(way);
});
