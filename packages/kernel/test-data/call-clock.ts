import type { Clock } from "../src/time/clock.ts";

type Timer = { readonly at: number; readonly act: () => void };

/** A clock that stands still until somebody moves it. */
export class ManualClock implements Clock {
  #now: number;
  #elapsed = 0;
  readonly #timers = new Set<Timer>();

  constructor(now = Date.UTC(2026, 0, 2, 3, 4, 5)) {
    this.#now = now;
  }

  readonly now = (): number => this.#now;
  readonly elapsed = (): number => this.#elapsed;

  readonly after = (ms: number, act: () => void): (() => void) => {
    const timer = { at: this.#elapsed + ms, act };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** How many things are waiting for their time. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** How long each of them has yet to wait. */
  get waits(): readonly number[] {
    return [...this.#timers].map(({ at }) => at - this.#elapsed);
  }

  /** Lets time pass; what is due happens in its order. */
  advance(ms: number): void {
    const end = this.#elapsed + ms;
    for (;;) {
      const [due] = [...this.#timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now += Math.max(0, due.at - this.#elapsed);
      this.#elapsed = Math.max(this.#elapsed, due.at);
      due.act();
    }
    this.#now += end - this.#elapsed;
    this.#elapsed = end;
  }

  /** Sets the time of day without any time passing. */
  jump(ms: number): void {
    this.#now += ms;
  }
}
