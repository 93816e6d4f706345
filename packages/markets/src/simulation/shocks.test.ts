import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isQuiet, shockAt } from "./shocks.ts";

test("a time is quiet exactly when no tick of it feels any news", () => {
  const time = fc.tuple(fc.integer(), fc.integer({ min: 26e6, max: 70e6 }), fc.nat({ max: 1500 }));
  const counts = { quiet: 0, loud: 0 };
  fc.assert(
    fc.property(time, ([group, from, length]) => {
      const ticks = Array.from({ length: length + 1 }, (_, place) => from + place);
      const quiet = ticks.every((tick) => shockAt(group, tick) === 0);
      counts[quiet ? "quiet" : "loud"] += 1;
      expect(isQuiet(group, from, from + length)).toBe(quiet);
    }),
    { numRuns: 400 },
  );
  expect([counts.quiet > 20, counts.loud > 20]).toEqual([true, true]);
});
