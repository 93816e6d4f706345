import { canonicalJson, type JsonValue } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { inputDifferences } from "./input-differences.ts";

test.each<[JsonValue, JsonValue, unknown]>([
  [{ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, []],
  [{ a: 1 }, { a: 2 }, [{ path: ["a"], recorded: 1, asked: 2 }]],
  [{ a: 1 }, {}, [{ path: ["a"], recorded: 1 }]],
  [{}, { a: null }, [{ path: ["a"], asked: null }]],
  [
    { a: { b: [{ c: 1 }, 2] } },
    { a: { b: [{ c: 3 }] } },
    [
      { path: ["a", "b", 0, "c"], recorded: 1, asked: 3 },
      { path: ["a", "b", 1], recorded: 2 },
    ],
  ],
  [{ a: {} }, { a: [] }, [{ path: ["a"], recorded: {}, asked: [] }]],
  ["x", { a: 1 }, [{ path: [], recorded: "x", asked: { a: 1 } }]],
  [JSON.parse('{"__proto__":1}'), {}, [{ path: ["__proto__"], recorded: 1 }]],
  [{}, { constructor: 1 }, [{ path: ["constructor"], asked: 1 }]],
])("%j and %j differ in exactly these fields", (recorded, asked, differences) => {
  expect(inputDifferences(recorded, asked)).toStrictEqual(differences);
});

const hidden = (hex: string) => ({ apiKey: `[redacted:api_key:${hex.repeat(12)}]` });

test("two hidden secrets are no difference, and a secret and a word are", () => {
  expect(inputDifferences(hidden("a"), hidden("b"))).toStrictEqual([]);
  expect(inputDifferences(hidden("a"), { apiKey: "none" })).toHaveLength(1);
});

test("no difference is found in equal inputs, and one in all others", () => {
  const any = fc.jsonValue() as fc.Arbitrary<JsonValue>;
  fc.assert(
    fc.property(any, any, (one, other) => {
      expect(inputDifferences(one, structuredClone(one))).toStrictEqual([]);
      const isSame = canonicalJson(one) === canonicalJson(other);
      expect(inputDifferences(one, other).length === 0).toBe(isSame);
    }),
  );
});
