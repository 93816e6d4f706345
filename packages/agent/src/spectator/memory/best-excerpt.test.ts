import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bestExcerpt } from "./best-excerpt.ts";

const filler = "nothing of any interest stands here at all ".repeat(30);

test("a short text is shown whole", () => {
  expect(bestExcerpt("rain", ["wind"], 10)).toBe("rain");
});

test("where the words stand is shown, with marks where something is left out", () => {
  const text = `${filler}the Wind brought RAIN to Lisbon ${filler}`;
  const excerpt = bestExcerpt(text, ["rain", "lisbon"], 100);
  expect(excerpt).toMatch(/^….*Wind brought RAIN to Lisbon .*…$/);
  expect(excerpt.length).toBeLessThanOrEqual(102);
});

test("where more of them stand together is shown before where one stands often", () => {
  const text = `${"rain ".repeat(20)}${filler}rain and wind ${filler}`;
  expect(bestExcerpt(text, ["rain", "wind"], 80)).toContain("rain and wind");
});

test("the beginning is shown where none stands, and the end where they stand there", () => {
  expect(bestExcerpt(`first ${filler}`, ["volcano"], 50)).toMatch(/^first nothing.*…$/);
  expect(bestExcerpt(`${filler}last rain`, ["rain"], 50)).toMatch(/^….*last rain$/);
});

test("for any text it is a part of it, bounded, and of whole characters", () => {
  const text = fc.string({ unit: "grapheme", minLength: 30, maxLength: 200 });
  fc.assert(
    fc.property(
      text,
      fc.array(fc.string({ unit: "grapheme" })),
      fc.integer({ min: 5, max: 60 }),
      (whole, words, most) => {
        const excerpt = bestExcerpt(whole, words, most);
        expect(excerpt.length).toBeLessThanOrEqual(
          Math.max(most + 2, whole.length <= most ? whole.length : 0),
        );
        expect(excerpt.isWellFormed()).toBe(true);
        expect(whole.includes(excerpt) || whole.includes(excerpt.replace(/^…/, "").replace(/…$/, ""))).toBe(
          true,
        );
      },
    ),
  );
});
