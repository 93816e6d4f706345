// No text, however hostile, makes redaction slower than in proportion to its length: a search that looked at all pairs of
// places would need minutes for a quarter of a megabyte and run into the time limit. What it costs is measured in bench/redaction.ts.
import { expect, test } from "vitest";
import { hostilePatterns, hostileText } from "../../test-data/redaction/hostile-texts.ts";
import { SecretRegistry } from "./held-secrets.ts";
import { createTextRedactor } from "./redact-stream.ts";
import { redactText } from "./redact-text.ts";

const quarter = 256 * 1024;
/** Each begins as one of the hostile texts reads, and goes on for long. */
const some = new SecretRegistry();
for (const unit of ["a", "A", "&", "\\", "ö", "😀", " ", "\n", "aaaaaaaaaaaaaaaa"])
  some.add(`${unit.repeat(3000)}!`, "held");

test.each(Object.entries(hostilePatterns))("a quarter of a megabyte of %s is finished", (_, pattern) => {
  expect(redactText(hostileText(pattern, quarter), { secrets: some })).not.toBe("");
});

const marks = ["\\", "%", "&", "+", '"', "'", " ", "\n"];
/** So short that there are thousands of places in a text where one may begin. */
const short = new SecretRegistry();
for (const mark of marks) short.add(`ab${mark}cdefghij`, "held");

test.each(marks)("eight times as much of %j is finished where a short secret has one in it", (mark) => {
  expect(short.find(mark.repeat(8 * quarter))).toStrictEqual([]);
});

/** One or two of each kind: what a finder waits for, what it holds back, and every encoding. */
const inPieces = [
  "every head, many parts",
  "every name, every operator",
  "names and open quotes",
  "one name, long value",
  "addresses with users",
  "password flags",
  "key blocks without end",
  "web keys",
  "tokens with long parts",
  "cookies of one line",
  "broken placeholders",
  "percent-encoded characters",
  "plus signs",
  "escapes of every kind",
  "entities of entities",
  "base64 in short lines",
  "base64 in lines of an escaped text",
  "hex of both cases",
  "backslashes",
  "line ends",
];

test.each(inPieces)("a quarter of it in pieces, %s, is finished", (name) => {
  const text = hostileText(hostilePatterns[name] as string, quarter / 4);
  const redactor = createTextRedactor({ secrets: some });
  let output = "";
  for (let at = 0; at < text.length; at += 4000) output += redactor.push(`${text.slice(at, at + 4000)} `);
  expect(output + redactor.end()).not.toBe("");
});
