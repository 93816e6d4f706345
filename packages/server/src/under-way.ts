import type { Clock } from "@spfunctions/kernel";

/** What has begun and not ended. */
export class UnderWay {
  readonly #calls = new Set<Promise<unknown>>();

  readonly add = async <Answer>(call: Promise<Answer>): Promise<Answer> => {
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  };

  /** Waits until nothing is left, but no longer than this. */
  async drained(ms: number, clock: Clock): Promise<void> {
    const timeout = Promise.withResolvers<void>();
    const cancel = clock.after(ms, timeout.resolve);
    await Promise.race([this.#empty(), timeout.promise]);
    cancel();
  }

  async #empty(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- what ends may have begun something
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls);
  }
}
