/** A bucket is kept as the moment at which it is full again. */
export type Bucket = { key: string; fullAt: number; place: number };

/** Buckets in the order in which they are full again: a binary heap, so that no step looks at all of them. */
export class FullestFirst {
  readonly #heap: Bucket[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** The bucket that is full before all others, or is full already. */
  get first(): Bucket | undefined {
    return this.#heap[0];
  }

  add(key: string, fullAt: number): Bucket {
    const bucket = { key, fullAt, place: this.#heap.length };
    this.#heap.push(bucket);
    this.#rise(bucket);
    return bucket;
  }

  /** Changes when a bucket is full again. */
  move(bucket: Bucket, fullAt: number): void {
    bucket.fullAt = fullAt;
    this.#rise(bucket);
    this.#sink(bucket);
  }

  #rise(bucket: Bucket): void {
    while (bucket.place > 0) {
      const above = this.#heap[(bucket.place - 1) >> 1];
      if (above === undefined || above.fullAt <= bucket.fullAt) return;
      this.#swap(above, bucket);
    }
  }

  #sink(bucket: Bucket): void {
    for (;;) {
      const left = this.#heap[2 * bucket.place + 1];
      const right = this.#heap[2 * bucket.place + 2];
      const below = left !== undefined && right !== undefined && right.fullAt < left.fullAt ? right : left;
      if (below === undefined || below.fullAt >= bucket.fullAt) return;
      this.#swap(bucket, below);
    }
  }

  #swap(above: Bucket, below: Bucket): void {
    [above.place, below.place] = [below.place, above.place];
    this.#heap[above.place] = above;
    this.#heap[below.place] = below;
  }
}
