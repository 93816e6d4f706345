import type { Clock } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { Wakes } from "./wakes.ts";

/** A clock with its timers at hand. */
function handClock() {
  const timers = new Set<() => void>();
  const clock: Clock = {
    now: () => 0,
    elapsed: () => 0,
    after: (_ms, act) => {
      timers.add(act);
      return () => timers.delete(act);
    },
  };
  return { clock, timers };
}

const { signal } = new AbortController();

test("a wake ends the wait of everybody who listens to that account, and of nobody else", async () => {
  const { clock, timers } = handClock();
  const wakes = new Wakes();
  const waits = ["acct_1", "acct_1", "acct_2"].map((account) =>
    wakes.listen(account).wait(clock, 1000, signal),
  );
  wakes.wake("acct_1");
  expect(await Promise.all(waits.slice(0, 2))).toStrictEqual(["woken", "woken"]);
  expect(timers.size).toBe(1);
  for (const act of timers) act();
  expect(await waits[2]).toBe("time");
});

test("a wake between reading and waiting is not lost, and counts once", async () => {
  const { clock, timers } = handClock();
  const wakes = new Wakes();
  const listener = wakes.listen("acct_1");
  wakes.wake("acct_1");
  wakes.wake("acct_1");
  expect(await listener.wait(clock, 1000, signal)).toBe("woken");
  const next = listener.wait(clock, 1000, signal);
  expect(timers.size).toBe(1);
  for (const act of timers) act();
  expect(await next).toBe("time");
  wakes.wake("acct_1");
  expect(await listener.wait(clock, 1000, signal)).toBe("woken");
});

test("an abort ends a wait, and leaves neither timer nor listener behind", async () => {
  const { clock, timers } = handClock();
  const controller = new AbortController();
  const listener = new Wakes().listen("acct_1");
  const wait = listener.wait(clock, 1000, controller.signal);
  controller.abort();
  expect(await wait).toBe("aborted");
  expect(await listener.wait(clock, 1000, controller.signal)).toBe("aborted");
  expect(timers.size).toBe(0);
});

test("nothing is kept of accounts that nobody listens to", () => {
  const wakes = new Wakes();
  for (let n = 0; n < 1000; n++) wakes.wake(`acct_${n}`);
  expect(wakes.accounts).toBe(0);
  const listeners = Array.from({ length: 6 }, (_, n) => wakes.listen(`acct_${n % 3}`));
  expect(wakes.accounts).toBe(3);
  for (const listener of listeners) listener.close();
  expect(wakes.accounts).toBe(0);
});

test("closed twice, a listener takes nothing from those who came since", async () => {
  const wakes = new Wakes();
  const gone = wakes.listen("acct_1");
  gone.close();
  const here = wakes.listen("acct_1");
  gone.close();
  wakes.wake("acct_1");
  expect(await here.wait(handClock().clock, 1000, signal)).toBe("woken");
});
