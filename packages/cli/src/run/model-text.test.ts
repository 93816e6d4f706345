import * as fc from "fast-check";
import { expect, test } from "vitest";
import { terminalRows } from "../../test-data/terminal-rows.ts";
import { createPrinter } from "../io/printer.ts";
import { visible } from "../io/visible-text.ts";
import { ModelText } from "./model-text.ts";

const { signal } = new AbortController();

/** What a screen shows of a text that comes in these pieces. */
function shown(
  pieces: readonly string[],
  isSeenGrowing: boolean,
  columns?: number,
): { screen: string; whole: string | undefined } {
  let screen = "";
  const print = createPrinter({
    stdin: (async function* none() {})(),
    stdout: () => undefined,
    stderr: (text) => void (screen += text),
    isTerminal: { stdout: false, stderr: columns !== undefined },
    columns,
    env: { NO_COLOR: "1" },
    cwd: "/",
    signal,
  });
  const text = new ModelText(print, isSeenGrowing);
  text.begin();
  for (const piece of pieces) text.push(piece);
  text.end();
  return { screen, whole: text.whole };
}

const plain = ["a", "\n", "\r", "\u001b", "\u202e", "😀", "\ud83d", "\ude00", " ", "é"];
const shaping = ["\u200d", "\u200c", "\ufe0f", "👩", "🏽", "م", "\u0301"];
const letters = fc.constantFrom(...plain, ...shaping);

test("a text is shown the same in whichever pieces it comes, every line of it marked", () => {
  fc.assert(
    fc.property(fc.array(letters), fc.array(fc.nat(9)), fc.boolean(), (said, cuts, isSeenGrowing) => {
      const text = said.join("");
      const pieces = [...cuts.map((cut, at) => text.slice(at * cut, at * cut + 1)), text];
      const whole = pieces.join("");
      const expected = whole
        .replaceAll("\r\n", "\n")
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `  │ ${visible(line)}\n`)
        .join("");
      expect(shown(pieces, isSeenGrowing)).toStrictEqual({ screen: whole === "" ? "" : expected, whole });
      // oxlint-disable-next-line typescript/no-misused-spread -- one letter after the other
      expect(shown([...whole], isSeenGrowing).screen).toBe(shown([whole], isSeenGrowing).screen);
    }),
  );
});

test("on a terminal it is broken before its edge, in whichever pieces it comes, and every row is marked", () => {
  const forged = "notes.add: approve, deny (and why), or later? ";
  const { screen } = shown([" ".repeat(76), forged], true, 80);
  expect(terminalRows(screen, 80).at(-2)).toMatch(/^ {2}│ +notes\.add: approve/);
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 300 }), fc.integer({ min: 20, max: 90 }), (said, columns) => {
      const text = said.join("");
      const { screen: whole } = shown([text], true, columns);
      const rows = terminalRows(whole, columns);
      expect(rows).toStrictEqual(whole.split("\n"));
      for (const row of rows.slice(0, -1)) expect(row.slice(0, 4)).toBe("  │ ");
      expect(shown(text.split(""), true, columns).screen).toBe(whole);
    }),
  );
});

test("of a flood the beginning is shown, and that there is more; then it is not known whole", () => {
  for (const isSeenGrowing of [true, false]) {
    const { screen, whole } = shown(Array(50_000).fill("ab\n"), isSeenGrowing);
    expect(screen.length).toBeLessThan(50_000);
    expect(screen.endsWith("  │ … and more, which is not shown\n")).toBe(true);
    expect(whole).toBeUndefined();
  }
});
