// Names, messages and answers come from others. What could move a cursor, change colours or turn the direction of writing is shown
// as an escape, so that a screen never says anything but what is there.
const unseen = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
const shortForms: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** One line of text in which every character can be seen. */
export function visible(text: string): string {
  return text.toWellFormed().replaceAll(unseen, (character) => shortForms[character] ?? escaped(character));
}

/** JSON text of the same value, in which every character can be seen. */
export function visibleJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent) ?? "null";
  return text.replaceAll(unseen, (character) => (character === "\n" ? character : escaped(character)));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
