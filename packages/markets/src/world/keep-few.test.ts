import { expect, test } from "vitest";
import { keepFew } from "./keep-few.ts";

/** Keeps two of what it makes, and says what it has made. */
function keeping(make: (key: number) => Promise<string>, worthKeeping?: (value: string) => boolean) {
  const made: number[] = [];
  const of = keepFew(
    2,
    (key: number) => {
      made.push(key);
      return make(key);
    },
    worthKeeping,
  );
  return { of, made };
}

test("what is asked for at once is made once, and the last few are kept", async () => {
  const { of, made } = keeping(async (key) => `${key}`);
  expect(await Promise.all([of(1), of(1), of(2), of(1)])).toEqual(["1", "1", "2", "1"]);
  await of(3);
  await of(2);
  await of(1);
  expect(made).toEqual([1, 2, 3, 1]);
});

test("what failed is made anew for whoever asks next", async () => {
  let isDown = true;
  const { of, made } = keeping(async (key) => {
    if (isDown) throw new Error("down");
    return `${key}`;
  });
  const failed = await Promise.allSettled([of(1), of(1)]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isDown = false;
  expect([await of(1), made]).toEqual(["1", [1, 1]]);
});

test("what is not worth keeping is made anew, and never takes the place of what is", async () => {
  const { of, made } = keeping(
    async (key) => `${key}`,
    (value) => value !== "1",
  );
  await of(1);
  await of(1);
  await of(2);
  await of(2);
  expect(made).toEqual([1, 1, 2]);
});
