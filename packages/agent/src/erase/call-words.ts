// Whether a text has the words of a call, or a sizable part of them: whatever stands between the words, however they are written in JSON, and
// in small letters or large.
import { cutPlaceholders, type JsonValue } from "@spfunctions/contracts";

/** So many words in a row are a part of a longer text that is known again. */
const partWords = 5;
const minPartChars = 20;
/** In scripts that put no space between words each character is one, and so many in a row are a part. */
const partCharacters = 10;
const minPhraseCharacters = 8;
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
    if (this.#parts.size > 0) for (const part of partsOf(words)) if (this.#parts.has(part)) return true;
    const all = ` ${words.join(" ")} `;
    for (const phrase of this.#phrases) if (all.includes(` ${phrase} `)) return true;
    for (const mark of this.#marks) if (all.includes(mark)) return true;
    return false;
  }

  #learn(given: string): void {
    const text = unescaped(cutPlaceholders(given));
    const words = wordsOf(text);
    const whole = words.join(" ");
    for (const part of partsOf(words)) this.#parts.add(part);
    if (words.length === 1 && isTelling(whole, minNumberedChars)) this.#marks.add(whole);
    else if (words.length > 1 && isPhrase(words, whole)) this.#phrases.add(whole);
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

function* partsOf(words: readonly string[]): Generator<string> {
  for (let at = 0; at + partWords <= words.length; at++) {
    const part = words.slice(at, at + partWords).join(" ");
    if (part.length >= minPartChars) yield part;
    const longer = words.slice(at, at + partCharacters);
    if (longer.length === partCharacters && longer.every(isCharacter)) yield longer.join(" ");
  }
}

function isPhrase(words: readonly string[], whole: string): boolean {
  return words.every(isCharacter) ? words.length >= minPhraseCharacters : whole.length >= minPhraseChars;
}

/** Returns true if the word is one character of a script that puts no space between words. */
function isCharacter(word: string): boolean {
  return character.test(word);
}

function isTelling(word: string, minChars: number): boolean {
  return word.length >= (/\d/.test(word) ? minChars : minLettersChars);
}

const unspaced = String.raw`[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&\p{L}]\p{M}*`;
const character = new RegExp(`^${unspaced}$`, "v");
const everyWord = new RegExp(String.raw`${unspaced}|(?:(?!${unspaced})[\p{L}\p{M}\p{N}])+`, "gv");

/** Without what is not seen: a soft hyphen, a space without width. */
function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/\p{Cf}/gu, "")
      .match(everyWord) ?? []
  );
}

/** As it stands in JSON, also in JSON that is itself quoted, and in links. */
function unescaped(text: string): string {
  return text
    .replaceAll(/(?:%[0-9a-fA-F]{2})+/g, decoded)
    .replaceAll(/\\+u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\+[nrtbf"\\/]/g, " ");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A name of a member that no program would choose is a text, too: the address of somebody in a list by address. */
function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "number") yield String(value);
  else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value)) {
      if (!Array.isArray(value) && !/^[\w$-]*$/.test(name)) yield name;
      yield* textsIn(member);
    }
}
