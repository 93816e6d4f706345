import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Part } from "./printer.ts";
import { sayWhenLong } from "./say-when-long.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function listening() {
  const said: Part[] = [];
  return { said, err: (...parts: readonly Part[]) => void said.push(...parts) };
}

test("what takes more than a second is said once", async () => {
  const { said, err } = listening();
  const work = Promise.withResolvers<number>();
  const waiting = sayWhenLong({ err }, "opening", () => work.promise);
  vi.advanceTimersByTime(999);
  expect(said).toStrictEqual([]);
  vi.advanceTimersByTime(5000);
  work.resolve(7);
  expect([await waiting, said]).toStrictEqual([7, [{ text: "opening", style: "dim" }]]);
});

test("nothing is said of what has ended, also by a fault, and no timer is left", async () => {
  const { said, err } = listening();
  const failing = sayWhenLong({ err }, "opening", () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  expect([vi.getTimerCount(), said]).toStrictEqual([0, []]);
});
