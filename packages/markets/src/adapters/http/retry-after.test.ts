import { expect, test } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const now = Date.UTC(2026, 10, 17, 12);

test.each([
  [null, undefined],
  ["0", 0],
  ["30", 30_000],
  ["Tue, 17 Nov 2026 12:00:05 GMT", 5_000],
  ["Tue, 17 Nov 2026 11:00:00 GMT", 0],
  ["-5", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["99999999999999999999", undefined],
  ["", undefined],
])("retry-after %j is %j", (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});
