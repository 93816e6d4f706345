import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countWords, wordsOf } from "./words.ts";

test.each([
  ["Rain, in Lisbon!", ["rain", "in", "lisbon"]],
  ["snake_case kebab-case a.b", ["snake", "case", "kebab", "case", "a", "b"]],
  ["v2.0 2024-01-31", ["v2", "0", "2024", "01", "31"]],
  ["Zürich ÉCOLE Ångström", ["zurich", "ecole", "angstrom"]],
  ["Straße STRASSE STRAẞE", ["strasse", "strasse", "strasse"]],
  ["ΟΔΟΣ οδός οδοσ", ["οδος", "οδος", "οδος"]],
  ["İstanbul ISTANBUL ıstanbul", ["istanbul", "istanbul", "istanbul"]],
  ["Ёлка ЙОД", ["елка", "иод"]],
  ["ﬁne Ｗｉｄｅ x² Ⅷ", ["fine", "wide", "x2", "viii"]],
  ["東京 2024年", ["東京", "2024年"]],
  ["don't", ["don", "t"]],
  ["", []],
  ["🙂 — \u0000 \ud800 \u0301", []],
  ["a\u0000b a\ud800b", ["a", "b", "a", "b"]],
])("the words of %j", (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test("a run longer than a word can be is several words, and loses nothing", () => {
  const words = wordsOf("𠜎".repeat(600));
  expect(words.map((word) => Array.from(word).length)).toEqual([256, 256, 88]);
  expect(words.join("")).toBe("𠜎".repeat(600));
});

test("words of any text are found again in themselves, and hold nothing but letters and digits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      const words = wordsOf(text);
      expect(wordsOf(words.join(" "))).toEqual(words);
      for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}]+$/u);
    }),
  );
});

test("words are counted as often as they stand there, whatever they are called", () => {
  expect(countWords(["rain", "constructor", "rain"])).toEqual(
    new Map([
      ["rain", 2],
      ["constructor", 1],
    ]),
  );
});

test("a text of plain letters has the same words as it has beside another", () => {
  const plain = fc.string({ unit: "binary-ascii", maxLength: 600 });
  fc.assert(
    fc.property(plain, (text) => {
      expect(wordsOf(`é ${text}`)).toStrictEqual(["e", ...wordsOf(text)]);
    }),
  );
});
