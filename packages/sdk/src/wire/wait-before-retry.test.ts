import { expect, test } from "vitest";
import { backoffMs, waitBeforeRetry } from "./wait-before-retry.ts";

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
