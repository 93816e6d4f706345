import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { ManualClock } from "../../test-data/call-clock.ts";
import { passed } from "./passed.ts";

test("a time has passed when it is over and not before, and leaves neither timer nor listener", async () => {
  const clock = new ManualClock();
  const { signal } = new AbortController();
  const wait = passed(clock, 1000, [undefined, signal]);
  clock.advance(999);
  expect([clock.waiting, getEventListeners(signal, "abort").length]).toStrictEqual([1, 1]);
  clock.advance(1);
  expect(await wait).toBe(true);
  expect([clock.waiting, getEventListeners(signal, "abort").length]).toStrictEqual([0, 0]);
});

test("a time that nobody waits for any more has not passed, and leaves neither timer nor listener", async () => {
  const clock = new ManualClock();
  const ended = new AbortController();
  const wait = passed(clock, 1000, [new AbortController().signal, ended.signal]);
  ended.abort();
  expect(await wait).toBe(false);
  expect(await passed(clock, 1000, [new AbortController().signal, ended.signal])).toBe(false);
  expect([clock.waiting, getEventListeners(ended.signal, "abort").length]).toStrictEqual([0, 0]);
});
