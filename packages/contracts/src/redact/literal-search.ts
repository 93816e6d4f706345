// Many literals in one text, in time that grows with the text and not with what is looked for: a text and literals that were
// made for each other cost no more than any others.
//
// Literals are told by hashes of their prefixes. Where the longest one that begins at a place is searched, the lengths are
// halved: a prefix that some longer literal has is marked in the table together with the longest literal that it begins with.

import { isAlphanumeric } from "./finder.ts";

/** A literal that was found, and where. */
export type Found = { readonly start: number; readonly literal: string };

/** Below this length a literal is only found as a whole word: it would otherwise eat ordinary text. */
export const wholeWordBelow = 8;

/** Others in every process: nobody can choose literals whose hashes meet, and so make a look take long. */
const [firstBase = 5, secondBase = 5] = crypto
  .getRandomValues(new Int32Array(2))
  // As a factor such a number comes back to 1 last of all.
  .map((drawn) => (drawn & ~7) | 5);
/** Longer texts get room of their own, which is not kept. */
const keptRoom = 1 << 16;
const none = -1;
const nothing: readonly Found[] = [];

export class LiteralSearch {
  /** The shortest first. */
  readonly #literals: readonly string[];
  /** Every length that a literal has, and by what a hash grows over it. */
  readonly #lengths: Int32Array;
  readonly #firstPowers: Int32Array;
  readonly #secondPowers: Int32Array;
  /** For a short literal, the longest other one that it begins with. */
  readonly #shorter: Int32Array;
  /** Whether any literal may begin with what has such a hash: at most places none does. */
  readonly #filter: Uint8Array;
  readonly #filterShift: number;
  readonly #filterLength: number;
  /** A power of two: what was multiplied by it as often as the filter has characters is 0, and so forgotten. */
  readonly #filterBase: number;
  readonly #table: PrefixTable;
  #room = new Prefixes(1024);
  #looks = 0;

  constructor(literals: Iterable<string>) {
    this.#literals = [...literals].toSorted((a, b) => a.length - b.length);
    this.#lengths = Int32Array.from(new Set(this.#literals.map(({ length }) => length)));
    this.#firstPowers = this.#lengths.map((length) => power(firstBase, length));
    this.#secondPowers = this.#lengths.map((length) => power(secondBase, length));
    this.#shorter = new Int32Array(this.#literals.length).fill(none);
    const bits = Math.min(16, 8 + Math.ceil(Math.log2(this.#literals.length + 1)));
    this.#filter = new Uint8Array(1 << bits);
    this.#filterShift = 32 - bits;
    this.#filterLength = Math.min(this.#lengths[0] ?? 1, wholeWordBelow);
    this.#filterBase = 2 ** Math.ceil(32 / this.#filterLength);
    this.#table = new PrefixTable(
      this.#literals.length * (Math.ceil(Math.log2(this.#lengths.length + 1)) + 1),
    );
    for (const index of this.#literals.keys()) this.#insert(index);
  }

  /** How often the table was looked into so far: all that a search costs beyond one look at each character. */
  get looks(): number {
    return this.#looks;
  }

  /** In order; of those that begin at one place the longest, and none that lies within another. */
  find(text: string): readonly Found[] {
    let found: Found[] | undefined;
    const last = text.length - (this.#lengths[0] ?? Number.POSITIVE_INFINITY);
    if (last < 0) return nothing;
    const filter = this.#filter;
    const shift = this.#filterShift;
    const base = this.#filterBase;
    const before = this.#filterLength - 1;
    /** Read where something may begin for the first time: in most texts nowhere. */
    let prefixes: Prefixes | undefined;
    let covered = 0;
    let hash = 0;
    for (let end = 0; end <= last + before; end++) {
      hash = nextHash(hash, base, text, end);
      if (end < before || filter[slotOf(hash, shift)] === 0) continue;
      const start = end - before;
      prefixes ??= this.#read(text);
      const index = this.#fitting(text, start, this.#longestAt(prefixes, start, text.length - start));
      const literal = this.#literals[index];
      if (literal === undefined || start + literal.length <= covered) continue;
      covered = start + literal.length;
      (found ??= []).push({ start, literal });
    }
    return found ?? nothing;
  }

  #insert(index: number): void {
    const literal = this.#literals[index] as string;
    const prefixes = this.#read(literal);
    let hash = 0;
    for (let end = 0; end < this.#filterLength; end++) hash = nextHash(hash, this.#filterBase, literal, end);
    this.#filter[slotOf(hash, this.#filterShift)] = 1;
    if (literal.length < wholeWordBelow)
      this.#shorter[index] = this.#longestAt(prefixes, 0, literal.length - 1);
    for (let low = 0, high = this.#lengths.length - 1; low <= high; ) {
      const middle = (low + high) >> 1;
      const length = this.#lengths[middle] as number;
      if (length > literal.length) high = middle - 1;
      else {
        const best = length === literal.length ? index : this.#longestAt(prefixes, 0, length);
        this.#table.set(prefixes.first[length] as number, prefixes.second[length] as number, middle, best);
        if (length === literal.length) return;
        low = middle + 1;
      }
    }
  }

  /** The longest literal, of at most this length, that begins here. */
  #longestAt({ first, second }: Prefixes, start: number, most: number): number {
    let best = none;
    for (let low = 0, high = this.#lengths.length - 1; low <= high; ) {
      const middle = (low + high) >> 1;
      const length = this.#lengths[middle] as number;
      const entry = length > most ? none : this.#look(first, second, start, middle);
      if (entry === none) high = middle - 1;
      else {
        best = Math.max(best, this.#table.best(entry));
        low = middle + 1;
      }
    }
    return best;
  }

  #look(first: Int32Array, second: Int32Array, start: number, at: number): number {
    this.#looks++;
    const length = this.#lengths[at] as number;
    return this.#table.entry(
      slice(first, start, length, this.#firstPowers[at] as number),
      slice(second, start, length, this.#secondPowers[at] as number),
      at,
    );
  }

  /** The literal that was found, or the longest one it begins with that may stand here. */
  #fitting(text: string, start: number, longest: number): number {
    let index = longest;
    while (index !== none) {
      const { length } = this.#literals[index] as string;
      if (length >= wholeWordBelow || isWholeWord(text, start, start + length)) return index;
      index = this.#shorter[index] as number;
    }
    return none;
  }

  #read(text: string): Prefixes {
    if (text.length > keptRoom) return new Prefixes(text.length).read(text);
    if (text.length > this.#room.length) this.#room = new Prefixes(Math.min(keptRoom, text.length * 2));
    return this.#room.read(text);
  }
}

/** Two hashes of every prefix of a text, from which those of any part of it follow. */
class Prefixes {
  readonly length: number;
  readonly first: Int32Array;
  readonly second: Int32Array;

  constructor(length: number) {
    this.length = length;
    this.first = new Int32Array(length + 1);
    this.second = new Int32Array(length + 1);
  }

  read(text: string): this {
    const { first, second } = this;
    let one = 0;
    let two = 0;
    for (let index = 0; index < text.length; ) {
      const code = text.charCodeAt(index++) + 1;
      one = (Math.imul(one, firstBase) + code) | 0;
      two = (Math.imul(two, secondBase) + code) | 0;
      first[index] = one;
      second[index] = two;
    }
    return this;
  }
}

/** Prefixes by their two hashes and their length, each with the longest literal that it begins with. */
class PrefixTable {
  readonly #mask: number;
  readonly #first: Int32Array;
  readonly #second: Int32Array;
  /** Counted from 1: an empty place has 0. */
  readonly #lengths: Int32Array;
  readonly #best: Int32Array;

  /** `most`: how many entries may come. */
  constructor(most: number) {
    const size = 1 << Math.ceil(Math.log2(2 * most + 2));
    this.#mask = size - 1;
    this.#first = new Int32Array(size);
    this.#second = new Int32Array(size);
    this.#lengths = new Int32Array(size);
    this.#best = new Int32Array(size);
  }

  set(first: number, second: number, length: number, best: number): void {
    const place = this.#place(first, second, length);
    if (this.#lengths[place] !== 0) return;
    this.#first[place] = first;
    this.#second[place] = second;
    this.#lengths[place] = length + 1;
    this.#best[place] = best;
  }

  entry(first: number, second: number, length: number): number {
    const place = this.#place(first, second, length);
    return this.#lengths[place] === 0 ? none : place;
  }

  best(entry: number): number {
    return this.#best[entry] as number;
  }

  /** Where such a prefix is, or would be. */
  #place(first: number, second: number, length: number): number {
    let place = (mixed(first ^ Math.imul(second, 0x27d4eb2f)) + length) & this.#mask;
    while (
      this.#lengths[place] !== 0 &&
      (this.#first[place] !== first || this.#second[place] !== second || this.#lengths[place] !== length + 1)
    )
      place = (place + 1) & this.#mask;
    return place;
  }
}

/** The hash of a part, by the hashes of the prefixes before and behind it. */
function slice(prefixes: Int32Array, start: number, length: number, grown: number): number {
  return ((prefixes[start + length] as number) - Math.imul(prefixes[start] as number, grown)) | 0;
}

function nextHash(hash: number, base: number, text: string, at: number): number {
  return (Math.imul(hash, base) + text.charCodeAt(at)) | 0;
}

function slotOf(hash: number, shift: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> shift;
}

function power(base: number, exponent: number): number {
  let result = 1;
  for (let rest = exponent, square = base; rest > 0; rest >>= 1, square = Math.imul(square, square))
    if ((rest & 1) === 1) result = Math.imul(result, square);
  return result;
}

function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (half ^ (half >>> 13)) >>> 0;
}

function isWholeWord(text: string, start: number, end: number): boolean {
  return !isAlphanumeric(text.charCodeAt(start - 1)) && !isAlphanumeric(text.charCodeAt(end));
}
