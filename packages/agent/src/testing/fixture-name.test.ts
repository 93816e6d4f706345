import { basename, dirname } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fixtureFileOf } from "./fixture-name.ts";

const at = (names: readonly string[], part?: string) => fixtureFileOf("/app/shop.test.ts", names, part);

test("a fixture lies beside its test, under the test's words", () => {
  expect(at(["the shop", "Orders  äpples: 24!"])).toBe(
    "/app/__fixtures__/shop.test.ts/the-shop-orders-apples-24-35d7364172fa587a.jsonl",
  );
});

const anyNames = fc.array(fc.string({ unit: "binary", maxLength: 40 }), { minLength: 1, maxLength: 4 });
/** Names that could be mistaken for one another. */
const alike: readonly (readonly [readonly string[], string?])[] = [
  [["a b"]],
  [["a", "b"]],
  [["a > b"]],
  [["A b"]],
  [["a-b"]],
  [["a  b"]],
  [["a"], "b"],
  [["ä"]],
  [["a\u0308"]],
  [[""]],
  [["", ""]],
  [[""], ""],
  [["日本語"]],
  [["日本"]],
  [["🙂"]],
  [["\ud83d"]],
  [["\\ud83d"]],
  [["../../etc/passwd"]],
  [["con"]],
  [["x".repeat(300)]],
  [["x".repeat(301)]],
];

test("two names never share a file, also where case means nothing", () => {
  const files = alike.map(([names, part]) => at(names, part).toLowerCase());
  expect(new Set(files).size).toBe(alike.length);
  fc.assert(
    fc.property(anyNames, anyNames, (one, other) => {
      fc.pre(JSON.stringify(one) !== JSON.stringify(other));
      expect(at(one).toLowerCase()).not.toBe(at(other).toLowerCase());
    }),
  );
});

test("any name is safe on any file system", () => {
  fc.assert(
    fc.property(anyNames, fc.option(fc.string({ unit: "binary" }), { nil: undefined }), (names, part) => {
      const file = at(names, part);
      expect(dirname(file)).toBe("/app/__fixtures__/shop.test.ts");
      expect(basename(file)).toMatch(/^(?:[a-z0-9][a-z0-9-]{0,59}-)?[0-9a-f]{16}\.jsonl$/);
      expect(at(names, part)).toBe(file);
    }),
  );
});
