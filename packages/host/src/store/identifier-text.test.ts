import * as fc from "fast-check";
import { expect, test } from "vitest";
import { identifierIn, identifierText } from "./identifier-text.ts";

/** Any code units at all, with the odd ones often. */
const identifiers = fc
  .array(
    fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 0xd7fe, 0xd7ff, 0xd800, 0xdfff, 0xe000)),
  )
  .map((units) => String.fromCharCode(...units));

test("an identifier comes back from its text as it was, half surrogate pairs included", () => {
  fc.assert(
    fc.property(identifiers, (identifier) => {
      const text = identifierText(identifier);
      expect(text.isWellFormed()).toBe(true);
      expect(identifierIn(text)).toBe(identifier);
    }),
  );
});

test("the bytes of the texts are in the order of the identifiers by code unit", () => {
  fc.assert(
    fc.property(identifiers, identifiers, (one, other) => {
      const bytes = Buffer.compare(Buffer.from(identifierText(one)), Buffer.from(identifierText(other)));
      expect(bytes).toBe(one < other ? -1 : one > other ? 1 : 0);
    }),
  );
});

test("an ordinary identifier is its own text", () => {
  for (const id of ["", "run_0198c5a2-7d1f", "café", "中文", "a\u0000b"]) expect(identifierText(id)).toBe(id);
});
