// Long runs of base64: the bytes of an image, of a file, of what a provider encrypted. In a hundred thousand random letters everything
// short occurs by chance, so nothing short is taken for the beginning of a secret there.
import { isAlphanumeric } from "./finder.ts";
import { looksRandom } from "./looks-random.ts";

/** The alphabets of base64 and of base64url, as bits. */
export const standardBase64 = 1;
export const urlSafeBase64 = 2;
/** The bytes of a data URL: there no word counts, however rare. */
export const dataBytes = 4;

/** A shorter run may be a path or a name. */
const minRun = 64;

/** A longer one is base64 even where it is monotonous. */
const minSureRun = 512;

/** The length from which a word does not occur by chance. */
const minRareWord = 6;

/** In which of these a word proves nothing. */
export function commonIn(word: string): number {
  const codes = Array.from(word, (_, index) => word.charCodeAt(index));
  const isIn = (isSign: (code: number) => boolean) =>
    codes.every((code) => isAlphanumeric(code) || isSign(code));
  const bytes = isIn(isPlusOrSlash) ? dataBytes : 0;
  if (word.length >= minRareWord && new Set(word).size > 1) return bytes;
  return bytes | (bytes === 0 ? 0 : standardBase64) | (isIn(isDashOrLine) ? urlSafeBase64 : 0);
}

export function isPlusOrSlash(code: number): boolean {
  return code === 43 || code === 47;
}

export function isDashOrLine(code: number): boolean {
  return code === 45 || code === 95;
}

/** Whether the backslash at this place escapes a slash, as some writers of JSON do; undefined where the text ends before that is known. */
export function escapesSlash(text: string, at: number): boolean | undefined {
  let next = at + 1;
  while (next < at + maxBackslashes && text.charCodeAt(next) === backslash) next++;
  return next === text.length ? undefined : text.charCodeAt(next) === slash;
}

export const backslash = 92;
const slash = 47;
/** As many as stand before a slash in JSON inside JSON inside JSON. */
export const maxBackslashes = 7;

/** Whether a run that began at `from` is base64 as far as `at`. Only the last stretches of it are read. */
export function isBase64(text: string, from: number, at: number): boolean {
  const length = at - from;
  if (length < minRun) return false;
  if (length >= minSureRun) return true;
  const start = at - (length % minRun) - minRun;
  return looksRandom(text.slice(start, start + minRun), minRun);
}
