// Waiting is listening to the store and looking again, never a promise that only this process knows of.
import { onAbort } from "../time/abort-signal.ts";
import type { Clock } from "../time/clock.ts";
import type { Store, Watched } from "./store.ts";
import { recheckingOf, watchingOf } from "./watching.ts";

export type WaitTerms = {
  /** When to look in any case, in milliseconds since 1970; then there is something to see. */
  readonly at?: number | undefined;
  /** The same by what has elapsed on the clock: of a span, which no change of the date makes longer or shorter. */
  readonly by?: number | undefined;
  /** How often to look where nobody wakes, in milliseconds. */
  readonly every?: number | undefined;
  /**
   * What the last look has seen of what other processes write: it is watched together with everything else that is watched here, and
   * looked at again once it has moved. Of the key only this process tells then.
   */
  readonly watched?: (() => readonly Watched[]) | undefined;
  /** The same of what the key tells of, for the case that nobody tells. */
  readonly rechecked?: (() => readonly Watched[]) | undefined;
  readonly signals: readonly (AbortSignal | undefined)[];
};

/** Whoever waits in one process for what others write: one listener to the store, however many wait. */
export class Waits {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<() => void>>();
  /** Those who watch: wakes are heard for all of them at once. */
  readonly #watching = new Map<string, Set<() => void>>();
  #stop: (() => void) | undefined;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiting.size + this.#watching.size;
  }

  /**
   * Looks, and looks again whenever the key is woken or the time has come, until there is something to see. Gives up, with
   * nothing, once one of the signals says so.
   */
  async until<Seen>(
    key: string,
    look: () => Promise<Seen | undefined>,
    { signals, watched, rechecked, ...times }: WaitTerms,
  ): Promise<Seen | undefined> {
    for (;;) {
      const nudge = Promise.withResolvers<void>();
      // Before looking: what is written meanwhile is heard.
      const act = () => nudge.resolve();
      const stops = [
        watched === undefined ? this.#on(key, act) : entered(this.#watching, key, act),
        this.#wakeIn(this.#left(times), act),
        ...signals.map((one) => one && onAbort(one, act)),
      ];
      try {
        // oxlint-disable-next-line no-await-in-loop -- once for each nudge
        const seen = await look();
        if (seen !== undefined) return seen;
        if (signals.some((signal) => signal?.aborted === true)) return undefined;
        if (watched !== undefined) stops.push(watchingOf(this.#store, this.#clock).watch(watched(), act));
        // What lies in memory nobody else writes.
        if (rechecked !== undefined && this.#store.lasts())
          stops.push(recheckingOf(this.#store, this.#clock).watch(rechecked(), act));
        // oxlint-disable-next-line no-await-in-loop -- see above
        await nudge.promise;
      } finally {
        for (const stop of stops) stop?.();
      }
    }
  }

  /** A while, or until one of the signals says so. */
  async pause(ms: number, signals: WaitTerms["signals"]): Promise<void> {
    const by = this.#clock.elapsed() + ms;
    await this.until("pause", async () => (this.#clock.elapsed() >= by ? true : undefined), { by, signals });
  }

  /** Whoever waits for this looks again: something was done in this process that no commit tells of. */
  nudge(key: string): void {
    this.#hear(key);
    for (const act of this.#watching.get(key) ?? []) act();
  }

  /** Milliseconds until the first of these. */
  #left({ at, by, every = Number.POSITIVE_INFINITY }: Omit<WaitTerms, "signals">): number {
    const { now, elapsed } = this.#clock;
    const untilAt = at === undefined ? every : at - now();
    const untilBy = by === undefined ? every : by - elapsed();
    return Math.min(untilAt, untilBy, every);
  }

  /** A time that is further away than a timer can count is come nearer to step by step. */
  #wakeIn(left: number, act: () => void): () => void {
    if (!Number.isFinite(left)) return () => {};
    // Whoever still sees nothing when the time is over is not asked every millisecond.
    return this.#clock.after(left <= 0 ? lateMs : Math.min(Math.max(left, 1), longestTimerMs), act);
  }

  #on(key: string, act: () => void): () => void {
    const leave = entered(this.#waiting, key, act);
    this.#stop ??= this.#store.listen((woken) => this.#hear(woken));
    return () => {
      leave();
      if (this.#waiting.size > 0) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  }

  #hear(woken: string | undefined): void {
    const heard = woken === undefined ? [...this.#waiting.values()] : [this.#waiting.get(woken)];
    for (const acts of heard) for (const act of acts ?? []) act();
  }
}

function entered(all: Map<string, Set<() => void>>, key: string, act: () => void): () => void {
  const waiting = all.get(key) ?? new Set();
  all.set(key, waiting.add(act));
  return () => {
    waiting.delete(act);
    if (waiting.size === 0 && all.get(key) === waiting) all.delete(key);
  };
}

const longestTimerMs = 2 ** 31 - 1;
const lateMs = 1000;
