import { expect, test } from "vitest";
import { emit, heedless } from "./emit.ts";

const trouble = new Error("not now");
const listeners: readonly (readonly [string, (what: string) => unknown])[] = [
  [
    "throws",
    () => {
      throw trouble;
    },
  ],
  ["fails later", async () => await Promise.reject(trouble)],
];

test.each(listeners)(
  "B24: whoever is told and %s stops nothing, and who wants to know hears of it",
  async (_, tell) => {
    const failures: unknown[] = [];
    heedless(tell, (error) => failures.push(error))("what");
    heedless(tell)("what");
    emit(tell, "what");
    await Promise.resolve();
    await Promise.resolve();
    expect(failures).toStrictEqual([trouble]);
  },
);

test("it is told as it was said, and nobody need be there", () => {
  const heard: unknown[] = [];
  heedless((...told: unknown[]) => heard.push(...told))("one", 2);
  emit((...told: unknown[]) => heard.push(...told), "three");
  heedless(undefined)();
  emit(undefined);
  expect(heard).toStrictEqual(["one", 2, "three"]);
});
