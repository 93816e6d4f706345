import { expect, test } from "vitest";
import { rememberFew } from "./remember-few.ts";

test("the last few keys are computed once, also those that gave nothing, and older ones again", () => {
  const asked: number[] = [];
  const half = rememberFew(2, (key: number) => {
    asked.push(key);
    return key > 0 ? key / 2 : undefined;
  });
  expect([half(4), half(0), half(4), half(0), half(6), half(0), half(4)]).toEqual([
    2,
    undefined,
    2,
    undefined,
    3,
    undefined,
    2,
  ]);
  expect(asked).toEqual([4, 0, 6, 4]);
});
