// One walk over the text. Three characters at a time are looked up in a table of all the words that any finder waits
// for, so that hundreds of formats and names cost one look at each character, also in a hostile text.
import {
  backslash,
  dataBytes,
  escapesSlash,
  isBase64,
  isDashOrLine,
  isPlusOrSlash,
  maxBackslashes,
  standardBase64,
  urlSafeBase64,
} from "./base64-runs.ts";
import { assignmentFinder } from "./find-assigned.ts";
import { vendorFinder } from "./find-by-vendor.ts";
import { clusterSecretFinder } from "./find-cluster-secrets.ts";
import { attributeFinder } from "./find-in-attributes.ts";
import { callFinder } from "./find-in-calls.ts";
import { commandFinder } from "./find-in-commands.ts";
import { cookieJarFinder } from "./find-in-cookie-jars.ts";
import { urlFinder } from "./find-in-urls.ts";
import { keyBlockFinder, vaultFinder, webKeyFinder } from "./find-key-blocks.ts";
import { markedFinder } from "./find-marked.ts";
import { reachOfRun, runSpan, shortestRun } from "./find-runs.ts";
import { dataUrlFinder } from "./find-data-urls.ts";
import { headFinder } from "./find-heads.ts";
import { pipedFinder } from "./find-piped.ts";
import { tableFinder } from "./find-in-tables.ts";
import { Findings, isAlphanumeric } from "./finder.ts";
import { placeholdersIn } from "./placeholder.ts";
import type { Span } from "./span.ts";

const finders = [
  headFinder,
  assignmentFinder,
  urlFinder,
  markedFinder,
  keyBlockFinder,
  vaultFinder,
  webKeyFinder,
  commandFinder,
  vendorFinder,
  callFinder,
  clusterSecretFinder,
  cookieJarFinder,
  attributeFinder,
  pipedFinder,
  tableFinder,
  dataUrlFinder((text) => findSecrets(text).spans),
] as const;

/** For each three characters (five bits each, the same for both cases of a letter): a bit for every finder to ask. */
const waiting = new Uint16Array(1 << 15);
for (const [bit, { words }] of finders.entries()) {
  for (const word of words) {
    const thirds = word.length > 2 ? [word.charCodeAt(2)] : Array.from({ length: 32 }, (_, code) => code);
    const head = hashOf(hashOf(0, word.charCodeAt(0)), word.charCodeAt(1));
    for (const third of thirds) {
      const slot = hashOf(head, third);
      waiting[slot] = (waiting[slot] ?? 0) | (1 << bit);
    }
  }
}

function hashOf(hash: number, code: number): number {
  return ((hash << 5) | (code & 31)) & 0x7fff;
}

/** Everything that can be seen in a text as a whole. */
export function findSecrets(text: string): Findings {
  return new SecretScan().read(text);
}

/** The walk over a text, which can be broken off and gone on with when more of the text is there. */
export class SecretScan {
  /** Where it stands. */
  #at = 0;
  #hash = 0;
  #runStart = 0;
  #afterRun = 0;
  /** Where the runs of base64 and of base64url begin that it stands in. */
  #standardFrom = 0;
  #urlSafeFrom = 0;
  /** Where the bytes of the last data URL begin. */
  #bytesAt = none;
  /** For each finder, where it looks on: what it has read is not read again. */
  #resume: number[] = finders.map(() => 0);
  /** Where the last find ended. */
  #lastEnd = none;

  /** What there is from here to the end, where no more of the text comes. */
  read(text: string): Findings {
    const found = this.#walk(text, text.length);
    if (text.length - this.#runStart >= shortestRun && this.#runStart >= this.#afterRun)
      addRun(text, this.#runStart, text.length, this.#standardFrom, found);
    return found;
  }

  /**
   * Goes on to this place, or as near to it as can be: not past where a find was made that ends behind it, so that it is
   * made again when more of the text is there. `found` is what was read from here. Answers where it stands then.
   */
  goTo(text: string, to: number, { spans, askedAt }: Findings): number {
    let stop = to;
    for (let index = spans.length - 1; index >= 0; index--) {
      const asked = (askedAt[index] as number) + 2;
      if (asked < stop && (spans[index] as Span).end > stop) stop = asked;
    }
    if (stop > this.#at) this.#walk(text, stop);
    return this.#at;
  }

  /** The text has lost so many characters at its beginning. */
  drop(count: number): void {
    this.#at -= count;
    this.#runStart = Math.max(0, this.#runStart - count);
    this.#afterRun -= count;
    this.#standardFrom -= count;
    this.#urlSafeFrom -= count;
    this.#bytesAt -= count;
    this.#resume = this.#resume.map((at) => at - count);
    this.#lastEnd -= count;
  }

  copy(): SecretScan {
    const copy = new SecretScan();
    copy.#at = this.#at;
    copy.#hash = this.#hash;
    copy.#runStart = this.#runStart;
    copy.#afterRun = this.#afterRun;
    copy.#standardFrom = this.#standardFrom;
    copy.#urlSafeFrom = this.#urlSafeFrom;
    copy.#bytesAt = this.#bytesAt;
    copy.#resume = this.#resume.slice();
    copy.#lastEnd = this.#lastEnd;
    return copy;
  }

  #walk(text: string, to: number): Findings {
    const found = new Findings(text.length, this.#lastEnd);
    found.bytesAt = this.#bytesAt;
    const placeholders = placeholdersIn(text, this.#at - 2);
    let passed = 0;
    let hash = this.#hash;
    let runStart = this.#runStart;
    let afterRun = this.#afterRun;
    let standardFrom = this.#standardFrom;
    let urlSafeFrom = this.#urlSafeFrom;
    for (let index = this.#at; index < to; index++) {
      const code = text.charCodeAt(index);
      hash = hashOf(hash, code);
      const asked = waiting[hash] as number;
      if (asked !== 0 && index >= 2) {
        while ((placeholders[passed]?.end ?? Number.POSITIVE_INFINITY) <= index - 2) passed++;
        // Nothing begins inside a placeholder.
        if (index - 2 < (placeholders[passed]?.start ?? Number.POSITIVE_INFINITY)) {
          found.base64 = base64At(text, index - 2, standardFrom, urlSafeFrom, found);
          ask(text, index - 2, asked, this.#resume, found);
        }
      }
      if (isAlphanumeric(code)) continue;
      const base64From = standardFrom;
      if (!isPlusOrSlash(code) && !(code === backslash && goesOn(text, index, found)))
        standardFrom = index + 1;
      if (isDashOrLine(code)) continue;
      if (index - runStart >= shortestRun && runStart >= afterRun)
        afterRun = addRun(text, runStart, index, base64From, found);
      runStart = index + 1;
      urlSafeFrom = index + 1;
    }
    this.#at = to;
    this.#hash = hash;
    this.#runStart = runStart;
    this.#afterRun = afterRun;
    this.#standardFrom = standardFrom;
    this.#urlSafeFrom = urlSafeFrom;
    this.#bytesAt = found.bytesAt;
    this.#lastEnd = found.lastEnd;
    return found;
  }
}

const none = -1;

function ask(text: string, at: number, asked: number, resume: number[], found: Findings): void {
  found.at = at;
  for (let rest = asked; rest !== 0; rest &= rest - 1) {
    const bit = 31 - Math.clz32(rest & -rest);
    if (at < (resume[bit] as number)) continue;
    resume[bit] = (finders[bit] as (typeof finders)[number]).find(text, at, found);
  }
}

/** Whether base64 goes on behind this backslash. */
function goesOn(text: string, at: number, found: Findings): boolean {
  found.needs(at, at + maxBackslashes);
  return escapesSlash(text, at) === true;
}

/** Whether this place is in a long run of base64, and of which. */
function base64At(
  text: string,
  at: number,
  standardFrom: number,
  urlSafeFrom: number,
  found: Findings,
): number {
  if (standardFrom === found.bytesAt && at >= standardFrom) return dataBytes;
  const isStandard = isBase64(text, behind(found, standardFrom, at), at);
  const isUrlSafe = isBase64(text, behind(found, urlSafeFrom, at), at);
  return (isStandard ? standardBase64 : 0) | (isUrlSafe ? urlSafeBase64 : 0);
}

/** Where a run goes on behind what was found in it: there it is read as it is when the find is gone. */
function behind({ lastEnd }: Findings, from: number, to: number): number {
  return lastEnd > from && lastEnd <= to ? lastEnd : from;
}

/** `base64From`: where the run of base64 began that this one ends in. */
function addRun(text: string, from: number, end: number, base64From: number, found: Findings): number {
  const start = behind(found, from, end);
  const isInBase64 = base64From === found.bytesAt || (base64From < start && isBase64(text, base64From, end));
  const span = runSpan(text, start, end, isInBase64);
  found.needs(start, reachOfRun(text, start, end));
  if (span === null) return end;
  found.at = end - 2;
  found.push(span);
  return span.end;
}
