// One walk over the text. Three characters at a time are looked up in a table of all the words that any finder waits
// for, so that hundreds of formats and names cost one look at each character, also in a hostile text.
import { assignmentFinder } from "./find-assigned.ts";
import { vendorFinder } from "./find-by-vendor.ts";
import { commandFinder } from "./find-in-commands.ts";
import { urlFinder } from "./find-in-urls.ts";
import { keyBlockFinder, vaultFinder, webKeyFinder } from "./find-key-blocks.ts";
import { markedFinder } from "./find-marked.ts";
import { runSpan, shortestRun } from "./find-runs.ts";
import { headFinder } from "./find-heads.ts";
import { Findings, isAlphanumeric } from "./finder.ts";
import { placeholdersIn } from "./placeholder.ts";

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

export function findSecrets(text: string): Findings {
  const found = new Findings(text.length);
  /** For each finder, where it looks on: what it has read is not read again. */
  const resume: number[] = [];
  const placeholders = placeholdersIn(text);
  let passed = 0;
  let hash = 0;
  let runStart = 0;
  let afterRun = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    hash = hashOf(hash, code);
    const asked = waiting[hash] as number;
    if (asked !== 0 && index >= 2) {
      while ((placeholders[passed]?.end ?? Number.POSITIVE_INFINITY) <= index - 2) passed++;
      // Nothing begins inside a placeholder.
      if (index - 2 < (placeholders[passed]?.start ?? Number.POSITIVE_INFINITY))
        ask(text, index - 2, asked, resume, found);
    }
    if (isUrlSafe(code)) continue;
    if (index - runStart >= shortestRun && runStart >= afterRun)
      afterRun = addRun(text, runStart, index, found);
    runStart = index + 1;
  }
  if (text.length - runStart >= shortestRun && runStart >= afterRun)
    addRun(text, runStart, text.length, found);
  return found;
}

function ask(text: string, at: number, asked: number, resume: number[], found: Findings): void {
  for (let bit = 0; bit < finders.length; bit++) {
    if ((asked & (1 << bit)) === 0 || at < (resume[bit] ?? 0)) continue;
    resume[bit] = (finders[bit] as (typeof finders)[number]).find(text, at, found);
  }
}

function addRun(text: string, start: number, end: number, found: Findings): number {
  const span = runSpan(text, start, end);
  if (span === null) return end;
  found.spans.push(span);
  return span.end;
}

function isUrlSafe(code: number): boolean {
  return isAlphanumeric(code) || code === 45 || code === 95;
}
