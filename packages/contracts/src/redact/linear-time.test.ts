// No text, however hostile, makes redaction slower than in proportion to its length: a search that looked at all pairs of
// places would need minutes for a quarter of a megabyte and run into the time limit. What it costs is measured in bench/redaction.ts.
import { describe, expect, test } from "vitest";
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
  "data of every type",
  "data of a text without end",
  "base64 of beginnings",
  "escaped slashes",
];

test.each(inPieces)("a quarter of it in pieces, %s, is finished", (name) => {
  const text = hostileText(hostilePatterns[name] as string, quarter / 4);
  const redactor = createTextRedactor({ secrets: some });
  let output = "";
  for (let at = 0; at < text.length; at += 4000) output += redactor.push(`${text.slice(at, at + 4000)} `);
  expect(output + redactor.end()).not.toBe("");
});

/** How often anything looked at a character while this ran. */
function looksDuring(run: () => void): number {
  const everyText = String.prototype;
  const own = Object.getOwnPropertyDescriptor(everyText, "charCodeAt") as PropertyDescriptor;
  const look = own.value as (index: number) => number;
  let looks = 0;
  Object.defineProperty(everyText, "charCodeAt", {
    ...own,
    value(this: string, index: number) {
      looks++;
      return look.call(this, index);
    },
  });
  try {
    run();
  } finally {
    Object.defineProperty(everyText, "charCodeAt", own);
  }
  return looks;
}

describe("in pieces of any length a text is looked at a few times as often as in one", () => {
  const one = new SecretRegistry();
  one.add("held-secret-Value/99+x", "held");
  const prose = "Markets moved little today, and nobody could say what the committee would do.\n";
  const settings = "API_KEY=abc TOKEN=def password=x \n";

  test.each(Object.entries({ prose, settings, names: "secret secret ", ...hostilePatterns }))(
    "%s",
    (_, pattern) => {
      const text = hostileText(pattern, 4000);
      const whole = looksDuring(() => redactText(text, { secrets: one }));
      for (const length of [1, 4, 7, 16, 100]) {
        const redactor = createTextRedactor({ secrets: one });
        const looks = looksDuring(() => {
          for (let at = 0; at < text.length; at += length) redactor.push(text.slice(at, at + length));
          redactor.end();
        });
        expect(looks / whole, `in pieces of ${length}`).toBeLessThan(8);
      }
    },
  );
});
