import { isDeepStrictEqual } from "node:util";
import { createContext, runInContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyJson, withoutMinusZero } from "../../test-data/any-json.ts";
import { documents, doubleFromHex, numbers, valuesBytes } from "../../test-data/rfc8785.ts";
import { hashInput, hashText } from "../hash/hash-input.ts";
import { canonicalJson, snapshotJson } from "./canonical-json.ts";
import type { JsonValue } from "./json-value.ts";
import { parseJsonStrict } from "./parse-json-strict.ts";

describe("RFC 8785", () => {
  test.each(documents)("document $name comes out as published", ({ input, canonical }) => {
    expect(canonicalJson(JSON.parse(input))).toBe(canonical);
  });

  test("the sample of section 3.2.4 comes out byte for byte", () => {
    const values = documents.find(({ name }) => name === "values");
    const text = canonicalJson(JSON.parse(values?.input ?? ""));
    expect(Buffer.from(text, "utf8").toString("hex")).toBe(valuesBytes);
  });

  test.each(numbers)("the double $hex is written $text", ({ hex, text }) => {
    expect(canonicalJson(doubleFromHex(hex))).toBe(text);
  });
});

describe("for any JSON value", () => {
  // proves KEY-16.24
  // proves RUN-14.3
  test("the order of keys changes neither text nor hash", () => {
    fc.assert(
      fc.property(anyJson, fc.string(), (value, seed) => {
        const other = reordered(value, seed);
        expect([canonicalJson(other), hashInput(other)]).toEqual([canonicalJson(value), hashInput(value)]);
      }),
      { numRuns: 500 },
    );
  });

  test("parsing the text gives the value back", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(isDeepStrictEqual(parseJsonStrict(canonicalJson(value)), withoutMinusZero(value))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("a value read back from its text has the same text", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalJson(value);
        expect([snapshotJson(value), parseJsonStrict(text)].map(canonicalJson)).toEqual([text, text]);
      }),
      { numRuns: 500 },
    );
  });
});

describe("keys are sorted by UTF-16 code units", () => {
  // On both sides of the number of keys up to which insertion sorts them.
  test.each([0, 1, 2, 31, 32, 33, 100])("of an object with %i keys", (count) => {
    const keys = Array.from({ length: count }, (_, index) => hashText(String(index)).slice(7, 15));
    const object = Object.fromEntries(keys.map((key) => [key, 1]));
    expect(canonicalJson(object).match(/\w{8}/g) ?? []).toEqual(keys.toSorted());
  });
});

describe("beyond JSON", () => {
  // proves KEY-16.25, KEY-16.27
  test("undefined members are left out, null is kept", () => {
    expect(canonicalJson({ b: undefined, a: null, c: { d: undefined } })).toBe('{"a":null,"c":{}}');
  });

  // proves KEY-16.29
  test("a Date becomes its ISO string, whatever its methods say", () => {
    const date = Object.assign(new Date(0), { toISOString: () => "x", toJSON: () => "x", getTime: () => 5 });
    expect(canonicalJson({ at: date })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
  });

  test("plain data of another realm is plain data", () => {
    const foreign: unknown = runInContext(
      `({ list: [1, { two: 2 }], at: new Date(0), bare: Object.assign(Object.create(null), { x: null }) })`,
      createContext({}),
    );
    expect(canonicalJson(foreign)).toBe(
      '{"at":"1970-01-01T00:00:00.000Z","bare":{"x":null},"list":[1,{"two":2}]}',
    );
  });

  test("symbol keys and hidden members are no members", () => {
    const value = Object.defineProperty({ [Symbol("s")]: 1, shown: 1 }, "hidden", { value: 1 });
    expect(canonicalJson(value)).toBe('{"shown":1}');
  });

  test("one object at two places is no cycle", () => {
    const twice = { x: 1 };
    expect(canonicalJson([twice, { twice }, twice])).toBe('[{"x":1},{"twice":{"x":1}},{"x":1}]');
  });

  // proves KEY-16.28
  test("every property is read exactly once (G4)", () => {
    const reads: string[] = [];
    const counted = <T extends object>(name: string, target: T) =>
      new Proxy(target, {
        get: (from, key) => {
          reads.push(`${name}.${String(key)}`);
          return Reflect.get(from, key) as unknown;
        },
      });
    const value = counted("root", {
      b: counted("list", ["x", { deep: 1 }]),
      get a() {
        return `read ${reads.filter((read) => read === "root.a").length}`;
      },
    });
    expect(canonicalJson(value)).toBe('{"a":"read 1","b":["x",{"deep":1}]}');
    expect(reads).toEqual(["root.a", "root.b", "list.length", "list.0", "list.1"]);
  });

  test("a member called __proto__ is data, and no prototype changes", () => {
    const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    const copy = snapshotJson(JSON.parse(text)) as object;
    expect(canonicalJson(copy)).toBe(text);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect([Object.hasOwn(copy, "__proto__"), "polluted" in {}, "polluted" in copy]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("a snapshot keeps every key, whatever the process has parsed before (nodejs/node#63785)", () => {
    JSON.parse('{"!":1,"\\\\":2}');
    expect(snapshotJson({ "!": 1, '"': 2 })).toStrictEqual({ "!": 1, '"': 2 });
  });

  test("a snapshot shares nothing with its source", () => {
    const source = { list: [{ x: 1 }] };
    const copy = snapshotJson(source);
    source.list.push({ x: 2 });
    (source.list[0] as { x: number }).x = 9;
    expect(copy).toStrictEqual({ list: [{ x: 1 }] });
  });
});

/** The same value with the members of every object in another order. */
function reordered(value: JsonValue, seed: string): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => reordered(item, seed));
  const members = Object.entries(value).map(([key, member]) => [key, reordered(member, seed)] as const);
  const rank = ([key]: readonly [string, JsonValue]) => hashText(seed + key);
  return Object.fromEntries(members.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)));
}
