import type { Hear } from "./store.ts";

/** Whoever listens to a store's wakes in this process. */
export class Listeners {
  readonly #all = new Set<Hear>();

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  add(hear: Hear): () => void {
    // The same function may listen twice.
    const own: Hear = (key) => hear(key);
    this.#all.add(own);
    return () => void this.#all.delete(own);
  }

  /** Later than now: whoever has written goes on first. One that throws harms nobody. */
  tell(keys: readonly (string | undefined)[] = []): void {
    if (keys.length === 0 || this.isEmpty) return;
    const told = [...keys];
    queueMicrotask(() => {
      for (const hear of this.#all) for (const key of told) tellOne(hear, key);
    });
  }
}

function tellOne(hear: Hear, key: string | undefined): void {
  try {
    hear(key);
  } catch {
    // What was written is written, whoever hears of it.
  }
}
