// A test that a bug cannot happen has its letter in its name; a file that is all about one may say so in a comment.
import { readFileSync } from "node:fs";
import { shortPath } from "../package-graph.ts";
import { testFiles } from "../test-files.ts";

/** The tests of a file that are about a bug, by their names; none where only a comment says so. */
export type Cited = { readonly letter: string; readonly file: string; readonly tests: readonly string[] };

// Tests and groups of them, also below a table of cases, and the cases of a conformance suite.
const named = /(?:\(|\bname:)\s*(?:"((?:[^"\\\n]|\\.)*)"|`([^`]*)`)/g;
const comment = /^[ \t]*\/\/ (.*)$/gm;

export function findCited(): Cited[] {
  return testFiles()
    .filter((file) => /\.test\.ts$|\/conformance\//.test(file))
    .toSorted()
    .flatMap((file) => citedIn(shortPath(file), readFileSync(file, "utf8")));
}

export function citedIn(file: string, text: string): Cited[] {
  const names = [...text.matchAll(named)].map(([, quoted, written]) => quoted ?? written ?? "");
  const comments = [...text.matchAll(comment)].map(([, words = ""]) => words);
  const letters = new Set([...names, ...comments].flatMap(lettersIn));
  return [...letters].map((letter) => ({
    letter,
    file,
    tests: names.filter((name) => lettersIn(name).includes(letter)),
  }));
}

function lettersIn(text: string): string[] {
  return [...text.matchAll(/\bB\d{1,2}\b(?!\.\d)/g)].map(([letter]) => letter);
}
