import type { MemoryId } from "@spfunctions/contracts";

export type Near = { readonly id: MemoryId; readonly score: number };

/** Vectors of length 1 and of one dimension side by side, up to a number of them. */
export class VectorShelf {
  readonly dimension: number;
  readonly #most: number;
  readonly #ids: MemoryId[] = [];
  readonly #places = new Map<MemoryId, number>();
  #numbers: Float32Array;

  constructor(dimension: number, most: number) {
    this.dimension = dimension;
    this.#most = most;
    this.#numbers = new Float32Array(dimension * Math.min(most, 64));
  }

  get size(): number {
    return this.#ids.length;
  }

  /** False where there is no room for another. */
  put(id: MemoryId, vector: Float32Array): boolean {
    const place = this.#places.get(id) ?? this.#newPlace(id);
    if (place === undefined) return false;
    this.#numbers.set(vector, place * this.dimension);
    return true;
  }

  /** The last takes the place of what is removed. */
  remove(id: MemoryId): void {
    const place = this.#places.get(id);
    const last = this.#ids.at(-1);
    if (place === undefined || last === undefined) return;
    const from = (this.#ids.length - 1) * this.dimension;
    this.#numbers.copyWithin(place * this.dimension, from, from + this.dimension);
    this.#ids[place] = last;
    this.#places.set(last, place);
    this.#ids.pop();
    this.#places.delete(id);
  }

  /** The nearest first, by the cosine, which is above zero; equals in the order of their ids. */
  nearest(query: Float32Array, limit: number): Near[] {
    const scores = Float64Array.from(this.#ids, (_, place) => this.#dot(query, place * this.dimension));
    const last = Math.max(0, scores.toSorted().at(-limit) ?? 0);
    const near = this.#ids.flatMap((id, place) => {
      const score = scores[place] ?? 0;
      return score > 0 && score >= last ? [{ id, score }] : [];
    });
    return near.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
  }

  #dot(query: Float32Array, from: number): number {
    const numbers = this.#numbers;
    let sum = 0;
    for (let place = 0; place < query.length; place++)
      sum += (query[place] ?? 0) * (numbers[from + place] ?? 0);
    return sum;
  }

  #newPlace(id: MemoryId): number | undefined {
    const place = this.#ids.length;
    if (place >= this.#most) return undefined;
    if ((place + 1) * this.dimension > this.#numbers.length) this.#grow();
    this.#ids.push(id);
    this.#places.set(id, place);
    return place;
  }

  #grow(): void {
    const vectors = Math.min(this.#most, 2 * Math.max(1, this.#ids.length));
    const larger = new Float32Array(vectors * this.dimension);
    larger.set(this.#numbers.subarray(0, this.#ids.length * this.dimension));
    this.#numbers = larger;
  }
}
