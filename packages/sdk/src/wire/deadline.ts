import type { Timing } from "./timing.ts";

/** How a call ended before its answer came. */
export type Early = "timeout" | "cancelled";

/** One signal for the two ways in which a call ends early: its time is over, or its caller wants no more of it. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timing: Timing;
  readonly #caller: AbortSignal | undefined;
  readonly #endsAt: number;
  readonly #callOff: () => void;
  readonly #cancel = () => this.#end("cancelled");
  #early: Early | undefined;

  /** Without a time it ends with its caller alone. */
  constructor(timing: Timing, timeoutMs: number | undefined, caller: AbortSignal | undefined) {
    this.#timing = timing;
    this.#caller = caller;
    this.#endsAt = timing.elapsed() + (timeoutMs ?? Number.POSITIVE_INFINITY);
    this.#callOff = timeoutMs === undefined ? () => {} : timing.after(timeoutMs, () => this.#end("timeout"));
    caller?.addEventListener("abort", this.#cancel, { once: true });
    if (caller?.aborted === true) this.#end("cancelled");
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why it ended early, if it did. */
  get early(): Early | undefined {
    return this.#early;
  }

  left(): number {
    return this.#endsAt - this.#timing.elapsed();
  }

  /** The promise's own end, or a rejection as soon as the call ends early, also if whoever works on it takes no notice. */
  race<Value>(work: Promise<Value>): Promise<Value> {
    const { signal } = this.#controller;
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason as Error);
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
    });
  }

  async sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const callOff = this.#timing.after(ms, resolve);
    try {
      await this.race(promise);
    } finally {
      callOff();
    }
  }

  /** Nothing of it is left behind: no timer, and no listener at a signal that may live long. */
  close(): void {
    this.#callOff();
    this.#caller?.removeEventListener("abort", this.#cancel);
  }

  #end(early: Early): void {
    this.#early ??= early;
    this.#controller.abort();
  }
}
