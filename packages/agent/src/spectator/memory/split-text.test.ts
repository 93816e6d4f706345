import * as fc from "fast-check";
import { expect, test } from "vitest";
import { splitText } from "./split-text.ts";

test.each([
  ["", []],
  [" \n ", []],
  ["short", ["short"]],
  ["one paragraph\n\nand another", ["one paragraph", "and another"]],
  ["first line here\nsecond line here", ["first line here", "second line here"]],
  ["It rained today. It was wet", ["It rained today.", "It was wet"]],
  ["abcdefghij klmnopqrstuvwxyz", ["abcdefghij", "klmnopqrstuvwxyz"]],
  ["x".repeat(45), ["x".repeat(20), "x".repeat(20), "xxxxx"]],
])("%j", (text, pieces) => {
  expect(splitText(text, 20)).toEqual(pieces);
});

test("for any text no piece is too long, none is half a character, and nothing but white space is lost", () => {
  const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 200 }), fc.lorem({ maxCount: 40 }));
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 40 }), (whole, most) => {
      const pieces = splitText(whole, most);
      for (const piece of pieces) {
        expect(piece.length).toBeLessThanOrEqual(most);
        expect(piece.isWellFormed()).toBe(true);
        expect(piece).toBe(piece.trim());
        expect(piece).not.toBe("");
      }
      expect(pieces.join("").replaceAll(/\s/g, "")).toBe(whole.replaceAll(/\s/g, ""));
    }),
  );
});
