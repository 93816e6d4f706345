import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const names = ["world.read", "world.write", "markets.search", "markets.list", "orders.place"];

describe("a mistyped word", () => {
  test.each([
    ["world_read", ["world.read"]],
    ["WorldRead", ["world.read"]],
    ["wolrd.read", ["world.read"]],
    ["world.reed", ["world.read"]],
    ["world.reads", ["world.read"]],
    ["market.search", ["markets.search"]],
    ["world.wrte", ["world.write"]],
    ["world.rite", ["world.write", "world.read"]],
  ])("%s is near %j", (word, expected) => {
    expect(nearest(word, names)).toStrictEqual(expected);
  });

  test("that resembles nothing has nothing near it", () => {
    const words = ["", " ", "...", "zebra", "日本語", "\ud800", "x", "w".repeat(10_000)];
    expect(words.flatMap((word) => nearest(word, names))).toStrictEqual([]);
    expect(nearest("", ["a"])).toStrictEqual([]);
    expect(nearest("world.read", [])).toStrictEqual([]);
  });

  test("is shown the nearest three, ties by name, or as many as asked for", () => {
    const many = ["reads", "reade", "readd", "read", "readz"];
    expect(nearest("read", many)).toStrictEqual(["read", "readd", "reade"]);
    expect(nearest("read", many, 1)).toStrictEqual(["read"]);
    expect(nearest("read", new Set(many), 9)).toHaveLength(5);
  });

  test("counts two neighbours that changed places as one mistake", () => {
    expect(nearest("ab", ["ba", "cd"])).toStrictEqual(["ba"]);
  });
});

test("for any word: every suggestion is a candidate, none comes twice, and what reads the same comes first", () => {
  const word = fc.string({ maxLength: 12 }).filter((text) => folded(text) !== "");
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ maxLength: 12 })), word, (others, typed) => {
      const candidates = [...new Set([...others, typed])];
      const near = nearest(typed, candidates, 100);
      expect(new Set(near).size).toBe(near.length);
      expect(candidates).toEqual(expect.arrayContaining(near));
      expect(folded(near[0] ?? "")).toBe(folded(typed));
    }),
  );
});

describe("work is bounded, counted in letters read", () => {
  test("10,000 candidates of another length cost none", () => {
    const tally = { reads: 0 };
    const candidates = Array.from({ length: 10_000 }, () => counted("markets.search", tally));
    expect(nearest("x".repeat(10_000), candidates)).toStrictEqual([]);
    expect(nearest("x", candidates)).toStrictEqual([]);
    expect(tally.reads).toBe(0);
  });

  test("a candidate of 10,000 letters costs none", () => {
    const tally = { reads: 0 };
    expect(nearest("x".repeat(10_000), [counted("x".repeat(10_000), tally)])).toStrictEqual([]);
    expect(tally.reads).toBe(0);
  });

  test("the longest word that is compared at all costs at most 128 times the candidate, a few reads each", () => {
    const tally = { reads: 0 };
    nearest("x".repeat(10_000), [counted("y".repeat(170), tally)]);
    expect(tally.reads).toBeGreaterThan(0);
    expect(tally.reads).toBeLessThanOrEqual(3 * 128 * 170);
  });
});

function folded(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Stands in for a text, and counts how often one of its letters is read. */
function counted(text: string, tally: { reads: number }): string {
  const letters = new Proxy(Object(text) as object, {
    get: (_, key) => {
      if (key === "length") return text.length;
      tally.reads += 1;
      return text[Number(key)];
    },
  });
  return { toLowerCase: () => ({ replaceAll: () => letters }) } as unknown as string;
}
