import { looksRandom } from "./looks-random.ts";
import type { Span } from "./span.ts";

/** What the finders have to say about a text. */
export class Findings {
  readonly spans: Span[] = [];
  /** For each of them, where in the text something was asked that found it. */
  readonly askedAt: number[] = [];
  /** Where something is asked now. */
  at = 0;
  /** Where the bytes of the last data URL begin. */
  bytesAt = -1;
  /** Whether that is in a long run of base64, and of which. */
  base64 = 0;
  /** Where the last find ended, also one of before. */
  lastEnd: number;
  /** From here on, text that is still to come could change what is found. */
  openFrom = Number.POSITIVE_INFINITY;
  readonly #textLength: number;

  constructor(textLength: number, lastEnd: number) {
    this.#textLength = textLength;
    this.lastEnd = lastEnd;
  }

  add(start: number, end: number, kind: string): void {
    this.push({ start, end, kind });
  }

  push(span: Span): void {
    this.spans.push(span);
    this.askedAt.push(this.at);
    this.lastEnd = span.end;
  }

  /** What stands at `start` is decided only by the text up to `end`. */
  needs(start: number, end: number): void {
    if (end > this.#textLength) this.openFrom = Math.min(this.openFrom, start);
  }
}

/**
 * Knows one way in which a secret shows. `words` are what it can begin with (at least two characters, any case); it is
 * asked wherever one may stand. It adds what it finds and answers where to look on; looking must be bounded, or it
 * must look on behind all that it has read.
 */
export type Finder = {
  readonly words: readonly string[];
  readonly find: (text: string, at: number, found: Findings) => number;
};

/** Where a sticky pattern's match from here ends; `from` if there is none. */
export function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

/** A sticky pattern's match from here, or null. */
export function matchAt(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

const nextPart = /[.+/:~=#|%@!$^&*_-]{1,3}[A-Za-z0-9][A-Za-z0-9+/=_%#-]{7,62}/y;
const restOfPart = /[A-Za-z0-9+/=_%#-]{1,8192}/y;

/** Where a secret really ends: a part that looks machine-made and hangs on it belongs to it. */
export function endOfParts(text: string, end: number): number {
  for (let from = end; ; ) {
    const next = skip(nextPart, text, from);
    if (next === from || !looksRandom(text.slice(from, next), 9)) return from;
    from = skip(restOfPart, text, next);
  }
}

const alphanumeric = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCodePoint(code)) ? 1 : 0,
);

export function isAlphanumeric(code: number): boolean {
  return code < 128 && alphanumeric[code] === 1;
}
