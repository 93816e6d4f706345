import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blockMarkers } from "./markers.ts";
import { readSaid } from "./read-answer.ts";

// An end that ends nothing is taken out of text and left in code: it shows which of them a place is.
const probe = blockMarkers.notes.end;
const isCode = (before: string, after = "") => readSaid(before + probe + after).visible.includes(probe);

describe("code", () => {
  test.each([
    ["a fence", "```\n", "\n```"],
    ["a fence of tildes", "~~~\n", "\n~~~"],
    ["a fence with an info string", "```json title=x\n", "\n```"],
    ["an info string of tildes may hold backticks", "~~~ `x` ```\n", "\n~~~"],
    ["an info string", "```", "\n```"],
    ["a fence that is never closed", "```\nx\n\ny\n", "\n\nz"],
    ["a fence indented by three", "   ```\n", "\n   ```"],
    ["a longer fence, past a shorter row", "````\n```\n", "\n````"],
    ["past a row of the other kind", "```\n~~~\n", "\n```"],
    ["past a row with text after it", "```\n``` x\n", "\n```"],
    ["past a row that is indented too far", "```\n    ```\n", "\n```"],
    ["past blank lines", "```\n\n\n", "\n```"],
    ["after a fence that was closed", "```\n```\n~~~~\n", ""],
    ["a fence with other ends of lines", "```\r\n", "\r\n```"],
    ["a fence with other ends of lines", "x\r```\r", "\r```"],
    ["a fence in a quote", "> ```\n> ", "\n> ```"],
    ["a fence of tildes in a quote, past a blank line", "> ~~~\n>\n> ", "\n> ~~~"],
    ["a fence in an item", "- ```\n  ", "\n  ```"],
    [
      "a fence of a nested item, past a blank line",
      "1. x\n   - y\n\n        ```\n\n        ",
      "\n        ```",
    ],
    ["a fence in an item, past a row that is indented too far", "- ```\n\n      ```\n\n", "\n  ```"],
    ["a fence after something taken out", `${probe}\`\`\`\n\n`, "\n```"],
    ["a fence after reasoning", "<think>hm</think>\n\n```\n\n", "\n```"],
    ["a fence after reasoning, on its line", "<think>hm</think>      ```\n\n", "\n```"],
    ["a fence that interrupts a paragraph", "x ` y\n```\n\n", "\n```"],
    // A fence that has ended with what it stands in, or was none: the row that looks like its end may begin one.
    ["a fence after an item whose fence has ended with it", "- ```\nfoo\n```\n", "\n```"],
    ["the same of an item with a number", "1. ```\nfoo\n```\n", "\n```"],
    ["the same of an item with no text on its first line", "-\n  ```\nfoo\n  ```\n", "\n```"],
    ["a fence of an item, after one closed less far in", "1. x\n\n   ```\n   y\n```\n", "\n```"],
    ["a fence of an item, after a row that may close it", "- x\n\n   ```\n    ```\n", "\n```"],
    ["a fence after a row in an item, indented too far", "- a\n\n      ```\n\n```\n", "\n```"],
    ["a fence after what is no item in a paragraph", "x\n2. ```\n   ```\n", "\n```"],
    ["a fence in a quote, after one of a quote in it", "> > ```\n> foo\n> ```\n> ", "\n> ```"],
    ["a fence past a row in a quote in its text", "> ```\n> > ```\n> ", "\n> ```"],
    ["a fence in a quote, after one of a quote in an item", "- a\n  > ```\n> foo\n> ```\n> ", "\n> ```"],
    ["a fence in a quote, after an indented row like one", "     > ```\n> ```\n> ", "\n> ```"],
    ["a fence indented by three in a quote", ">    ```\n> ", "\n> ```"],
    ["a fence in a quote, after one closed by an indented row", "> ```\n>    ```\n> ```\n> ", "\n> ```"],
    ["a fence after a comment", "<!--\n```\n-->\n```\n", "\n```"],
    ["a fence after HTML", "<pre>\n```\n\n</pre>\n```\n", "\n```"],
    ["a fence after HTML up to a blank line", "<div>\n>\n```\n\n```\n", "\n```"],
    ["a span", "`", "`"],
    ["a span with words", "say `a b ", " c` so"],
    ["a span over lines", "say `a\n", "\nb` so"],
    ["a span of two, past one", "``a ` ", "``"],
    ["a span in which a backslash is one", "`\\", "\\` x"],
    ["a span of three at the start of a line", "```a` ", "```"],
    ["the second of two spans", "`a` `", "`"],
    ["a span after backticks that nothing closes", "x ``` ` ", " `"],
    ["a span after those, past another", "x ``` `a` `` ", " ``"],
    ["a span after those, behind a backtick that is escaped", "x ``` \\``a ", " `"],
    ["a span at the end of a row that was no closer", "`` ` ", " `` "],
  ])("%s", (_, before, after) => {
    expect(isCode(before, after)).toBe(true);
  });
});

describe("no code", () => {
  test.each([
    ["text", "x ", " y"],
    ["after a fence", "```\nx\n```\n", ""],
    ["after a fence closed by a longer row", "```\nx\n`````  \n", ""],
    ["after a fence closed by an indented row", "```\nx\n   ```\t\n", ""],
    ["after a fence in a quote that is over", "> ```\n> x\n", ""],
    ["after a fence of a nested item", "- x\n\n      ```\n      y\n      ```\n", ""],
    ["after a fence of an item", "1. Run:\n   ```sh\n   npm i\n\n     x\n   ```\n2. Done.\n\n", ""],
    ["after a fence on the line of its item", "Try:\n- ```sh\n  npm i\n  ```\n- ", ""],
    [
      "after fences on the lines of items with numbers",
      "\n1. ```\n   x\n   ```\n\n2. ```\n   y\n   ```\n",
      "",
    ],
    ["after a fence that follows on a list", "1. Run:\n```sh\nnpm i\n```\n2. Then:\n```sh\nx\n```\n", ""],
    ["after a fence in a quote", "> ```\n> x\n>\n> ```\n> ", ""],
    ["after a fence in two quotes that are over", "> > ```\n> > x\n> ", ""],
    [
      "after a fence that follows on HTML",
      "<details>\n\n```\nx\n```\n\n</details>\n<!-- y -->\n\n```\n```\n",
      "",
    ],
    ["a row too short for a fence", "~~\n", "\n~~"],
    ["a row indented too far for a fence", "x\n\n    ```\n\n", ""],
    ["a row indented too far, after a list that is over", "- x\n\ny\n\n    ```\n\n", ""],
    ["a row after text is no fence", "x ~~~\n", "\n~~~"],
    ["after a span", "`x` ", ""],
    ["after backticks that nothing closes", "x ` y ", ""],
    ["after quotes made of backticks", "``quoted'' ", "\n"],
    ["after backticks that other backticks do not close", "x ` y ", " ``"],
    ["after backticks that are closed in the next paragraph", "x ` y ", "\n\n`"],
    ["after backticks in the paragraph before", "x ` y\n \t\n", "`"],
    ["after a backtick that is escaped", "\\` ", "`"],
    ["after a backtick that is escaped, and others that nothing closes", "x ``` \\` ", " `"],
    ["after an escaped backslash and a span", "\\\\`x` ", "`"],
    ["between rows of which a fence is one", "x ``` y ", "\n```\n"],
  ])("%s", (_, before, after) => {
    expect(isCode(before, after)).toBe(false);
  });
});

describe("for any text", () => {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constant(`x${probe}`) },
    fc.constantFrom("`", "``", "```", "````", "\n```\n", "\n``` x\n", "\n```` x\n", "\n~~~\n", "\n   ~~~~\n"),
    fc.constantFrom("\n", "\n\n", "\r\n", " ", "a", "\\", "\n \n", "~", "   "),
  );
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));

  test("what CommonMark has as code is code, and nothing else is, but on a line that begins like a fence", () => {
    let probes = 0;
    fc.assert(
      fc.property(text, (said) => {
        const { code, fenceLike } = codeIn(said);
        const shown = probesShown(said);
        const places = placesOf(probe, said);
        probes += places.length;
        // On such a line, what is no code may be taken for it.
        const law = places.map((at, index) => (fenceLike(at) ? code(at) || shown[index] : code(at)));
        expect(shown).toEqual(law);
      }),
      { numRuns: 5000 },
    );
    expect(probes).toBeGreaterThan(5000);
  });
});

/** Of each probe in a text, whether it is shown. To tell them apart, all others are made longer by what nobody takes for one. */
function probesShown(text: string): boolean[] {
  const places = placesOf(probe, text);
  return places.map((_, wanted) => {
    const parts = text.split(probe);
    const only = parts.reduce((said, part, index) => said + (index - 1 === wanted ? probe : "<END>") + part);
    return readSaid(only).visible.includes(probe);
  });
}

function placesOf(wanted: string, text: string): number[] {
  return Array.from(text.matchAll(new RegExp(wanted, "g")), ({ index }) => index);
}

/** The same law, for whole texts without quotes and lists, and as slow as it likes. */
function codeIn(text: string) {
  const ranges: [number, number][] = [];
  const likeFences: [number, number][] = [];
  let paragraph: { start: number; end: number } | undefined;
  let fence: string | undefined;
  const endParagraph = () => {
    if (paragraph !== undefined) ranges.push(...spansIn(text, paragraph.start, paragraph.end));
    paragraph = undefined;
  };
  for (const { 0: whole, 1: line = "", index } of text.matchAll(/(.*)(?:\r\n|\n|\r|$)/g)) {
    const end = index + whole.length;
    if (/^ {0,3}```/.test(line)) likeFences.push([index, end]);
    if (fence !== undefined) {
      ranges.push([index, end]);
      const row = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
      if (row?.startsWith(fence)) fence = undefined;
      continue;
    }
    const opener = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line);
    if (opener !== null || /^[ \t]*$/.test(line)) endParagraph();
    else paragraph = { start: paragraph?.start ?? index, end };
    if (opener !== null) {
      fence = opener[1] ?? opener[2];
      ranges.push([index, end]);
    }
  }
  endParagraph();
  const isIn = (list: readonly [number, number][]) => (at: number) =>
    list.some(([from, to]) => at >= from && at < to);
  return { code: isIn(ranges), fenceLike: isIn(likeFences) };
}

function spansIn(text: string, start: number, end: number): [number, number][] {
  const spans: [number, number][] = [];
  const inside = text.slice(0, end);
  for (let at = start; at < end; at++) {
    if (text[at] === "\\") {
      at += 1;
      continue;
    }
    if (text[at] !== "`") continue;
    const row = /^`+/.exec(inside.slice(at))?.[0] ?? "";
    const closer = new RegExp(`(?<!\`)${row}(?!\`)`, "g");
    closer.lastIndex = at + row.length;
    const found = closer.exec(inside);
    if (found !== null) spans.push([at, found.index]);
    at = (found?.index ?? at) + row.length - 1;
  }
  return spans;
}
