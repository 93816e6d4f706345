// Known formats: a table of literal heads, looked up wherever a word can begin.
import { commonIn, standardBase64, urlSafeBase64 } from "./base64-runs.ts";
import { endsEscape } from "./escape-before.ts";
import { endOfParts, type Finder, isAlphanumeric, skip } from "./finder.ts";
import { looksRandom } from "./looks-random.ts";
import type { Span } from "./span.ts";
import { type TokenFormat, tokenFormats } from "./token-formats.ts";

type Entry = Omit<TokenFormat, "more"> & {
  readonly rest: RegExp;
  readonly more: RegExp | null;
  /** In which base64 its head proves nothing. */
  readonly common: number;
};

/** Formats by their first two characters, the longest head first. */
const byHead: Entry[][] = [];
for (const format of tokenFormats) {
  const slot = slotOf(format.head, 0);
  const more = format.more === undefined ? null : new RegExp(format.more, "y");
  (byHead[slot] ??= []).push({
    ...format,
    rest: new RegExp(format.tail, "y"),
    more,
    common: commonIn(format.head),
  });
}

/** A platform's own keys are hidden within a word, too: nobody gets one through by what they put before it. */
const own = tokenFormats.filter(({ kind }) => kind === "simplefunctions_key").map(({ head }) => head);

export const headFinder: Finder = {
  words: tokenFormats.map(({ head }) => head),
  find(text, at, found) {
    const isInWord = at > 0 && isAlphanumeric(text.charCodeAt(at - 1)) && isAlphanumeric(text.charCodeAt(at));
    const canBegin = !isInWord || found.lastEnd === at || endsEscape(text, at);
    if (!canBegin && !own.some((head) => text.startsWith(head, at))) return at + 1;
    const span = formatAt(text, at, found.base64);
    if (span === null) return at + 1;
    found.push(span);
    return span.end;
  },
};

/** Whether a text is a token of a format whose beginning is too long to occur by chance. */
export function beginsWithToken(text: string): boolean {
  return formatAt(text, 0, standardBase64 | urlSafeBase64) !== null;
}

function formatAt(text: string, start: number, base64: number): Span | null {
  const isInRun = start > 0 && /[_-]/.test(text.charAt(start - 1));
  for (const { kind, head, rest, random, more, common } of byHead[slotOf(text, start)] ?? []) {
    if ((common & base64) !== 0 || !text.startsWith(head, start)) continue;
    // Two or three letters occur by chance in a random id that has signs in it.
    if (isInRun && random && head.length < 5 && !/^sk[_-]/.test(head)) continue;
    const from = start + head.length;
    const end = skip(rest, text, from);
    if (end === from || (random && !looksRandom(text.slice(from, end), 12))) continue;
    if (oneCharacter.test(text.slice(from, Math.min(end, from + nameLength)))) continue;
    if (isName(text.slice(from, Math.min(end, from + nameLength)))) continue;
    return { start, end: endOfParts(text, more === null ? end : skip(more, text, end)), kind };
  }
  return null;
}

function slotOf(text: string, at: number): number {
  return ((text.charCodeAt(at) & 127) << 7) | (text.charCodeAt(at + 1) & 127);
}

/** `ghp_xxxxxxxx`, as manuals write a token. */
const oneCharacter = /^([xX.*])\1+$/;
const nameLength = 96;

/** `hf_required_field`, `npm_package_name`: words that are joined by signs, where a token has random letters. */
function isName(tail: string): boolean {
  return name.test(tail);
}

const name =
  /^(?:[a-z]{2,20}|[A-Z]{2,20}|[A-Z][a-z]{1,20}|[0-9]{1,3})(?:[_.:-]{1,2}(?:[a-z]{1,20}[0-9]{0,2}|[A-Z]{1,20}[0-9]{0,2}|[A-Z][a-z]{1,20}|[0-9]{1,3}))+[_.:-]{0,2}$/;
