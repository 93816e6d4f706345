/** Stands between the parts of a term. It is in no word, and the tokenizer does not split at what is not ASCII. */
const mark = "·";
const afterMark = "¸";

/**
 * What FTS5 indexes: a word with the account that it belongs to, and how often it stands in the entry. So a word is looked up
 * in one account alone, and FTS5 need not keep positions for somebody to count.
 */
export function termOf(account: number, word: string, count: number): string {
  return `${account}${mark}${word}${mark}${count}`;
}

/** Between which two terms, the second excluded, all terms of a word lie. */
export function termsOf(account: number, word: string): [from: string, to: string] {
  return [`${account}${mark}${word}${mark}`, `${account}${mark}${word}${afterMark}`];
}

export function countIn(term: string): number {
  return Number(term.slice(term.lastIndexOf(mark) + 1));
}

const lengths = 2 ** 20;

/**
 * An entry's number says how many words it has, so that scoring reads nothing but numbers. A text that is longer than the
 * number can say counts as the longest.
 */
export function numberAfter(last: number, length: number): number {
  return (Math.floor(last / lengths) + 1) * lengths + Math.min(length, lengths - 1);
}

/** Where an entry stands among all that were put since the last rebuild. */
export function placeIn(number: number): number {
  return Math.floor(number / lengths);
}

export function lengthIn(number: number): number {
  return number - placeIn(number) * lengths;
}

/** Account and id as bytes, because SQLite's text would not give half a surrogate pair back; in the order of code units. */
export function keyOf(text: string): Uint8Array {
  return Buffer.from(text, "utf16le").swap16();
}

export function textOf(key: Uint8Array): string {
  return Buffer.from(key).swap16().toString("utf16le");
}
