import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyJson } from "../../test-data/any-json.ts";
import { canonicalJson } from "./canonical-json.ts";
import { hasEscapedKey } from "./has-escaped-key.ts";
import type { JsonValue } from "./json-value.ts";

/** The same, by looking at every key. */
function looked(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]) => canonicalJson(key).includes("\\") || looked(member));
}

describe("an escape in a key is told from one in a value", () => {
  test("in the canonical text of any value", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(hasEscapedKey(canonicalJson(value))).toBe(looked(value));
      }),
      { numRuns: 2000 },
    );
  });

  test("also where much is escaped, and where values look like keys", () => {
    const piece = fc.string({ unit: fc.constantFrom('"', "\\", ":", "\n", "a"), maxLength: 8 });
    const value = fc.oneof(piece, fc.array(piece), fc.dictionary(piece, fc.oneof(piece, fc.array(piece))));
    fc.assert(
      fc.property(value, (one) => {
        expect(hasEscapedKey(canonicalJson(one))).toBe(looked(one));
      }),
      { numRuns: 2000 },
    );
  });

  test("in a text that breaks off it is taken to be one: its reader says what is wrong", () => {
    expect(hasEscapedKey('{"text":"a\\')).toBe(true);
    expect(hasEscapedKey('{"text":"a\\"')).toBe(true);
  });
});
