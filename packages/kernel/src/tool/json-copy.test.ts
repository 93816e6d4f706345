import * as fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { JsonValue } from "@spfunctions/contracts";
import { copyJson, isSameJson } from "./json-copy.ts";

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
  expect(isSameJson(copy, value)).toBe(true);
  expect(isSameJson({}, value)).toBe(false);
  expect(isSameJson(value, {})).toBe(false);
});

test("two values are the same exactly where they are deeply equal", () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(isSameJson(one, other)).toBe(isDeepStrictEqual(one, other));
      expect(isSameJson(copyJson(one), one)).toBe(true);
    }),
    { examples: [[[0], [-0]] as never, [[], {}] as never, [{ a: 1 }, { b: 1 }] as never] },
  );
});

test.each([
  ["a member that is undefined is not there", { a: 1, b: undefined }, { a: 1 }, true],
  ["a member that is missing is", {}, { a: null }, false],
  ["a map is none of JSON", new Map(), {}, false],
  ["a date is none either", new Date(0), {}, false],
  ["a list is no object", [], {}, false],
  ["a hole is no null", [undefined], [null], false],
])("%s", (_, given, value, isSame) => {
  expect(isSameJson(given, value as JsonValue)).toBe(isSame);
});
