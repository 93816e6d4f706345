import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { visible, visibleJson } from "./visible-text.ts";

const unseen = /[[\p{Cc}\p{Cf}\p{Z}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]--[ ]]/v;
/** What has no look of its own, and shapes what stands on both sides of it. */
const shaping =
  /(?<=\p{Extended_Pictographic})\ufe0f|(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})|(?<=[\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])/gu;
const drivers = ["\n", "\t", "\u001b", "\u009b", "\u202e", "\u2066", "\u2028", "\u007f", "\ufeff", "\ud800"];
const joiners = [
  "\u200d",
  "\u200c",
  "\ufe0f",
  "❤",
  "👩",
  "🏽",
  "\u{1faff}",
  "م",
  "क",
  "\u094d",
  "\u00ad",
  " ",
];
const anyText = fc.string({
  unit: fc.oneof(fc.constantFrom(...drivers, ...joiners), fc.string({ unit: "binary" })),
});

describe("what is shown on a screen", () => {
  test("has ordinary text as it is, in every script", () => {
    const texts = ["notes.read", "größer – «ja»", "日本語", "שלום", "مرحبا", "👩‍👩‍👧 क्षि", "a\u0301"];
    const shaped = ["❤\ufe0f‍🔥", "👩🏽‍🚀", "می\u200cخواهم", "क्\u200dष", "🏳\ufe0f‍🌈", "©\ufe0f"];
    expect([...texts, ...shaped].map((text) => visible(text))).toStrictEqual([...texts, ...shaped]);
  });

  test("has nothing in it that drives a terminal or turns the writing", () => {
    expect(visible("a\u001b[31mb\u009b1m\u0007\u202ec\n\r\td\u2028\ufeff")).toBe(
      String.raw`a\u001b[31mb\u009b1m\u0007\u202ec\n\r\td\u2028\ufeff`,
    );
  });

  test.each([
    ["a soft hyphen", "\u00ad", String.raw`\u00ad`],
    ["what joins graphemes", "\u034f", String.raw`\u034f`],
    ["an Arabic letter mark", "\u061c", String.raw`\u061c`],
    ["fillers of Hangul", "\u115f\u1160\u3164\uffa0", String.raw`\u115f\u1160\u3164\uffa0`],
    ["vowels of Khmer that are not seen", "\u17b4\u17b5", String.raw`\u17b4\u17b5`],
    ["what selects a Mongolian form", "\u180b\u180e\u180f", String.raw`\u180b\u180e\u180f`],
    ["a space without width", "\u200b\u2060", String.raw`\u200b\u2060`],
    ["an empty Braille cell", "\u2800", String.raw`\u2800`],
    ["another space", "\u00a0\u1680\u2003\u202f\u3000", String.raw`\u00a0\u1680\u2003\u202f\u3000`],
    ["annotations", "\ufff9\ufffa\ufffb", String.raw`\ufff9\ufffa\ufffb`],
    ["beams of music", "\u{1d173}\u{1d17a}", String.raw`\u{1d173}\u{1d17a}`],
    ["tags", "\u{e0001}\u{e0020}\u{e007f}", String.raw`\u{e0001}\u{e0020}\u{e007f}`],
    ["selectors of a variation", "a\ufe00\ufe0f\u{e0100}", String.raw`a\ufe00\ufe0f\u{e0100}`],
    ["a letter of private use", "\ue000\u{f0000}", String.raw`\ue000\u{f0000}`],
    ["what is no character", "\uffff\u{1ffff}\u0378", String.raw`\uffff\u{1ffff}\u0378`],
    ["a joiner between letters that are not joined", "a\u200db\u200cc", String.raw`a\u200db\u200cc`],
    ["a joiner that joins nothing", "👩\u200d", String.raw`👩\u200d`],
    ["a second selector", "❤\ufe0f\ufe0f", `❤\ufe0f${String.raw`\ufe0f`}`],
    ["a joiner after a picture that is none yet", "\u{1faff}\u200d👩", String.raw`\u{1faff}\u200d👩`],
  ])("shows %s by its number", (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test("has nothing in it that cannot be seen, whatever is shown", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(visible(text).replaceAll(shaping, "")).not.toMatch(unseen);
      }),
    );
  });

  test("is, as JSON, the same value", () => {
    expect(visibleJson({ a: "\u{e0020}\u3000❤\ufe0f" })).toBe(
      `{"a":"${String.raw`\udb40\udc20\u3000`}❤\ufe0f"}`,
    );
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = visibleJson(value, indent);
        expect(JSON.parse(text)).toStrictEqual(JSON.parse(JSON.stringify(value)));
        expect(text.replaceAll("\n", "").replaceAll(shaping, "")).not.toMatch(unseen);
      }),
    );
  });

  test("is the same after what was shown before as with it", () => {
    fc.assert(
      fc.property(anyText, anyText, (before, text) => {
        fc.pre(!/(?:\u200c|\u200d|[\ud800-\udbff])$/.test(before));
        expect(visible(before) + visible(text, before)).toBe(visible(before + text));
      }),
    );
  });
});
