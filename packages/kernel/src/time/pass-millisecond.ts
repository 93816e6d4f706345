import { systemClock } from "./clock.ts";

/** Comes back when the clock has moved on; one that stands still, as in tests, is given up after a few milliseconds. */
export function passMillisecond(): void {
  const before = systemClock.now();
  for (let looks = 0; looks < 200_000 && systemClock.now() === before; looks++);
}
