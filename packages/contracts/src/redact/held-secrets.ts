// S1: secrets that this process holds are found exactly, wherever they turn up: as they are, percent-encoded, escaped in JSON, or in base64.
import { LiteralSearch, wholeWordBelow } from "./literal-search.ts";

/** Of a longer secret only the secret itself is looked for. */
const longestEncoded = 16 * 1024;

/** Of a longer form no pattern could be made. */
const longestInPattern = 1024;

/** The secrets of a process, and what finds any of them. */
export class SecretRegistry {
  readonly #secrets = new Map<string, string>();
  /** Every form of every secret. */
  #kinds = new Map<string, string>();
  /** Both are made when they are first asked for, and anew only when what is held has changed. */
  #pattern: RegExp | null = null;
  #search: LiteralSearch | null = null;
  #shortest = Number.POSITIVE_INFINITY;
  #longest = 0;

  /** Holds a secret under a kind shown in its placeholder. An empty one is nothing to hide. */
  add(secret: string, kind = "held"): void {
    if (secret === "" || this.#secrets.has(secret)) return;
    this.#secrets.set(secret, kind);
    this.#addForms(secret, kind);
  }

  remove(secret: string): void {
    if (!this.#secrets.delete(secret)) return;
    // Anew, because two secrets can have a form in common.
    this.#kinds = new Map();
    this.#pattern = null;
    this.#search = null;
    this.#shortest = Number.POSITIVE_INFINITY;
    this.#longest = 0;
    for (const [held, kind] of this.#secrets) this.#addForms(held, kind);
  }

  #addForms(secret: string, kind: string): void {
    const encoded = secret.length <= longestEncoded ? encodedForms(secret) : [];
    for (const form of [secret, ...encoded]) {
      if (!this.#kinds.has(form)) this.#kinds.set(form, kind);
      this.#shortest = Math.min(this.#shortest, form.length);
      this.#longest = Math.max(this.#longest, form.length);
    }
    this.#pattern = null;
    this.#search = null;
  }

  has(secret: string): boolean {
    return this.#secrets.has(secret);
  }

  get size(): number {
    return this.#kinds.size;
  }

  /** Characters of the shortest form: a shorter text holds none. */
  get shortest(): number {
    return this.#shortest;
  }

  /** Characters of the longest form: how far back a stream must be able to look. */
  get longest(): number {
    return this.#longest;
  }

  /** Finds every form, also those too long for a pattern; null when nothing is held. */
  search(): LiteralSearch | null {
    if (this.#kinds.size === 0) return null;
    this.#search ??= new LiteralSearch(this.#kinds.keys());
    return this.#search;
  }

  /** A global pattern over every form that is not very long, longest first; null when nothing is held. */
  pattern(): RegExp | null {
    if (this.#kinds.size === 0) return null;
    this.#pattern ??= new RegExp(
      [...this.#kinds.keys()]
        .filter((form) => form.length <= longestInPattern)
        .toSorted((a, b) => b.length - a.length)
        .map(patternOf)
        .join("|") || "(?!)",
      "g",
    );
    return this.#pattern;
  }

  kindOf(form: string): string {
    return this.#kinds.get(form) ?? "held";
  }
}

/** The registry of this process. Whatever redacts without naming another one looks here. */
export const heldSecrets = new SecretRegistry();

function patternOf(form: string): string {
  const literal = form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return form.length < wholeWordBelow ? `(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])` : literal;
}

/** How a secret looks inside a URL, a form, a JSON text, or anywhere in base64 (the three ways its bytes can fall). */
function encodedForms(secret: string): Set<string> {
  const forms = new Set([...percentEncoded(secret), ...escaped(secret)]);
  if (secret.length >= wholeWordBelow) {
    const bytes = byteText(secret);
    for (const shift of [0, 1, 2]) {
      for (const form of base64Forms(bytes, shift)) forms.add(form);
    }
  }
  forms.delete(secret);
  return forms;
}

/** Encoders agree on the digits alone: not on which marks they leave as they are, what a space becomes, or the case of the digits. */
function percentEncoded(secret: string): string[] {
  if (!secret.isWellFormed()) return [];
  const component = encodeURIComponent(secret);
  const strict = component.replaceAll(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const asInForm = new URLSearchParams([["", secret]]).toString().slice(1);
  return [component, strict, asInForm, encodeURI(secret)].flatMap((form) => [
    form,
    form.replaceAll(/%[\dA-F]{2}/g, (digits) => digits.toLowerCase()),
  ]);
}

/** As JSON is written by us, by those who escape slashes, and by those who leave nothing but ASCII. */
function escaped(secret: string): string[] {
  const plain = JSON.stringify(secret).slice(1, -1);
  const ascii = plain.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return [plain, ascii].flatMap((form) => [form, form.replaceAll("/", String.raw`\/`)]);
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
