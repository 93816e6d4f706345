import type { Clock } from "../../time/clock.ts";

/** So far the date and what has elapsed come apart between two records where nobody has set the clock. */
const mostApartMs = 100;

type Moment = { readonly date: number; readonly elapsed: number };

/** What passes from one record of a run to the next in the process that writes them, however the clock is set meanwhile. */
export class TimePassed {
  readonly #clock: Clock;
  #sealed: Moment | undefined;
  #written: Moment | undefined;
  #said: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Of a record that is sealed now: milliseconds since the one before, where the dates of both do not tell them. */
  readonly seal = (): number | undefined => {
    const { now, elapsed } = this.#clock;
    const before = this.#written;
    this.#sealed = { date: now(), elapsed: elapsed() };
    const apartMs = before === undefined ? 0 : this.#sealed.date - before.date - this.since;
    this.#said = Math.abs(apartMs) > mostApartMs ? this.since : undefined;
    return this.#said;
  };

  /** What was said of the record that was sealed last. */
  get said(): number | undefined {
    return this.#said;
  }

  /** The one that was sealed last is on record. */
  written(): void {
    this.#written = this.#sealed;
  }

  /** Whole milliseconds since the last record; none before this process has written one. */
  get since(): number {
    const { elapsed } = this.#clock;
    const now = elapsed();
    return Math.max(0, Math.round(now - (this.#written?.elapsed ?? now)));
  }
}
