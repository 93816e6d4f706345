// A value as it stands in a text: in quotes, bare, or as a list of bytes or words.
import { skip } from "./finder.ts";
import { judged } from "./secret-value.ts";

const openQuote = /\\{0,3}(?:(?:"""|''')\s{0,8}|["'`])|&(?:quot|apos|#34|#39);/y;
/** A key written as its bytes; a key written as words, which needs a name that says so. */
const byteList = /(?:[0-9]{1,3}[ \t]{0,2},\s{0,2}){15,1024}[0-9]{1,3}/y;
const wordList = /(?:[a-z]{3,9} ){11,23}[a-z]{3,9}/y;

export const phraseName = /phrase|mnemonic|seed/i;

/** The most that is read of one quoted value. */
export const maxQuoted = 4096;

/** The value that begins here. Of one without quotes only as much as is judged; {@link endOfBare} says where it ends. */
export function readValue(
  text: string,
  from: number,
  name: string,
): { start: number; end: number; quoted: boolean } | null {
  const start = skip(openQuote, text, from);
  if (start > from) {
    const end = endOfQuoted(text, start, text.slice(from, start));
    if (end > start) return { start, end, quoted: true };
    if (end === start) return null;
  }
  const listed = skip(phraseName.test(name) ? wordList : byteList, text, start);
  if (listed > start) return { start, end: listed, quoted: true };
  let end = skip(bareStart, text, start);
  while (end > start && /[.:!?]/.test(text.charAt(end - 1))) end--;
  // After an open quote even nothing is worth waiting for.
  return end === start && start === from ? null : { start, end, quoted: false };
}

/** Where a value in quotes ends, on its line; -1 if the text was cut off before. */
function endOfQuoted(text: string, start: number, quote: string): number {
  const read = text.slice(start, start + maxQuoted);
  const close = read.indexOf(quote);
  const line = read.indexOf("\n");
  return close === -1 || (line !== -1 && line < close) ? -1 : start + close;
}

/** An ampersand is part of a password unless another parameter, an entity or a command follows it. */
const bare = String.raw`(?:[^\s"'\`<>,;&|(){}[\]\\]|\|(?=\S)|&(?![\w.%-]{0,40}[=;]|[&\s#]|$)|\\(?!["'\`nrt]))`;
const bareStart = new RegExp(`${bare}{1,${judged}}`, "y");
const bareRest = new RegExp(`${bare}{1,8192}`, "y");

/** Where a value without quotes ends, of which `end` was judged. A full stop behind it is not its own. */
export function endOfBare(text: string, end: number): number {
  let stop = end;
  for (let next = skip(bareRest, text, stop); next > stop; next = skip(bareRest, text, stop)) stop = next;
  while (stop > end && /[.:!?]/.test(text.charAt(stop - 1))) stop--;
  return stop;
}
