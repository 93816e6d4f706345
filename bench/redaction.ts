// Aim: ordinary text costs a few times a look at every character, and no text makes it cost more than a bounded look at each
// place: what is nothing but names of secrets costs most, because each name is worth a few patterns.
import { createHash } from "node:crypto";
import { createTextRedactor, redactText, SecretRegistry } from "@spfunctions/contracts";
import { hostilePatterns, hostileText } from "../packages/contracts/test-data/redaction/hostile-texts.ts";
import { ordinaryStrings } from "../packages/contracts/test-data/redaction/ordinary.ts";
import type { Benchmark } from "./side-by-side.ts";

const megabyte = 1024 * 1024;
const none = new SecretRegistry();
const ten = new SecretRegistry();
for (let count = 0; count < 10; count++) ten.add(createHash("sha256").update(`${count}`).digest("base64url"));

const prose =
  "The committee left rates where they were, and the markets that had priced a cut moved within minutes. Nobody on the desk had expected the second paragraph. ";
const code =
  "export function sum(list: readonly number[]): number {\n  let total = 0;\n  for (const item of list) total += item;\n  return total;\n}\n";
const base64 = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7919) % 251)).toString(
  "base64",
);

/** With escapes, none of which could be a part of a secret. */
const json = JSON.stringify(JSON.stringify({ id: 7, said: 'a "word"', list: [1, 2, 3] }, null, 2));

const ordinary = {
  prose,
  code,
  base64,
  "JSON inside JSON": json,
  "a log of ordinary strings": ordinaryStrings.join("\n"),
};

/** The least that any search must do. */
function scan(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index);
  return sum;
}

/** Texts of one length and one byte a character: a plain scan costs the same for each of them. */
function against(
  title: string,
  patterns: Readonly<Record<string, string>>,
  length: number,
  secrets = none,
): Benchmark {
  const texts = Object.entries(patterns).map(([name, pattern]) => {
    // A text that was put together is made one piece, as text from outside is.
    const text = Buffer.from(hostileText(pattern, length), "latin1").toString("latin1");
    return [name, text] as const;
  });
  const searches = texts.map(([name, text]) => [name, () => redactText(text, { secrets })] as const);
  const [, first = ""] = texts[0] ?? [];
  return {
    title,
    contenders: { "a look at every character": () => scan(first), ...Object.fromEntries(searches) },
  };
}

/** As a model says it: a few characters at a time. */
function inPieces(name: string, pattern: string): Benchmark {
  const text = hostileText(pattern, megabyte / 16);
  const pushed = (length: number) => () => {
    const redactor = createTextRedactor({ secrets: none });
    for (let at = 0; at < text.length; at += length) redactor.push(text.slice(at, at + length));
    redactor.end();
  };
  return {
    title: `redaction of 64 KB in pieces, ${name}`,
    contenders: {
      "in one": () => redactText(text, { secrets: none }),
      "4 characters at a time": pushed(4),
      "16 characters at a time": pushed(16),
    },
  };
}

export const benchmarks: readonly Benchmark[] = [
  against("redaction of 5 MB of ordinary text", ordinary, 5 * megabyte),
  against("redaction of 5 MB of ordinary text while ten secrets are held", ordinary, 5 * megabyte, ten),
  inPieces("prose", prose),
  inPieces("nothing but names", "secret secret "),
  against("redaction of 256 KB of hostile text", hostilePatterns, megabyte / 4),
];
