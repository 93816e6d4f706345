import * as fc from "fast-check";
import { expect, test } from "vitest";
import { identifierOf, keptIdentifier, keptText, textOf } from "./kept-text.ts";

/** Any code units at all, with the odd ones often. */
const texts = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 1, 2, 3, 0xd7ff, 0xd800, 0xe000)))
  .map((units) => String.fromCharCode(...units));

test("an identifier comes back as it was, and what is kept of it has no U+0000 and no half pair", () => {
  fc.assert(
    fc.property(texts, (identifier) => {
      const kept = keptIdentifier(identifier);
      expect(kept.isWellFormed() && !kept.includes("\u0000")).toBe(true);
      expect(identifierOf(kept)).toBe(identifier);
    }),
  );
});

test("what is kept of identifiers is ordered by bytes as they are by code unit", () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const bytes = Buffer.compare(Buffer.from(keptIdentifier(one)), Buffer.from(keptIdentifier(other)));
      expect(bytes).toBe(one < other ? -1 : one > other ? 1 : 0);
    }),
  );
});

test("a text comes back with the bytes that were hashed", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const kept = keptText(text);
      expect(kept.isWellFormed() && !kept.includes("\u0000")).toBe(true);
      expect(textOf(kept)).toBe(text.toWellFormed());
    }),
  );
});

test("an ordinary text is kept as it is", () => {
  for (const text of ["", "run_0198c5a2-7d1f", "café", "中文", '{"a":"\\u0000"}']) {
    expect([keptIdentifier(text), keptText(text)]).toStrictEqual([text, text]);
  }
});
