import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { aCall, aNote, cutSpeech, markers, speech } from "../../../test-data/hostile-speech.ts";
import { MarkdownCode } from "./markdown-code.ts";
import { readSaid } from "./read-answer.ts";
import { type BlockListener, VisibleStream } from "./visible-stream.ts";

/** What is shown after each piece, and at the end. */
function shownOf(pieces: readonly string[]): string[] {
  const stream = new VisibleStream();
  return [...pieces.map((piece) => stream.push(piece)), stream.end()];
}

const visibleOf = (text: string) => shownOf([text]).join("");

describe("something taken out leaves one gap", () => {
  test.each([
    ["of the blank lines that were there", `a\n\n${aNote}\n\nb`, "a\n\nb"],
    ["of the side that has more", `a\n\n\n${aNote}\nb`, "a\n\n\nb"],
    ["of the side that has more", `a ${aNote}\n\nb`, "a\n\nb"],
    ["of the side that has more", `a\r\n\r\n${aNote}\n\n\nb`, "a\n\n\nb"],
    ["of a line", `a\n${aNote}\nb`, "a\nb"],
    ["of a line", `a\n${aNote}b`, "a\nb"],
    ["of a line as it is written elsewhere", `a\r\n${aNote}\r\nb`, "a\r\nb"],
    ["of a space", `a ${aNote} b`, "a b"],
    ["even where there was none", `a${aNote}b`, "a b"],
    ["whatever was taken out", "a\n\n<think>hm</think>\n\nb", "a\n\nb"],
    ["also of several", `a\n\n${aNote}\n\n<think>hm</think>\n\n${aCall}\n\nb`, "a\n\nb"],
    ["with the indentation of what follows", `- a\n${aNote}\n  - b`, "- a\n  - b"],
    ["and none at the beginning", `<think>hm</think>\n\n${aNote}\nb`, "b"],
    ["and none at the beginning", `\n ${aNote} b`, " b"],
    ["and none at the end", `a \n\n${aNote}\n\n${aCall}\n`, "a"],
    ["and nothing of nothing", ` ${aNote}\n\n${aCall}\n`, ""],
  ])("%s: %j", (_, text, visible) => {
    expect(visibleOf(text)).toBe(visible);
  });
});

describe("it is shown as soon as it is clear what it is", () => {
  test.each([
    ["words", ["Hello", " wor", "ld", "\n"], ["Hello", " wor", "ld", "", "\n"]],
    ["a bracket", ["a <", "b", " <", "<", "<N", "O "], ["a", " <b", "", "", "", " <<<NO", " "]],
    [
      "a marker in pieces",
      ["a <<", "<NOTES_", "JSON>>", ">{", "}<<<END_NOTES_JSON>>", ">"],
      ["a", "", "", "", "", "", ""],
    ],
    ["what comes after it", [`a\n${aNote}`, "\n", "b"], ["a", "", "\nb", ""]],
    ["a tag", ["a<t", "hink", "er>", "<THIN", "K>b</think", ">c"], ["a", "", "<thinker>", "", "", " c", ""]],
    ["another bracket", ["a [", "b] [", "THI", "NG"], ["a", " [b]", "", " [THING", ""]],
    ["another tag", ["a[TH", "INK]b[/THI", "NK]c"], ["a", "", " c", ""]],
    ["a channel", ["<|channel|>ana", "lysis<|message|>b<|chan", "nel|>final<|message|>c"], ["", "", "c", ""]],
    ["a bracket in code", ["```\n<", "<<NOTES", "_JSON>>>"], ["```\n<", "<<NOTES", "_JSON>>>", ""]],
    ["a marker after backticks that are closed", [`\`${aNote}`, "`", " b"], ["`", "", `${aNote}\` b`, ""]],
    [
      "a marker after backticks that are not",
      [`\`${aNote}`, "``", "\n\n", "b"],
      ["`", "", "``".padStart(3), "\n\nb", ""],
    ],
    ["a whole character only", ["\ud83d", "\ude00", "\ud83d"], ["", "😀", "", "\ud83d"]],
  ])("%s", (_, pieces, shown) => {
    expect(shownOf(pieces)).toEqual(shown);
  });
});

describe("for any text", () => {
  test("cut anywhere, the same is shown and the same blocks are told", () => {
    fc.assert(
      fc.property(cutSpeech, ({ text, pieces }) => {
        expect(pieces.join("")).toBe(text);
        expect(told(pieces)).toEqual(told([text]));
        expect(told(Array.from({ length: text.length }, (_, at) => text.charAt(at)))).toEqual(told([text]));
        expect(readSaid(text).visible).toBe(visibleOf(text));
      }),
      { numRuns: 1000 },
    );
  });

  // proves LIVE-2.37, LIVE-3.11
  test("nothing is shown that would not be shown whatever comes next, and nothing but blanks is held back that would be", () => {
    const next = [
      "",
      "x",
      " x",
      "`",
      "`x",
      "``x",
      "```x",
      "````x",
      "x`x",
      "x```x",
      "\n\nx",
      "\n```\n",
      ">",
      "\udc00",
    ];
    const opened = [
      ...markers,
      "<think>",
      "</think>",
      "<thinking>",
      "</thinking>",
      "<reasoning>",
      "</reasoning>",
    ];
    const restsOf = (token: string) => Array.from({ length: token.length }, (_, at) => token.slice(at));
    const continuations = [...next, ...opened.flatMap(restsOf)];
    fc.assert(
      fc.property(speech, (text) => {
        const shown = shownOf([text])[0] ?? "";
        const futures = continuations.map((more) => visibleOf(text + more));
        const common = wholeCharacters(futures.reduce(commonStart));
        expect(common.slice(0, shown.length)).toBe(shown);
        // After backticks it may wait to see whether they are closed, though the next characters are the same in either case.
        const late = text.includes("`") ? "" : common.slice(shown.length);
        expect(late.trim()).toBe("");
      }),
      { numRuns: 1000 },
    );
  });

  test("nothing of it is shown that is not in it, and nothing but blanks is added", () => {
    fc.assert(
      fc.property(speech, (text) => {
        let at = 0;
        for (const unit of visibleOf(text).replaceAll(/\s/g, "").split("")) {
          at = text.indexOf(unit, at) + 1;
          expect(at).toBeGreaterThan(0);
        }
      }),
      { examples: [["\ud83d<<<END_NOTES_JSON>>>\ude00"]] },
    );
  });

  test("one with no marker and no tag is shown as it is", () => {
    const plain = speech.map((text) => text.replaceAll(/<(?=<<|[/|a-z])|\[(?=\/?THINK)|◁/gi, "("));
    fc.assert(
      fc.property(plain, (text) => {
        expect(visibleOf(text)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a long text", () => {
  const rows = Array.from({ length: 400 }, (_, index) => `${"`".repeat(index + 1)}${aNote} `).join("");
  const units = [
    "<",
    "`",
    "~",
    "\n",
    "\r",
    " ",
    ">",
    "-",
    "\ud800",
    "\\`",
    "\\``",
    "a <B",
    "- ",
    "\n```\n",
    "\n> ```",
  ];
  const torn = [
    "<|channel|>analysis<|channel|>",
    "[THINK",
    "<<<END_NOTES_JSO",
    "<think>",
    "</think>\n",
    "` <think>",
    "`<think>` ",
  ];
  const whole = [aNote, `\n${aNote}\n`, `\`\`${aNote}\``, `x \`\`\` \\\`\`${aNote}`, rows, `${rows}\n\n`];
  const worst = [...units, ...torn, ...markers, ...whole];

  test.each(worst.map((one) => [one.slice(0, 20), one] as const))(
    "of %j is looked at twice at most",
    (_, one) => {
      const text = one.repeat(Math.ceil(100_000 / one.length));
      expect(feedsOf(text)).toBeLessThanOrEqual(2 * text.length);
    },
  );
});

function told(pieces: readonly string[]) {
  const events: string[] = [];
  let block = "";
  const listener: BlockListener = {
    opened: (kind) => void events.push(kind),
    wrote: (piece) => {
      block += piece;
    },
    closed: () => {
      events.push(block);
      block = "";
    },
    reasoned: () => void events.push("reasoned"),
  };
  const stream = new VisibleStream(listener);
  const shown = pieces.map((piece) => stream.push(piece)).join("") + stream.end();
  return { shown, events, block };
}

/** How often a unit of the text is looked at for what it means in Markdown. */
function feedsOf(text: string): number {
  const spy = vi.spyOn(MarkdownCode.prototype, "feed");
  visibleOf(text);
  const feeds = spy.mock.calls.length;
  spy.mockRestore();
  return feeds;
}

function commonStart(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return a.slice(0, at);
}

function wholeCharacters(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "");
}
