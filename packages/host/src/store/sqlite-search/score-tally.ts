import { lengthIn, placeIn } from "./search-keys.ts";

/** An entry's number and its score. */
export type Scored = { readonly number: number; readonly score: number };

/** What can be among the best: some that surely are, and equals of which the first by their ids take the places left. */
export type Best = { readonly above: readonly Scored[]; readonly equals: readonly Scored[] };

/**
 * Adds scores up by entry. What a query costs is what is done here for each entry, so that there are nothing but numbers in
 * lists of numbers.
 */
export class ScoreTally {
  readonly #scores: Float64Array;
  readonly #numbers: Float64Array;
  #count = 0;

  /** `places`: one more than the last that was given out. `most`: how many entries there can be. */
  constructor(places: number, most: number) {
    this.#scores = new Float64Array(places);
    this.#numbers = new Float64Array(Math.min(places, most));
  }

  /** Scores the entries whose numbers stand in a text, with commas between them. Every score is above zero. */
  addAll(numbers: string, score: (length: number) => number): void {
    let number = 0;
    for (let at = 0; at < numbers.length; at++) {
      const code = numbers.charCodeAt(at);
      if (code !== comma) {
        number = number * 10 + (code - zero);
        continue;
      }
      this.#add(number, score(lengthIn(number)));
      number = 0;
    }
    if (numbers !== "") this.#add(number, score(lengthIn(number)));
  }

  best(limit: number): Best {
    const best: { above: Scored[]; equals: Scored[] } = { above: [], equals: [] };
    if (!(limit >= 1)) return best;
    const last = this.#nthBest(Math.floor(limit));
    for (let index = 0; index < this.#count; index++) {
      const number = this.#numbers[index] ?? 0;
      const score = this.#scores[placeIn(number)] ?? 0;
      if (score > last) best.above.push({ number, score });
      else if (score === last) best.equals.push({ number, score });
    }
    return best;
  }

  #add(number: number, score: number): void {
    const place = placeIn(number);
    const before = this.#scores[place] ?? 0;
    if (before === 0) this.#numbers[this.#count++] = number;
    this.#scores[place] = before + score;
  }

  /** The score that the last of the best has; zero where all are among them. */
  #nthBest(limit: number): number {
    if (this.#count <= limit) return 0;
    // A heap of the best so far, the worst of them first: almost every other is turned away by one look.
    const heap = new Float64Array(limit);
    for (let index = 0; index < this.#count; index++) {
      const score = this.#scores[placeIn(this.#numbers[index] ?? 0)] ?? 0;
      if (score > (heap[0] ?? 0)) replaceFirst(heap, score);
    }
    return heap[0] ?? 0;
  }
}

const [zero, comma] = [48, 44];

/** Puts a score in the place of the worst, and the worst that is left then to the front. */
function replaceFirst(heap: Float64Array, score: number): void {
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
    const below = heap[child];
    if (below === undefined || below >= score) break;
    heap[place] = below;
    place = child;
  }
  heap[place] = score;
}
