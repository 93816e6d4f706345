import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mostLooks, scoredWords } from "./scored-words.ts";

const counted = (...having: number[]) => having.map((count, place) => ({ word: `w${place}`, having: count }));
const names = (...having: number[]) => scoredWords(counted(...having)).map(({ word }) => word);

test("an ordinary query is scored by all of its words, rarest first, equals in their order", () => {
  expect(names(700, 3, 20, 3)).toEqual(["w1", "w3", "w2", "w0"]);
  expect(names()).toEqual([]);
});

test("a word that no entry has is not scored", () => {
  expect(names(0, 2, 0)).toEqual(["w1"]);
});

test("the commonest words are left out where there are too many entries to look at", () => {
  expect(names(mostLooks - 10, 10)).toEqual(["w1", "w0"]);
  expect(names(mostLooks - 9, 10)).toEqual(["w1"]);
  expect(names(mostLooks, 5, mostLooks, 7)).toEqual(["w1", "w3"]);
});

test("the rarest is scored however many have it", () => {
  expect(names(mostLooks * 3)).toEqual(["w0"]);
  expect(names(mostLooks * 3, mostLooks * 2)).toEqual(["w1"]);
});

test("for any query the cost is bounded, and no word is scored while a rarer one is not", () => {
  const having = fc.array(fc.nat({ max: mostLooks }), { maxLength: 40 });
  fc.assert(
    fc.property(having, (counts) => {
      const scored = scoredWords(counted(...counts));
      const looks = scored.reduce((sum, word) => sum + word.having, 0);
      expect(scored.length <= 1 || looks <= mostLooks).toBe(true);
      const rarestFirst = counts.filter((count) => count > 0).toSorted((a, b) => a - b);
      expect(scored.map((word) => word.having)).toEqual(rarestFirst.slice(0, scored.length));
      // And no word is left out that there was room for.
      const next = rarestFirst[scored.length] ?? Number.POSITIVE_INFINITY;
      expect(looks + next).toBeGreaterThan(mostLooks);
    }),
  );
});
