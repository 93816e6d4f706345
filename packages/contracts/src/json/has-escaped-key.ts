/** Whether a key in a canonical text has an escape: an escape stands in a string, and a string before a colon is a key. */
export function hasEscapedKey(text: string): boolean {
  for (let escape = text.indexOf("\\"); escape !== -1; ) {
    const end = endOfString(text, escape);
    // One without an end is for whoever reads the text to refuse.
    if (end === -1 || text.charAt(end + 1) === ":") return true;
    escape = text.indexOf("\\", end);
  }
  return false;
}

/** Where the string ends in which this stands. */
function endOfString(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote;
}

/** Behind an odd number of backslashes: two of them are one that is escaped itself. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charAt(before - 1) === "\\") before -= 1;
  return (at - before) % 2 === 1;
}
