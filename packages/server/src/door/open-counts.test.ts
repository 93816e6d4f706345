import { expect, test } from "vitest";
import { OpenCounts } from "./open-counts.ts";

test("each caller has as many open as there may be, and one that is closed makes room once", () => {
  const counts = new OpenCounts(2);
  const [first, second] = [counts.enter("a"), counts.enter("a")];
  expect([first, second].every((leave) => leave !== undefined)).toBe(true);
  expect(counts.enter("a")).toBeUndefined();
  expect(counts.enter("b")).toBeDefined();
  first?.();
  first?.();
  expect(counts.enter("a")).toBeDefined();
  expect(counts.enter("a")).toBeUndefined();
});
