/** From this code unit on UTF-8 has another order than UTF-16, and half a surrogate pair has no UTF-8 at all. */
const mark = "\uD7FF";
const from = 0xd7ff;
const unordered = /[\uD7FF-\uFFFF]/;
const everyUnordered = /[\uD7FF-\uFFFF]/g;
const everyMarked = /\uD7FF(.)/gs;

/**
 * An identifier as it is kept: whatever two identifiers differ in, so do their texts, and the bytes of the texts are ordered
 * as the identifiers are by code unit. Nearly every identifier is its own text.
 */
export function identifierText(identifier: string): string {
  if (!unordered.test(identifier)) return identifier;
  return identifier.replace(
    everyUnordered,
    (unit) => mark + String.fromCharCode(unit.charCodeAt(0) - from + 1),
  );
}

export function identifierIn(text: string): string {
  if (!text.includes(mark)) return text;
  return text.replace(everyMarked, (_, unit: string) => String.fromCharCode(unit.charCodeAt(0) + from - 1));
}
