import { expect, test } from "vitest";
import { fuseRanks } from "./fuse-ranks.ts";

const ranking = (...ids: string[]) => ids.map((id, place) => ({ id, score: 10 - place }));

test("one ranking stays as it is, with its scores", () => {
  expect(fuseRanks({ bm25: ranking("b", "a") })).toEqual([
    { id: "b", score: 10, ranks: { bm25: 1 }, scores: { bm25: 10 } },
    { id: "a", score: 9, ranks: { bm25: 2 }, scores: { bm25: 9 } },
  ]);
  expect(fuseRanks({ embedding: ranking("a") })).toMatchObject([{ score: 10, ranks: { embedding: 1 } }]);
  expect(fuseRanks({})).toEqual([]);
});

test("of two, places are counted: who stands in both comes before who is first in one", () => {
  const fused = fuseRanks({ bm25: ranking("a", "b", "c"), embedding: ranking("c", "b", "d") });
  expect(fused.map(({ id }) => id)).toEqual(["c", "b", "a", "d"]);
  expect(fused[0]).toEqual({
    id: "c",
    score: 1 / 63 + 1 / 61,
    ranks: { bm25: 3, embedding: 1 },
    scores: { bm25: 8, embedding: 10 },
  });
});

test("equals stand in the order of their ids", () => {
  expect(fuseRanks({ bm25: ranking("b"), embedding: ranking("a") }).map(({ id }) => id)).toEqual(["a", "b"]);
});

test("what a ranking names twice counts once, at its first place, and a score that is no number is none", () => {
  const bm25 = [...ranking("a", "a"), { id: "b", score: Number.NaN }];
  expect(fuseRanks({ bm25, embedding: [] })).toEqual([
    { id: "a", score: 1 / 61, ranks: { bm25: 1 }, scores: { bm25: 10 } },
    { id: "b", score: 1 / 63, ranks: { bm25: 3 }, scores: { bm25: 0 } },
  ]);
});
