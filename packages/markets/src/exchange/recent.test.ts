import { expect, test } from "vitest";
import { Recent } from "./recent.ts";

test("what was set last is there, and what was set longest ago goes", () => {
  const recent = new Recent<string, number>(2);
  recent.set("a", 1);
  recent.set("b", 2);
  recent.set("a", 3);
  recent.set("c", 4);
  expect(["a", "b", "c"].map((key) => recent.get(key))).toStrictEqual([3, undefined, 4]);
});
