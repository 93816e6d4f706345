import type { Clock } from "@spfunctions/kernel";

/** Which tool, for which account. */
export type Named = { readonly tool: string; readonly accountId: string };

/** What has begun and not ended. */
export class UnderWay {
  readonly #calls = new Map<Promise<unknown>, Named | undefined>();

  readonly add = async <Answer>(call: Promise<Answer>, named?: Named): Promise<Answer> => {
    this.#calls.set(call, named);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  };

  /** The calls of tools among it. */
  get calls(): readonly Named[] {
    return [...this.#calls.values()].filter((named) => named !== undefined);
  }

  /** Waits until nothing is left, but no longer than this. */
  async drained(ms: number, clock: Clock): Promise<void> {
    const timeout = Promise.withResolvers<void>();
    const cancel = clock.after(ms, timeout.resolve);
    await Promise.race([this.#empty(), timeout.promise]);
    cancel();
  }

  async #empty(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- what ends may have begun something
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls.keys());
  }
}
