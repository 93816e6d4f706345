import { expect, test } from "vitest";
import { backoffMs, readRetryAfter, waitBeforeRetry } from "./wait-before-retry.ts";

const now = Date.UTC(2026, 0, 2, 3, 4, 5);

test.each([
  ["7", 7000],
  ["0", 0],
  ["Fri, 02 Jan 2026 03:04:15 GMT", 10_000],
  ["Fri, 02 Jan 2026 03:04:00 GMT", 0],
  ["soon", undefined],
  ["-1", undefined],
  ["1.5", undefined],
  ["", undefined],
  [null, undefined],
])("Retry-After %j is %s ms", (header, ms) => {
  expect(readRetryAfter(header, now)).toBe(ms);
});

test("a wait is any part of what doubles with each failure, and of no more than eight seconds", () => {
  const parts = [1, 2, 6, 7, 1000].map((failures) => [
    backoffMs(failures, () => 0),
    backoffMs(failures, () => 0.5),
  ]);
  expect(parts).toStrictEqual([
    [0, 125],
    [0, 250],
    [0, 4000],
    [0, 4000],
    [0, 4000],
  ]);
});

const wait = (retryAfterMs: number | undefined) => waitBeforeRetry(1, retryAfterMs, () => 1);

test("the longer of both is waited for, and nothing where more is asked than a call has", () => {
  expect([undefined, 100, 300, 30_000, 30_001].map(wait)).toStrictEqual([250, 250, 300, 30_000, undefined]);
});
