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

export type ReadValue = { readonly start: number; readonly end: number; readonly quoted: boolean };

/** The value that begins here. Of one without quotes only as much as is judged; {@link endOfBare} says where it ends. */
export function readValue(text: string, from: number, name: string): ReadValue | null {
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
  const line = read.indexOf("\n");
  const escapes = quote.lastIndexOf("\\") + 1;
  const mark = quote.slice(escapes);
  let close = read.indexOf(mark);
  while (close !== -1 && mark.length === 1 && !closes(read, close, escapes))
    close = read.indexOf(mark, close + 1);
  return close === -1 || (line !== -1 && line < close) ? -1 : start + close - escapes;
}

/** Whether a quote closes what was opened behind so many backslashes, or is itself escaped there. */
function closes(text: string, quote: number, escapes: number): boolean {
  let before = 0;
  while (text.charCodeAt(quote - before - 1) === backslash) before++;
  return before % (2 * (escapes + 1)) === escapes;
}

const backslash = 92;

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

const onItsLine = /(?:^|[\r\n])[ \t]{0,24}(?:- )?(?:(?:export|set|ENV|ARG) )?([\w.-]{1,64})$/;
const untilBlank = /[^\s"'`]{1,4096}/y;
/** Another setting behind it, as in a connection string or an address, or what was hidden before. */
const nextSetting = /;[A-Za-z ]{2,32}=|&[\w.-]{1,40}=|\[redacted/;
const called = /^[A-Za-z_$][\w$.]*[([]/;

/**
 * A password that is set on a line of its own, by a name that ends at `nameEnd`, may have any sign in it: there it goes to the
 * blank. A type or a call is none.
 */
export function toBlank(text: string, nameEnd: number, value: ReadValue): ReadValue {
  const operator = text.slice(nameEnd, value.start);
  const name = /^(?:=|:[ \t]{1,4})$/.test(operator)
    ? onItsLine.exec(text.slice(Math.max(0, nameEnd - 128), nameEnd))?.[1]
    : undefined;
  if (name === undefined) return value;
  const [setting = ""] = text.slice(value.start, skip(untilBlank, text, value.start)).split(nextSetting, 1);
  const whole = setting.replace(/[,;.:!?]+$/, "");
  const isVariable = operator === "=" && /^[A-Z][A-Z0-9_]*$/.test(name);
  const isPlain = whole.length > value.end - value.start && /[0-9]/.test(whole) && /[A-Za-z]/.test(whole);
  if (!isPlain || /^(?:\$?[({]|[<[])|[)\]}>]$/.test(whole) || (!isVariable && called.test(whole)))
    return value;
  return { start: value.start, end: value.start + whole.length, quoted: true };
}
