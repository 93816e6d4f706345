// Whoever listens is woken when something was written. Listening begins before reading: what is written while somebody reads
// ends the wait that follows at once.
import type { Clock } from "@spfunctions/kernel";

/** What ended a wait: something was written, it has lasted long enough, or nobody wants it any more. */
export type Waited = "woken" | "time" | "aborted";

/** Tells the listeners of an account that its journal has grown. Of accounts that nobody listens to nothing is kept. */
export class Wakes {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** How many accounts somebody listens to. */
  get accounts(): number {
    return this.#listeners.size;
  }

  hasListeners(accountId: string): boolean {
    return this.#listeners.has(accountId);
  }

  wake(accountId: string): void {
    for (const listener of this.#listeners.get(accountId) ?? []) listener.wake();
  }

  /** Wakes count from here on; whoever listens closes it. */
  listen(accountId: string): Listener {
    const beside = this.#listeners.get(accountId) ?? new Set();
    this.#listeners.set(accountId, beside);
    const listener = new Listener(() => {
      beside.delete(listener);
      // Closed twice, it takes away nothing of those who came since.
      if (beside.size === 0 && this.#listeners.get(accountId) === beside) this.#listeners.delete(accountId);
    });
    beside.add(listener);
    return listener;
  }
}

/** One who reads, and waits, in turns. */
export class Listener {
  readonly #close: () => void;
  /** Wakes so far, and as many as had come when it last went on. */
  #count = 0;
  #seen = 0;
  #end: ((how: Waited) => void) | undefined;

  constructor(close: () => void) {
    this.#close = close;
  }

  wake(): void {
    this.#count += 1;
    this.#end?.("woken");
  }

  /** Waits for a wake since the last wait. */
  async wait(clock: Clock, ms: number, signal: AbortSignal): Promise<Waited> {
    const how = await this.#next(clock, ms, signal);
    this.#seen = this.#count;
    return how;
  }

  close(): void {
    this.#close();
  }

  async #next(clock: Clock, ms: number, signal: AbortSignal): Promise<Waited> {
    if (signal.aborted) return "aborted";
    if (this.#count !== this.#seen) return "woken";
    const { promise, resolve } = Promise.withResolvers<Waited>();
    const abort = () => resolve("aborted");
    const callOff = clock.after(ms, () => resolve("time"));
    signal.addEventListener("abort", abort);
    this.#end = resolve;
    try {
      return await promise;
    } finally {
      this.#end = undefined;
      callOff();
      signal.removeEventListener("abort", abort);
    }
  }
}
