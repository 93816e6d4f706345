// Text that arrives in pieces: whatever the cuts, what comes out is what redactText gives for the whole, but that a secret which only
// its name gives away is hidden from its name on: what stands before has been given out.
import { startOfEscape } from "./encodings.ts";
import { findPercentEncoded } from "./find-percent-encoded.ts";
import { SecretScan } from "./find-secrets.ts";
import { FoundInStream } from "./found-in-stream.ts";
import { heldSecrets } from "./held-secrets.ts";
import { hideSpans, mergeSpans } from "./hide-spans.ts";
import type { RedactOptions } from "./redact-text.ts";
import type { Span } from "./span.ts";

export type TextRedactor = {
  /** Takes the next piece; answers the text that is settled by now, which may be none. */
  push(piece: string): string;
  /** No more comes: answers the rest. */
  end(): string;
};

/** Raw text kept before what is looked at, so that a value still knows what stands before its name. */
const contextLength = 512;

/** More than this is not waited for: what is there is then taken as the whole, but for a held secret that may be in it. */
const maxHeld = 1024 * 1024;

/** The most that several words in a row can matter for what follows them. */
const wordsHeld = 4;

/** What is not settled is looked at again when so large a part of it is new: each character is then read a few times at most. */
const newPart = 1 / 3;

export function createTextRedactor(options: RedactOptions = {}): TextRedactor {
  const secrets = options.secrets ?? heldSecrets;
  /** Context and text that is held back; the latter begins at `released`. */
  let text = "";
  let released = 0;
  /** Stands where everything before is settled: at `released`, or at a name before it whose value is not. */
  let scan = new SecretScan();
  let standsAt = 0;
  /** How much was there when it was last looked at. */
  let looked = 0;
  let foundBefore = new FoundInStream();

  function release(isEnd: boolean): string {
    looked = text.length;
    const found = scan.copy().read(text);
    // Nothing that is encoded goes on behind a space.
    const from = released === 0 || isSpace(text.charCodeAt(released - 1)) ? released : 0;
    const unsettled = text.slice(from);
    const held = secrets.find(unsettled).map((span) => moved(span, from));
    const encoded = findPercentEncoded(unsettled).map((span) => moved(span, from));
    const seen = mergeSpans([...found.spans, ...encoded]);
    const spans = mergeSpans([...seen, ...held]);
    const isAll = isEnd || text.length - released > maxHeld;
    const cut = (at: number) => (isAll ? at : startOfWord(text, at));
    let until = isAll ? text.length : Math.min(found.openFrom, startOfLastWords(text));
    if (!isEnd) until = Math.min(until, from + secrets.openFrom(unsettled));
    until = endBeforeSpans(spans, cut(until), cut);
    const settled = seen.filter(({ end }) => end > released && end <= until);
    const again = foundBefore
      .find(
        unsettled,
        settled.map((span) => moved(span, -from)),
        ({ start, end }) => text.slice(start + from, end + from),
      )
      .map((span) => moved(span, from));
    if (!isAll) until = cut(Math.min(until, from + foundBefore.openFrom(unsettled)));
    const all = again.length === 0 ? spans : mergeSpans([...spans, ...again]);
    until = endBeforeSpans(all, until, cut);
    foundBefore.keepUntil(Math.max(until, released) - from);
    if (until <= released) return "";
    const output = hideSpans(text, all, options.keyedHash, released, until);
    standsAt = scan.goTo(text, until, found);
    released = until;
    forget(startOfEscape(text, Math.max(0, standsAt - contextLength)));
    return output;
  }

  function forget(count: number): void {
    text = text.slice(count);
    scan.drop(count);
    standsAt -= count;
    released -= count;
    looked -= count;
  }

  return {
    push(piece) {
      text += piece;
      const isDue = text.length - looked >= (text.length - standsAt) * newPart;
      // Nothing new is settled inside a word.
      return isDue && (text.length - released > maxHeld || /\s/.test(piece)) ? release(false) : "";
    },
    end() {
      const rest = release(true);
      text = "";
      released = 0;
      scan = new SecretScan();
      standsAt = 0;
      looked = 0;
      foundBefore = new FoundInStream();
      return rest;
    },
  };
}

/** The last place up to here that lies in none of these spans, which are in order. */
function endBeforeSpans(spans: readonly Span[], until: number, cut: (at: number) => number): number {
  let end = until;
  for (const span of spans.toReversed()) if (span.start < end && span.end > end) end = cut(span.start);
  return end;
}

function moved({ start, end, kind }: Span, by: number): Span {
  return { start: start + by, end: end + by, kind };
}

function startOfWord(text: string, at: number): number {
  let start = at;
  while (start > 0 && !isSpace(text.charCodeAt(start - 1))) start--;
  return start;
}

/** Where the last words begin: a secret, or a name of several words, may be unfinished there. */
function startOfLastWords(text: string): number {
  let start = text.length;
  for (let count = 0; count < wordsHeld && start > 0; count++) {
    while (start > 0 && isSpace(text.charCodeAt(start - 1))) start--;
    start = startOfWord(text, start);
  }
  return start;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}
