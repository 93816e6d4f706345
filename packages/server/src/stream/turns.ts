/** Does something when its turn has come. */
export type InTurn = <Done>(work: () => Promise<Done>) => Promise<Done>;

export const atOnce: InTurn = async (work) => await work();

type Place = { busy: number; readonly waiting: (() => void)[] };

/** In each place a few work at once and the others wait, first come, first served. Of a place where nobody is nothing is kept. */
export class Turns {
  readonly #most: number;
  readonly #places = new Map<string, Place>();

  constructor(most: number) {
    this.#most = most;
  }

  /** How many places somebody is in. */
  get places(): number {
    return this.#places.size;
  }

  in(name: string): InTurn {
    return async (work) => {
      await this.#enter(name);
      try {
        return await work();
      } finally {
        this.#leave(name);
      }
    };
  }

  async #enter(name: string): Promise<void> {
    const place = this.#places.get(name) ?? { busy: 0, waiting: [] };
    this.#places.set(name, place);
    if (place.busy < this.#most) {
      place.busy += 1;
      return;
    }
    await new Promise<void>((resolve) => {
      place.waiting.push(resolve);
    });
  }

  /** Whoever has waited longest goes on in the place of the one who leaves. */
  #leave(name: string): void {
    const place = this.#places.get(name) as Place;
    const next = place.waiting.shift();
    if (next !== undefined) return next();
    place.busy -= 1;
    if (place.busy === 0) this.#places.delete(name);
  }
}
