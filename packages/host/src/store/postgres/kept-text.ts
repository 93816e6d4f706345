// PostgreSQL holds every text but one with U+0000 in it, and half a surrogate pair has no bytes at all.
import { identifierIn, identifierText } from "../identifier-text.ts";

const mark = "\u0001";
const odd = /[\u0000\u0001]/;
const everyOdd = /[\u0000\u0001]/g;
const everyMarked = /\u0001([\u0001\u0002])/g;

/** An identifier as it is kept: different for different ones, and ordered by bytes as they are by code unit. */
export function keptIdentifier(identifier: string): string {
  return withoutZero(identifierText(identifier));
}

export function identifierOf(kept: string): string {
  return identifierIn(withZero(kept));
}

/** A text as it is kept: half a surrogate pair as what was hashed for it, U+FFFD. */
export function keptText(text: string): string {
  return withoutZero(text.toWellFormed());
}

export function textOf(kept: string): string {
  return withZero(kept);
}

/** U+0000 is written as two characters that come before every other two, so the order stays. */
function withoutZero(text: string): string {
  if (!odd.test(text)) return text;
  return text.replace(everyOdd, (unit) => mark + (unit === mark ? "\u0002" : mark));
}

function withZero(text: string): string {
  if (!text.includes(mark)) return text;
  return text.replace(everyMarked, (_, unit: string) => (unit === mark ? "\u0000" : mark));
}
