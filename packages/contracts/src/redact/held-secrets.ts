// S1: secrets that this process holds are found exactly, wherever they turn up: as they are, percent-encoded, escaped in JSON or HTML,
// in base64 or in hex, and as numbers.
import { anyEncoded, encodedPattern } from "./encoded-pattern.ts";
import { encodedParts, type Part } from "./encoded-parts.ts";
import { unfinishedIn } from "./encodings.ts";
import { hideSpans } from "./hide-spans.ts";
import { LiteralSearch, wholeWordBelow } from "./literal-search.ts";
import { readingsOf } from "./readings.ts";
import type { Span } from "./span.ts";

/** A longer secret is not looked for in base64 and hex. */
const longestEncoded = 16 * 1024;

const none: readonly Span[] = [];

/** The secrets of a process, and what finds any of them. */
export class SecretRegistry {
  readonly #secrets = new Map<string, string>();
  /** Those that are how a number is written. */
  readonly #numbers = new Set<number>();
  /** Every form of every secret. */
  #kinds = new Map<string, string>();
  /** Both are made when they are first asked for, and anew only when what is held has changed. */
  #search: LiteralSearch | null = null;
  #encoded: RegExp | null = null;
  #revision = 0;
  /** Characters of a form: a shorter text holds none, and a longer one is not waited for. */
  #shortest = Number.POSITIVE_INFINITY;
  #longest = 0;

  /** Holds a secret under a kind shown in its placeholder. An empty one is nothing to hide. */
  add(secret: string, kind = "held"): void {
    if (secret === "" || this.#secrets.has(secret)) return;
    this.#secrets.set(secret, kind);
    this.#revision++;
    this.#addForms(secret, kind);
  }

  remove(secret: string): void {
    if (!this.#secrets.delete(secret)) return;
    this.#revision++;
    // Anew, because two secrets can have a form in common.
    this.#kinds = new Map();
    this.#numbers.clear();
    this.#search = null;
    this.#encoded = null;
    this.#shortest = Number.POSITIVE_INFINITY;
    this.#longest = 0;
    for (const [held, kind] of this.#secrets) this.#addForms(held, kind);
  }

  #addForms(secret: string, kind: string): void {
    const number = Number(secret);
    if (String(number) === secret) this.#numbers.add(number);
    for (const form of [secret, ...encodedForms(secret)]) {
      if (!this.#kinds.has(form)) this.#kinds.set(form, kind);
      this.#shortest = Math.min(this.#shortest, form.length);
      this.#longest = Math.max(this.#longest, form.length);
    }
    this.#search = null;
    this.#encoded = null;
  }

  /** Counts up with every change of what is held: what was looked through before it is looked through again. */
  get revision(): number {
    return this.#revision;
  }

  has(secret: string): boolean {
    return this.#secrets.has(secret);
  }

  /** Whether a number is written as a secret is: numbers are many, and are not written to be asked for. */
  hasNumber(value: number | bigint): boolean {
    return typeof value === "number" ? this.#numbers.has(value) : this.#secrets.has(String(value));
  }

  get size(): number {
    return this.#kinds.size;
  }

  /** Finds every form as it is; null when nothing is held. */
  search(): LiteralSearch | null {
    if (this.#kinds.size === 0) return null;
    this.#search ??= new LiteralSearch(this.#kinds.keys());
    return this.#search;
  }

  /** Every place where a secret stands, however the text is read. */
  find(text: string): readonly Span[] {
    const search = text.length < this.#shortest ? null : this.search();
    if (search === null) return none;
    let spans: Span[] | undefined;
    for (const reading of readingsOf(text, this.#encodedParts(text))) {
      for (const { start, literal } of search.find(reading.text)) {
        // Two words of two lines are no word.
        if (reading.isJoined && literal.length < wholeWordBelow) continue;
        const end = reading.endOf(start + literal.length);
        (spans ??= []).push({ start: reading.startOf(start), end, kind: this.#kinds.get(literal) ?? "held" });
      }
    }
    return spans ?? none;
  }

  /** Where in a text a secret may begin that ends only in what is still to come. */
  openFrom(text: string): number {
    if (this.#kinds.size === 0) return text.length;
    const open = this.#longest + unfinishedIn(text);
    const parts = this.#encodedParts(text).length === 0 ? [] : [{ from: 0, to: text.length }];
    const starts = readingsOf(text, parts).map((reading) =>
      reading.startOf(Math.max(0, reading.text.length - open)),
    );
    return Math.min(...starts);
  }

  /** The text with a placeholder for every secret that takes at least so many characters in it. */
  hide(text: string, shortest: number): string {
    const spans = this.find(text).filter(({ start, end }) => end - start >= shortest);
    return spans.length === 0 ? text : hideSpans(text, spans, undefined);
  }

  /** What must be decoded: no secret that is encoded lies outside. */
  #encodedParts(text: string): readonly Part[] {
    const hasShort = this.#shortest < wholeWordBelow;
    this.#encoded ??= hasShort ? anyEncoded : encodedPattern(this.#secrets.keys());
    // What stands beside a short one matters too.
    return encodedParts(text, this.#encoded, hasShort ? text.length : this.#longest * perCharacter + aside);
  }
}

/** The room that a character of a secret takes at most where nothing is encoded: lines may be broken, and indented. */
const perCharacter = 4;
/** And what belongs to the first and the last of them. */
const aside = 128;

/** The registry of this process. Whatever redacts without naming another one looks here. */
export const heldSecrets = new SecretRegistry();

/** How a secret looks in hex, or anywhere in base64 (the three ways its bytes can fall). A short one would be found in any text. */
function encodedForms(secret: string): Set<string> {
  const forms = new Set<string>();
  if (secret.length < wholeWordBelow || secret.length > longestEncoded) return forms;
  const bytes = byteText(secret);
  for (const shift of [0, 1, 2]) {
    for (const form of base64Forms(bytes, shift)) forms.add(form);
  }
  const hex = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  return forms.add(hex);
}

/** As many bytes as one call takes as its arguments. */
const bytesAtOnce = 4096;

/** A text's bytes, a character for each. */
function byteText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length === text.length) return text;
  let result = "";
  for (let from = 0; from < bytes.length; from += bytesAtOnce)
    result += String.fromCodePoint(...bytes.subarray(from, from + bytesAtOnce));
  return result;
}

/** The characters of the base64 text that depend on the secret alone, when `shift` bytes precede it. */
function base64Forms(secret: string, shift: number): string[] {
  const bytes = "\0".repeat(shift) + secret;
  const start = [0, 2, 3][shift] ?? 0;
  const end = Math.floor((bytes.length * 8) / 6);
  const inner = btoa(bytes).slice(start, end);
  return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
}
