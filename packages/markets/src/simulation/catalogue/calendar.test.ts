import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  closeOf,
  dateCode,
  dateText,
  dayOfCode,
  drawRhythm,
  firstClosingAfter,
  timeText,
} from "./calendar.ts";

const anyRhythm = fc
  .tuple(
    fc.nat(0xffff_ffff),
    fc.constantFrom("daily" as const, "weekly" as const, "monthly" as const, "quarterly" as const),
  )
  .map(([key, cadence]) => drawRhythm(key, cadence));
const anyTime = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2099, 11, 31) });

test("the first event that closes after a time is that one, to the millisecond", () => {
  fc.assert(
    fc.property(anyRhythm, anyTime, (rhythm, ms) => {
      const nth = firstClosingAfter(rhythm, ms);
      expect(closeOf(rhythm, nth)).toBeGreaterThan(ms);
      expect(closeOf(rhythm, nth - 1)).toBeLessThanOrEqual(ms);
      const close = closeOf(rhythm, nth);
      expect([firstClosingAfter(rhythm, close - 1), firstClosingAfter(rhythm, close)]).toEqual([
        nth,
        nth + 1,
      ]);
      expect(close % 900_000).toBe(0);
    }),
  );
});

test("a date code names its day, and no other text does", () => {
  fc.assert(
    fc.property(anyTime, (ms) => {
      expect(dayOfCode(dateCode(ms))).toBe(Math.floor(ms / 86_400_000) * 86_400_000);
    }),
  );
  expect(dayOfCode("26XYZ17")).toBeUndefined();
});

test("dates and times are written in UTC", () => {
  const ms = Date.UTC(2026, 10, 7, 22, 15);
  expect([dateCode(ms), dateText(ms), timeText(ms)]).toEqual(["26NOV07", "7 Nov 2026", "22:15 UTC"]);
});
