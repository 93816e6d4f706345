// Many literals are found in a text in time that grows with the text alone. What a search costs is counted, not timed.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Found, LiteralSearch, wholeWordBelow } from "./literal-search.ts";

/** The same, by trying every literal at every place. */
function tried(literals: readonly string[], text: string): Found[] {
  const found: Found[] = [];
  let covered = 0;
  for (let start = 0; start < text.length; start++) {
    const [literal] = literals
      .filter((one) => text.startsWith(one, start) && mayStand(text, start, one))
      .toSorted((a, b) => b.length - a.length);
    if (literal === undefined || start + literal.length <= covered) continue;
    covered = start + literal.length;
    found.push({ start, literal });
  }
  return found;
}

function mayStand(text: string, start: number, { length }: string): boolean {
  return (
    length >= wholeWordBelow ||
    ![text.charAt(start - 1), text.charAt(start + length)].some((char) => /^[A-Za-z0-9]$/.test(char))
  );
}

describe("every literal is found that trying all of them would find", () => {
  const few = fc.constantFrom("a", "b", " ");
  const piece = fc.string({ unit: few, minLength: 1, maxLength: 14 });

  test("in texts and literals of few characters, which repeat and begin alike", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(piece, { minLength: 1, maxLength: 30 }),
        fc.string({ unit: few, maxLength: 120 }),
        (literals, text) => {
          expect(new LiteralSearch(literals).find(text)).toStrictEqual(tried(literals, text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("in any text, among any others", () => {
    const any = fc.string({ unit: "binary", minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.uniqueArray(any, { minLength: 1, maxLength: 20 }), fc.array(any), (literals, others) => {
        const text = [...others, ...literals].join("");
        expect(new LiteralSearch(literals).find(text)).toStrictEqual(tried(literals, text));
      }),
    );
  });

  test("one after the other by the same search, the longer text before the shorter one", () => {
    const search = new LiteralSearch(["a literal", "another literal"]);
    const texts = [
      "x".repeat(5000) + "another literal",
      "a literal",
      "a litera",
      "x".repeat(100_000) + "a literal",
    ];
    expect(texts.map((text) => search.find(text))).toStrictEqual([
      [{ start: 5000, literal: "another literal" }],
      [{ start: 0, literal: "a literal" }],
      [],
      [{ start: 100_000, literal: "a literal" }],
    ]);
  });
});

/** Looks for each character of a text, beyond those that making the search took. */
function looksPerCharacter(literals: readonly string[], text: string): number {
  const search = new LiteralSearch(literals);
  const before = search.looks;
  search.find(text);
  return (search.looks - before) / text.length;
}

const steps = (count: number) => Math.ceil(Math.log2(count + 1));
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe("a place in the text is looked at as often as the number of lengths can be halved", () => {
  test.each([
    ["begin alike", (n: number) => `${"a".repeat(8 + n)}b`],
    ["end alike", (n: number) => `b${"a".repeat(8 + n)}`],
    ["are each a part of the next", (n: number) => "a".repeat(8 + n)],
    ["have nothing in common", (n: number) => `${n * 7919}-`.repeat(2 + (n % 100))],
  ])("where literals %s", (_, make) => {
    for (const count of [500, 1000]) {
      const literals = numbers(count).map(make);
      for (const length of [20_000, 40_000])
        expect(looksPerCharacter(literals, "a".repeat(length))).toBeLessThanOrEqual(steps(count));
    }
  });

  test("and at most places of an ordinary text not at all", () => {
    const literals = numbers(4096).map((n) => `${(n * 2_654_435_761) % 4_294_967_296}-secret`);
    const prose = "Nobody on the desk had expected the second paragraph. ".repeat(400);
    expect(looksPerCharacter(literals, prose)).toBeLessThan(0.25);
  });

  test("making a search takes a bounded number of looks for each literal", () => {
    for (const count of [500, 1000]) {
      const { looks } = new LiteralSearch(numbers(count).map((n) => `${"a".repeat(8 + n)}b`));
      expect(looks).toBeLessThanOrEqual(count * steps(count) ** 2);
    }
  });
});
