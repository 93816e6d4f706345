import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CommandContext } from "../command-line/command-context.ts";
import type { Part } from "./printer.ts";
import { sayWhenLong } from "./say-when-long.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function listening(isTerminal = true) {
  const said: Part[] = [];
  const print = { err: (...parts: readonly Part[]) => void said.push(...parts) };
  const io = { isTerminal: { stdout: false, stderr: isTerminal } };
  return { said, context: { print, io } as CommandContext };
}

test("what takes more than a second is said once", async () => {
  const { said, context } = listening();
  const work = Promise.withResolvers<number>();
  const waiting = sayWhenLong(context, "opening", () => work.promise);
  vi.advanceTimersByTime(999);
  expect(said).toStrictEqual([]);
  vi.advanceTimersByTime(5000);
  work.resolve(7);
  expect([await waiting, said]).toStrictEqual([7, [{ text: "opening", style: "dim" }]]);
});

test("nothing is said of what has ended, also by a fault, and no timer is left", async () => {
  const { said, context } = listening();
  const failing = sayWhenLong(context, "opening", () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  expect([vi.getTimerCount(), said]).toStrictEqual([0, []]);
});

test("nothing is said where nobody sits at a terminal: what is read by a program is the same on a slow machine", async () => {
  const { said, context } = listening(false);
  const work = Promise.withResolvers<number>();
  const waiting = sayWhenLong(context, "opening", () => work.promise);
  vi.advanceTimersByTime(5000);
  work.resolve(7);
  expect([await waiting, said]).toStrictEqual([7, []]);
});
