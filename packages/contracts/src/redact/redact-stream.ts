// Text that arrives in pieces: whatever the cuts, what comes out is what redactText gives for the whole.
import { startOfEscape } from "./encodings.ts";
import { findSecrets } from "./find-secrets.ts";
import { heldSecrets } from "./held-secrets.ts";
import { hideSpans, mergeSpans } from "./hide-spans.ts";
import type { RedactOptions } from "./redact-text.ts";

export type TextRedactor = {
  /** Takes the next piece; answers the text that is settled by now, which may be none. */
  push(piece: string): string;
  /** No more comes: answers the rest. */
  end(): string;
};

/** Raw text kept before what is not released yet, so that a value still knows its name. */
const contextLength = 4096;

/** More than this is not waited for: what is there is then taken as the whole, but for a held secret that may be in it. */
const maxHeld = 1024 * 1024;

/** The most that several words in a row can matter for what follows them. */
const wordsHeld = 4;

export function createTextRedactor(options: RedactOptions = {}): TextRedactor {
  const secrets = options.secrets ?? heldSecrets;
  /** Context and text that is held back; the latter begins at `released`. */
  let text = "";
  let released = 0;
  /** How much was there when it was last looked at. */
  let looked = 0;

  function release(isEnd: boolean): string {
    looked = text.length;
    const found = findSecrets(text);
    const spans = [...found.spans, ...secrets.find(text)];
    let until =
      isEnd || text.length - released > maxHeld
        ? text.length
        : Math.min(found.openFrom, startOfLastWords(text));
    if (!isEnd) until = Math.min(until, secrets.openFrom(text));
    for (const { start, end } of mergeSpans(spans)) {
      if (start < until && end > until) until = start;
    }
    if (until <= released) return "";
    const output = hideSpans(text, spans, options.keyedHash, released, until);
    const drop = startOfEscape(text, Math.max(0, until - contextLength));
    text = text.slice(drop);
    released = until - drop;
    looked = text.length;
    return output;
  }

  return {
    push(piece) {
      text += piece;
      const held = text.length - released;
      // Nothing new is settled inside a word. What is held is looked at again when it has grown by an eighth, so that
      // looking costs no more than a few times the text.
      const isDue = text.length - looked >= held >> 3 && (held > maxHeld || /\s/.test(piece));
      return isDue ? release(false) : "";
    },
    end() {
      const rest = release(true);
      text = "";
      released = 0;
      return rest;
    },
  };
}

/** Where the last words begin: a secret, or a name of several words, may be unfinished there. */
function startOfLastWords(text: string): number {
  let start = text.length;
  for (let count = 0; count < wordsHeld && start > 0; count++) {
    while (start > 0 && isSpace(text.charCodeAt(start - 1))) start--;
    while (start > 0 && !isSpace(text.charCodeAt(start - 1))) start--;
  }
  return start;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}
