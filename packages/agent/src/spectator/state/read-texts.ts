import { cutText } from "@spfunctions/contracts";

export type WhyRefused =
  | "blank"
  /** Characters that people do not see, or that would move what they see: an item is one line. */
  | "control_characters"
  | "not_well_formed"
  | "too_long"
  | "no_room"
  | "not_there"
  /** More of this key were refused, and are not listed. */
  | "and_more";

export type RefusedNote<Key extends string = string> = {
  readonly key: Key;
  readonly why: WhyRefused;
  /** Its first characters. */
  readonly text?: string;
  /** Of `and_more`. */
  readonly count?: number;
};

const mostShown = 200;
const mostListed = 16;

/** Control characters, other ends of lines, and what turns the direction of writing around. */
const unseen = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;
const unseenInLines = /[^\P{Cc}\t\n\r]|[\u202A-\u202E\u2066-\u2069]/u;

/** Nothing where the text may stay. */
export function whyRefused(text: string, mostChars: number, { lines = false } = {}): WhyRefused | undefined {
  if (!text.isWellFormed()) return "not_well_formed";
  if (text.length > mostChars) return "too_long";
  if ((lines ? unseenInLines : unseen).test(text)) return "control_characters";
  return !lines && text === "" ? "blank" : undefined;
}

/** Refusals of one key. A flood is counted, and not repeated. */
export class Refusals<Key extends string> {
  readonly #key: Key;
  readonly #listed: RefusedNote<Key>[] = [];
  #more = 0;

  constructor(key: Key) {
    this.#key = key;
  }

  add(why: WhyRefused, text: string): void {
    if (this.#listed.length >= mostListed) this.#more += 1;
    else this.#listed.push({ key: this.#key, why, ...(text !== "" && { text: cutText(text, mostShown) }) });
  }

  all(): RefusedNote<Key>[] {
    if (this.#more === 0) return this.#listed;
    return [...this.#listed, { key: this.#key, why: "and_more", count: this.#more }];
  }
}

/** The texts that may stay, trimmed, each once, in their order. */
export function readTexts(texts: readonly string[], mostChars: number, refusals: Refusals<string>): string[] {
  const read = new Set<string>();
  for (const given of texts) {
    const text = given.trim();
    const why = whyRefused(text, mostChars);
    if (why === undefined) read.add(text);
    else refusals.add(why, text);
  }
  return [...read];
}
