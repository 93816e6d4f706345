// What is decoded of a text is what lies near an encoded character, and finding it is one walk over the text.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { encodedParts, type Part } from "./encoded-parts.ts";
import { anyEncoded, encodedPattern } from "./encoded-pattern.ts";

/** The same, by walking back from every find to where its run of backslashes begins; what such a run joins is one part. */
function walked(text: string, encoded: RegExp, reach: number): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < text.length; ) {
    encoded.lastIndex = at;
    const match = encoded.exec(text);
    if (match === null) break;
    const near = Math.max(0, match.index - reach);
    const [run = ""] = /\\*$/.exec(text.slice(0, near)) ?? [];
    // Of JSON to the third level: eight of them may be one.
    const from = near - (run.length % 8);
    const to = match.index + 2 * reach;
    const last = parts.at(-1);
    const isJoined = last !== undefined && (last.to >= from || /^\\+$/.test(text.slice(last.to - 1, near)));
    if (isJoined) parts[parts.length - 1] = { from: last.from, to };
    else parts.push({ from, to });
    at = match.index + reach;
  }
  return parts;
}

test("parts are those that a walk back over every run of backslashes gives", () => {
  const pieces = fc.oneof(
    fc.constantFrom("\\", "\\\\", "\\\\\\\\\\\\\\", "u0061", "a", "1", "u", '"', "&", "%", "+", "n", " "),
    fc.constantFrom("\\u0061", "%61", "&#97;", "\\n", "a calm river bends"),
  );
  const text = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(""));
  const patterns = [anyEncoded, ...["a\\b", 'a"b', "a b", "a&%+b"].map((secret) => encodedPattern([secret]))];
  fc.assert(
    fc.property(
      text,
      fc.constantFrom(...patterns),
      fc.integer({ min: 1, max: 12 }),
      (whole, pattern, reach) => {
        expect(encodedParts(whole, pattern, reach)).toStrictEqual(walked(whole, pattern, reach));
      },
    ),
    { numRuns: 2000 },
  );
});

test("a run of backslashes is walked over once, however often something is found in it", () => {
  const length = 4 * 1024 * 1024;
  expect(encodedParts("\\".repeat(length), anyEncoded, 16)).toStrictEqual([{ from: 0, to: length + 16 }]);
});
