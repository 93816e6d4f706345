import { expect, test } from "vitest";
import { bestHits, bm25 } from "./bm25.ts";

test("the score is Okapi BM25 with k1 1.2 and b 0.75", () => {
  const score = bm25({ entries: 10, words: 50 })(3);
  const idf = Math.log(1 + 7.5 / 3.5);
  expect(score(1, 5)).toBeCloseTo(idf, 12);
  expect(score(2, 10)).toBeCloseTo((idf * 2 * 2.2) / (2 + 1.2 * 1.75), 12);
  expect(score(2, 1)).toBeCloseTo((idf * 2 * 2.2) / (2 + 1.2 * 0.4), 12);
});

test("a rarer word is worth more, and one that every entry has is still worth something", () => {
  const weigh = bm25({ entries: 10, words: 50 });
  const worth = [1, 5, 9, 10].map((having) => weigh(having)(1, 5));
  expect(worth).toEqual(worth.toSorted((a, b) => b - a));
  expect(new Set(worth).size).toBe(4);
  expect(worth.every((score) => score > 0)).toBe(true);
});

test("the best hits come first, equals by id, and no more than asked for", () => {
  const hits = [
    { id: "\uffff", score: 1 },
    { id: "😀", score: 1 },
    { id: "b", score: 2 },
    { id: "a", score: 1 },
  ];
  const ranked = ["b", "a", "😀", "\uffff"];
  const ids = (limit: number) => bestHits(hits, limit).map(({ id }) => id);
  expect([4, 3, 1, 0, -1, Number.NaN, Number.POSITIVE_INFINITY].map(ids)).toEqual([
    ranked,
    ranked.slice(0, 3),
    ["b"],
    [],
    [],
    [],
    ranked,
  ]);
});
