import type { Timing } from "../src/wire/timing.ts";

type Timer = { readonly at: number; readonly ms: number; readonly run: () => void };

/** A clock that jumps over short waits by itself, and lets a test decide when a long one is over. */
export class TestTiming implements Timing {
  /** Every short wait that was begun. */
  readonly waits: number[] = [];
  readonly #timers = new Set<Timer>();
  readonly #jumpsUpTo: number;
  #time = 0;
  /** What chance gives from now on. */
  chance = 1;

  constructor(jumpsUpTo = 30_000) {
    this.#jumpsUpTo = jumpsUpTo;
  }

  readonly now = () => Date.UTC(2026, 0, 1) + this.#time;
  readonly elapsed = () => this.#time;
  readonly random = () => this.chance;

  readonly after = (ms: number, run: () => void) => {
    const timer = { at: this.#time + ms, ms, run };
    this.#timers.add(timer);
    if (ms <= this.#jumpsUpTo) {
      this.waits.push(ms);
      queueMicrotask(() => {
        if (this.#timers.has(timer)) this.advance(timer.at - this.#time);
      });
    }
    return () => void this.#timers.delete(timer);
  };

  /** Timers that have neither run nor been called off. */
  get pending(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    this.#time += Math.max(0, ms);
    for (const timer of [...this.#timers].toSorted((a, b) => a.at - b.at)) {
      if (timer.at > this.#time) continue;
      this.#timers.delete(timer);
      timer.run();
    }
  }
}
