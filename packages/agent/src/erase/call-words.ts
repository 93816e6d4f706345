// Whether a text has the words of a call, or a sizable part of them: whatever stands between the words, however they are written in JSON, and
// in small letters or large.
import { cutPlaceholders, type JsonValue } from "@spfunctions/contracts";

/** So many words in a row are a part of a longer text that is known again. */
const partWords = 5;
const minPartChars = 20;
/** What is shorter than this says nothing by itself: "ok", "Sunday", a year. */
const minPhraseChars = 10;
const minNumberedChars = 6;
const minLettersChars = 16;
/** An address or a number within a longer text. */
const minMarkChars = 9;

export class CallWords {
  readonly #parts = new Set<string>();
  /** Words that stand together. */
  readonly #phrases = new Set<string>();
  /** Words that may also be part of another. */
  readonly #marks = new Set<string>();

  constructor(payloads: Iterable<JsonValue>) {
    for (const payload of payloads) for (const text of textsIn(payload)) this.#learn(text);
  }

  get isEmpty(): boolean {
    return this.#parts.size + this.#phrases.size + this.#marks.size === 0;
  }

  isIn(text: string): boolean {
    if (this.isEmpty) return false;
    const plain = unescaped(text);
    return this.#isInWords(wordsOf(text)) || (plain !== text && this.#isInWords(wordsOf(plain)));
  }

  #isInWords(words: readonly string[]): boolean {
    if (this.#parts.size > 0)
      for (let at = 0; at + partWords <= words.length; at++)
        if (this.#parts.has(words.slice(at, at + partWords).join(" "))) return true;
    const all = ` ${words.join(" ")} `;
    for (const phrase of this.#phrases) if (all.includes(` ${phrase} `)) return true;
    for (const mark of this.#marks) if (all.includes(mark)) return true;
    return false;
  }

  #learn(given: string): void {
    const text = unescaped(cutPlaceholders(given));
    const words = wordsOf(text);
    const whole = words.join(" ");
    for (let at = 0; at + partWords <= words.length; at++) {
      const part = words.slice(at, at + partWords).join(" ");
      if (part.length >= minPartChars) this.#parts.add(part);
    }
    if (words.length === 1 && isTelling(whole, minNumberedChars)) this.#marks.add(whole);
    else if (words.length > 1 && whole.length >= minPhraseChars) this.#phrases.add(whole);
    if (words.length > 1)
      for (const chunk of text.split(/[\s"'<>(){}[\],;]+/)) {
        const own = wordsOf(chunk);
        const name = own.join(" ");
        if (!/[\d@]/.test(chunk) || name.length < minMarkChars) continue;
        if (own.length === 1) this.#marks.add(name);
        else this.#phrases.add(name);
      }
  }
}

function isTelling(word: string, minChars: number): boolean {
  return word.length >= (/\d/.test(word) ? minChars : minLettersChars);
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** As it stands in JSON, also in JSON that is itself quoted. */
function unescaped(text: string): string {
  return text
    .replaceAll(/\\+u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\+[nrtbf"\\/]/g, " ");
}

function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "number") yield String(value);
  else if (typeof value === "object" && value !== null)
    for (const member of Object.values(value)) yield* textsIn(member);
}
