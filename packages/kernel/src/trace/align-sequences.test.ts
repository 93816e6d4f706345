import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Alignment, alignSequences } from "./align-sequences.ts";

const isSame = (one: string, other: string): boolean => one === other;
const itself = (one: string): string => one;

/** Letters that are the same, and letters that are so but for their case. */
function align(a: string, b: string): Alignment[] {
  return alignSequences(lettersOf(a), lettersOf(b), isSame, [
    (letter) => letter,
    (letter) => letter.toLowerCase(),
  ]);
}

/** As a line each: what belongs together, and what has nobody. */
function shown(a: string, b: string): string {
  return align(a, b)
    .map((pair) => `${pair.a === undefined ? "" : a[pair.a]}:${pair.b === undefined ? "" : b[pair.b]}`)
    .join(" ");
}

describe("what belongs together in two sequences", () => {
  test.each([
    ["", "", ""],
    ["abc", "abc", "a:a b:b c:c"],
    ["abc", "", "a: b: c:"],
    ["", "ab", ":a :b"],
    ["abc", "ac", "a:a b: c:c"],
    ["abc", "abXc", "a:a b:b :X c:c"],
    ["abc", "aBc", "a:a b:B c:c"],
    ["aab", "ab", "a:a a: b:b"],
    ["ab", "ba", "a: b:b :a"],
    ["xabcy", "xcaby", "x:x :c a:a b:b c: y:y"],
  ])("%s and %s: %s", (a, b, expected) => {
    expect(shown(a, b)).toBe(expected);
  });

  const letters = fc.string({ unit: fc.constantFrom("a", "b", "A", "B"), maxLength: 20 });

  test("is every element once, in order, and together only where they are alike", () => {
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        const aligned = align(a, b);
        const places = (side: "a" | "b") =>
          aligned.flatMap((pair) => (pair[side] === undefined ? [] : [pair[side]]));
        expect(places("a")).toStrictEqual(lettersOf(a).map((_, at) => at));
        expect(places("b")).toStrictEqual(lettersOf(b).map((_, at) => at));
        for (const pair of aligned) {
          if (pair.a === undefined || pair.b === undefined) continue;
          expect(a[pair.a]?.toLowerCase()).toBe(b[pair.b]?.toLowerCase());
        }
        expect(align(a, a)).toStrictEqual(lettersOf(a).map((_, at) => ({ a: at, b: at })));
      }),
    );
  });

  test("takes no longer than it must where a hundred thousand have nothing in common, or all the same", () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `${at}`);
    const counts = [
      alignSequences(many, many.toReversed(), isSame, [itself]),
      alignSequences(
        many,
        many.map((one) => `-${one}`),
        isSame,
        [itself],
      ),
      alignSequences(many, ["x", ...many], isSame, [() => "same"]),
    ].map((aligned) => aligned.length);
    expect(counts).toStrictEqual([199_999, 200_000, 100_001]);
  });
});

function lettersOf(text: string): string[] {
  return text.split("");
}
