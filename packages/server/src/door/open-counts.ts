/** How many of something each caller has open. */
export class OpenCounts {
  readonly #open = new Map<string, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one more, before anything else is waited for; what it gives back counts it off, once. Nothing where it is one too many. */
  enter(place: string): (() => void) | undefined {
    const count = this.#open.get(place) ?? 0;
    if (count >= this.#most) return undefined;
    this.#open.set(place, count + 1);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const left = (this.#open.get(place) ?? 1) - 1;
      if (left === 0) this.#open.delete(place);
      else this.#open.set(place, left);
    };
  }
}
