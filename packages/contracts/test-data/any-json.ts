import * as fc from "fast-check";
import type { JsonValue } from "../src/json/json-value.ts";

/** Any text that JSON can carry: every code point, no lone surrogate. */
export const anyText = fc.string({ unit: "binary", maxLength: 12 });

// Keys on which a careless reader or writer stumbles.
const inherited = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "toJSON", "length"];
const oddlySorted = ["", "0", "1", "10", "2", "-1", "a", "A", "é", "\ufb33", "\u{1f602}", "\u20ac"];
const escaped = ["\n", "\n\n", '"', "\\", "\\n", "~1", "/"];
const awkwardKey = fc.constantFrom(...inherited, ...oddlySorted, ...escaped);

/** Text of UTF-16 code units as they fall, so mostly ill-formed. */
export const anyCodeUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units));

/** Any JSON value, with own `__proto__` members and nests of many kinds. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.jsonValue({ stringUnit: "binary" }).map((value) => value as JsonValue),
  fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: "medium", withCrossShrink: true },
      fc.oneof(fc.constant(null), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }), anyText),
      fc.array(tie("value"), { maxLength: 5 }),
      fc
        .uniqueArray(fc.tuple(fc.oneof(awkwardKey, anyText), tie("value")), {
          maxLength: 6,
          selector: ([key]) => key,
        })
        .map((members) => Object.fromEntries(members)),
    ),
  })).value,
  // Deep and thin: nests are not left to chance.
  fc.tuple(fc.integer({ min: 0, max: 200 }), anyText).map(([depth, text]) => {
    let value: JsonValue = text;
    for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { [text]: value };
    return value;
  }),
);

/** The value in plain objects and arrays, with 0 for -0: what its canonical text can say. */
export function withoutMinusZero(value: JsonValue): JsonValue {
  if (typeof value === "number") return value + 0;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutMinusZero);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutMinusZero(member)]));
}
