// A test says which lines of the sources it proves, in a comment right above it: "// proves KEY-4.3, RUN-2.1".
import { readFileSync } from "node:fs";
import { shortPath } from "../package-graph.ts";
import { testFiles } from "../test-files.ts";

/** A test that proves a line. */
export type Proof = { readonly line: string; readonly file: string; readonly test: string };

const tag = /^[ \t]*\/\/ proves (.+)$/gm;
const lineId = /^[A-Z]+-\d+\.\d+$/;
// A test, a group of them, or a case of a conformance suite, and the words that name it; of `each` they come after its rows.
const named =
  /^(?:\s*\/\/.*\n)*\s*(?:(?:test|it|describe\w*|\w+Plan)\b|name:)(?:[^"'`]*?\.each\b[\s\S]*?\)\(\s*|[^"'`]*?)(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`([^`]*)`)/;

export function findProofs(): Proof[] {
  return testFiles().flatMap((file) => proofsIn(shortPath(file), readFileSync(file, "utf8")));
}

export function proofsIn(file: string, text: string): Proof[] {
  return [...text.matchAll(tag)].flatMap((match) => {
    const rest = text.slice(match.index + match[0].length + 1);
    const [head, ...words] = named.exec(rest) ?? [];
    const test = words.find((one) => one !== undefined);
    const where = `${file}: "${match[0].trim()}"`;
    if (head === undefined || test === undefined) throw new Error(`${where} stands above no test`);
    if (/\.(?:skip|todo|fails)\b/.test(head)) throw new Error(`${where} stands above a test that is not run`);
    return (match[1] ?? "").split(", ").map((line) => {
      if (!lineId.test(line)) throw new Error(`${where}: ${line} is no line of a source`);
      return { line, file, test };
    });
  });
}
