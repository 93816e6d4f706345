/** What is said in a conversation, in the order in which it comes, until nobody has anything more to say. */
export class Prompts {
  readonly #waiting: string[] = [];
  #speaking = 0;
  #isClosed = false;
  #fault: unknown;
  #changed = Promise.withResolvers<void>();

  /** Takes all of it; what cannot be read ends the conversation. */
  async take(prompts: AsyncIterable<string> | Iterable<string>): Promise<void> {
    this.#speaking += 1;
    try {
      for await (const said of prompts) {
        if (this.#isClosed) return;
        this.#waiting.push(said);
        this.#nudge();
      }
    } catch (error) {
      this.#fault ??= error;
      throw error;
    } finally {
      this.#speaking -= 1;
      this.#nudge();
    }
  }

  async *all(): AsyncGenerator<string> {
    while (!this.#isClosed) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#fault !== undefined) throw this.#fault;
      else if (this.#speaking === 0) return;
      // oxlint-disable-next-line no-await-in-loop -- until there is something, or nothing more
      else await this.#changed.promise;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#nudge();
  }

  #nudge(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
