// `data:image/png;base64,…`: the bytes of something. Whatever they look like, they are no secret unless this process holds it. Base64 of
// text is read as the text that it is.
import { type Finder, type Findings, skip } from "./finder.ts";
import type { Span } from "./span.ts";

const mark = /;base64,/iy;
const mediaType = String.raw`[\w!#$&^.+-]{1,64}\\{0,7}\/[\w!#$&^.+-]{1,80}`;
/** What stands before the mark. Without a media type it is plain text. */
const beforeMark = new RegExp(String.raw`data:(${mediaType})?(?:;[\w-]{1,32}=[^;,\s]{1,64}){0,4}$`, "i");
const maxBefore = 384;
const textType =
  /^text\\{0,7}\/|[/+](?:json|xml|yaml|x-yaml|toml|javascript|ecmascript|x-www-form-urlencoded|x-ndjson|sql|graphql|x-sh)$/i;

/** The most that is read of one text. */
const maxEncoded = 128 * 1024;
const encoded = new RegExp(String.raw`(?:[A-Za-z0-9+/]|\\{1,7}(?=\/)){0,${maxEncoded}}`, "y");

export function dataUrlFinder(findInText: (text: string) => readonly Span[]): Finder {
  return {
    words: [";base64,"],
    find(text, at, found) {
      const start = skip(mark, text, at);
      if (start === at) return at + 1;
      const said = beforeMark.exec(text.slice(Math.max(0, at - maxBefore), at));
      if (said === null) return start;
      found.bytesAt = start;
      const [, type] = said;
      if (type === undefined || textType.test(type)) findInBase64(text, start, findInText, found);
      return start;
    },
  };
}

/** What is found in the text is hidden where its characters stand, and up to two characters beside it that they share bytes with. */
function findInBase64(
  text: string,
  start: number,
  findInText: (text: string) => readonly Span[],
  found: Findings,
): void {
  const end = skip(encoded, text, start);
  if (end - start < maxEncoded) found.needs(start, end + 1);
  const places: number[] = [];
  let digits = "";
  for (let at = start; at < end; at++) {
    const character = text.charAt(at);
    if (character === "\\") continue;
    digits += character;
    places.push(at);
  }
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  for (const span of findInText(atob(whole))) {
    const first = places[Math.floor((span.start * 4) / 3)] ?? start;
    const last = places[Math.ceil((span.end * 4) / 3) - 1] ?? end - 1;
    found.add(first, last + 1, span.kind);
  }
}
