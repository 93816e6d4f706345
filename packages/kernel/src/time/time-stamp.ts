import type { Clock } from "./clock.ts";

/** The time as records say it. Writing it down costs more than keeping it for the rest of its millisecond. */
export class TimeStamp {
  readonly #clock: Clock;
  #last = { now: Number.NaN, text: "" };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): string {
    const now = this.#clock.now();
    if (now !== this.#last.now) this.#last = { now, text: new Date(now).toISOString() };
    return this.#last.text;
  }
}
