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

test.each(Object.entries(hostilePatterns))("a quarter of it in pieces, %s, is finished", (_, pattern) => {
  const text = hostileText(pattern, quarter / 4);
  const redactor = createTextRedactor({ secrets: some });
  let output = "";
  for (let at = 0; at < text.length; at += 4000) output += redactor.push(`${text.slice(at, at + 4000)} `);
  expect(output + redactor.end()).not.toBe("");
});
