import type { MemoryId } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkCitations } from "./citations.ts";

const a = "mem_aaaaaaaa-0000" as MemoryId;
const b = "mem_bbbbbbbb-0000" as MemoryId;

test.each<[text: string, cited: readonly string[], unknown: readonly string[]]>([
  ["", [], []],
  [`It rains [mem:${a}].`, [a], []],
  [`[mem:${b}][mem:${a}] and again [mem:${b}]`, [b, a], []],
  ["[mem:mem_cccccccc-0000] and [mem:mem_cccccccc-0000]", [], ["mem_cccccccc-0000"]],
  [`[mem: ${a} ]`, [a], []],
  ["[mem:] [mem:<id>]", [], ["", "<id>"]],
  [`[mem:[mem:${a}]`, [a], []],
  [`[mem:${a}, ${b}]`, [], [`${a}, ${b}`]],
  [`[MEM:${a}] (mem:${a}) mem:${a} [memo:${a}] [mem:${a}`, [], []],
  ["[mem:__proto__] [mem:constructor]", [], ["__proto__", "constructor"]],
])("%j", (text, cited, unknown) => {
  expect(checkCitations(text, [a, b])).toEqual({ cited, unknown });
});

// proves LIVE-5.10
test("what was not shown in this turn is unknown, whatever it is", () => {
  expect(checkCitations(`[mem:${a}]`, [])).toEqual({ cited: [], unknown: [a] });
});

// proves LIVE-5.7, LIVE-5.10
test("for any text, what is cited was shown and stands there, and nothing is both", () => {
  const piece = fc.oneof(
    fc.constantFrom("[mem:", "]", "[", a, b, "mem_unknown-1", " "),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      const { cited, unknown } = checkCitations(text, [a]);
      expect(cited.every((id) => id === a && text.includes(a))).toBe(true);
      expect(unknown.includes(a)).toBe(false);
      expect(cited.includes(a)).toBe(new RegExp(`\\[mem:\\s*${a}\\s*\\]`).test(text));
    }),
  );
});

test("hostile texts of a megabyte are read in time that grows with their length, and answered within bounds", () => {
  const pieces = ["[mem:", "[mem:x", "[", "[mem:]", "[mem: ", `[mem:${"y".repeat(500)}`, "]"];
  for (const piece of pieces) {
    const { unknown } = checkCitations(piece.repeat(Math.ceil(1_000_000 / piece.length)), [a]);
    expect(unknown.length).toBeLessThanOrEqual(1);
  }
  const many = Array.from({ length: 1000 }, (_, i) => `[mem:${i}${"z".repeat(1000)}]`).join("");
  const { unknown } = checkCitations(many, []);
  expect(unknown).toHaveLength(50);
  expect(Math.max(...unknown.map(({ length }) => length))).toBe(100);
});
