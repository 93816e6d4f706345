import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { visible, visibleJson } from "./visible-text.ts";

const unseen = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
const drivers = ["\n", "\t", "\u001b", "\u009b", "\u202e", "\u2066", "\u2028", "\u007f", "\ufeff", "\ud800"];
const anyText = fc.string({ unit: fc.oneof(fc.constantFrom(...drivers), fc.string({ unit: "binary" })) });

describe("what is shown on a screen", () => {
  test("has ordinary text as it is, in every script", () => {
    const texts = ["notes.read", "größer – «ja»", "日本語", "שלום", "مرحبا", "👩‍👩‍👧 क्षि", "a\u0301"];
    expect(texts.map(visible)).toStrictEqual(texts);
  });

  test("has nothing in it that drives a terminal or turns the writing", () => {
    expect(visible("a\u001b[31mb\u009b1m\u0007\u202ec\n\r\td\u2028\ufeff")).toBe(
      String.raw`a\u001b[31mb\u009b1m\u0007\u202ec\n\r\td\u2028\ufeff`,
    );
    fc.assert(fc.property(anyText, (text) => !unseen.test(visible(text)) && visible(text).isWellFormed()));
  });

  test("is, as JSON, the same value", () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = visibleJson(value, indent);
        expect(JSON.parse(text)).toStrictEqual(JSON.parse(JSON.stringify(value)));
        expect(text.replaceAll("\n", "")).not.toMatch(unseen);
      }),
    );
  });
});
