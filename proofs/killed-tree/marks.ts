/** What is done, for whoever waits for it. */
export class Marks {
  readonly #made = new Map<string, PromiseWithResolvers<void>>();
  readonly #set = new Set<string>();

  has(what: string): boolean {
    return this.#set.has(what);
  }

  set(what: string): void {
    this.#set.add(what);
    this.#of(what).resolve();
  }

  async until(what: string, signal: AbortSignal): Promise<void> {
    const stopped = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => stopped.resolve(), { once: true });
    await Promise.race([this.#of(what).promise, stopped.promise]);
    signal.throwIfAborted();
  }

  #of(what: string): PromiseWithResolvers<void> {
    const made = this.#made.get(what) ?? Promise.withResolvers<void>();
    this.#made.set(what, made);
    return made;
  }
}
