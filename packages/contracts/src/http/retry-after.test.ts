import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readRetryAfter } from "./retry-after.ts";

const now = Date.UTC(2026, 10, 17, 12);
const longest = 2 ** 31 - 1;

test.each([
  ["0", 0],
  ["30", 30_000],
  ["007", 7000],
  ["1.5", 1500],
  ["0.0001", 1],
  ["9999999999", longest],
  ["99999999999999999999", longest],
  ["Tue, 17 Nov 2026 12:00:05 GMT", 5000],
  ["Tuesday, 17-Nov-26 12:00:05 GMT", 5000],
  ["Tue Nov 17 12:00:05 2026", 5000],
  ["Tue Dec  1 12:00:00 2026", 14 * 86_400_000],
  ["Tue, 17 Nov 2026 11:00:00 GMT", 0],
  ["Fri, 31 Dec 9999 23:59:59 GMT", longest],
])("Retry-After %j is %s ms", (header, ms) => {
  expect(readRetryAfter(header, now)).toBe(ms);
});

test.each([
  null,
  undefined,
  "",
  " ",
  "-1",
  "+5",
  "1e3",
  "0x10",
  "1,5",
  ".5",
  "5.",
  "soon",
  "May 5",
  "2026-11-17T12:00:05Z",
  "Tue, 17 Foo 2026 12:00:05 GMT",
  "Tue, 17 Nov 2026 12:00:05 +0100",
  "Tue, 17 Nov 2026 12:00:05",
  "30, 60",
  "9".repeat(100),
])("Retry-After %j says nothing", (header) => {
  expect(readRetryAfter(header, now)).toBeUndefined();
});

test("any date that HTTP writes is read back, and whatever else is said is nothing or a time that can be waited for", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_400 * 20 }), (ahead) => {
      expect(readRetryAfter(new Date(now + ahead * 1000).toUTCString(), now)).toBe(ahead * 1000);
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9.,:A-Za-z -]{0,40}$/)), (header) => {
      const ms = readRetryAfter(header, now);
      expect(ms === undefined || (Number.isSafeInteger(ms) && ms >= 0 && ms <= longest)).toBe(true);
    }),
  );
});
