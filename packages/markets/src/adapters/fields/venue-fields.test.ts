import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  countField,
  isTicker,
  labelField,
  listField,
  rulesField,
  timeField,
  titleField,
} from "./venue-fields.ts";

const read = (schema: z.ZodType, value: unknown) => schema.safeParse(value).data;

test.each([
  ["2026-12-09T18:59:00Z", Date.UTC(2026, 11, 9, 18, 59)],
  ["2026-10-01T16:20:33.424123Z", Date.UTC(2026, 9, 1, 16, 20, 33, 424)],
  ["2026-12-09T18:59:00+02:00", Date.UTC(2026, 11, 9, 16, 59)],
  ["2026-02-07 20:00:00+00", Date.UTC(2026, 1, 7, 20)],
  ["2026-12-17", Date.UTC(2026, 11, 17)],
  ["2026-12-09T18:59:00", undefined],
  ["2026-13-09T18:59:00Z", undefined],
  ["1969-12-31T23:59:59Z", undefined],
  ["tomorrow", undefined],
  [1_794_916_800, undefined],
  [null, undefined],
])("the time %j is %j", (written, expected) => {
  expect(read(timeField, written)).toBe(expected);
});

test.each([
  "",
  ".",
  "..",
  "../events",
  "a/b",
  "a?b",
  "a#b",
  "a%2fb",
  "a b",
  "a\0",
  "-a",
  "é",
  "a".repeat(256),
])("%j is no ticker", (text) => {
  expect(isTicker(text)).toBe(false);
});

test.each(["KXFED-26DEC-T3.50", "will-the-ecb-cut-rates-in-december", `0x${"a1".repeat(32)}`])(
  "%s is a ticker",
  (text) => {
    expect(isTicker(text)).toBe(true);
  },
);

describe("text", () => {
  test.each([["\u001b[31mred"], ["a\0b"], ["\ud800"], ["a\u009bb"], [" "], [5], ["x".repeat(1_000_000)]])(
    "is no title with %j",
    (text) => {
      expect(read(titleField, text)).toBeUndefined();
      expect(read(labelField, text)).toBeUndefined();
    },
  );

  test.each([
    ["line ends", "Will it rain?\r\nYes\nNo\rMaybe\u2028\u2029so\u0085", "Will it rain? Yes No Maybe  so"],
    ["tabs", "\tWill\tit rain?", "Will it rain?"],
    [
      "marks that turn the reading round",
      "\u202eWill\u202c it\u200f \u2066rain\u2069?\u061c",
      "Will it rain?",
    ],
  ])("is one line, in the order it is written, whatever %s it has", (_, text, line) => {
    expect(read(titleField, text)).toBe(line);
    expect(read(labelField, text)).toBe(line);
  });

  test.each(["\u200e", "\n\u202e\n"])("that is nothing but %j is no text", (text) => {
    expect(read(titleField, text)).toBeUndefined();
  });

  test("of the rules keeps its lines, which end in one way, and its order", () => {
    expect(read(rulesField, "One.\r\n\u202eTwo.\u2028\tThree.")).toBe("One.\nTwo.\n\tThree.");
    expect(read(rulesField, "a\u001b[31m")).toBeUndefined();
  });

  test("that is too long to be read is cut where it is the rules", () => {
    expect(read(rulesField, `a\n${"😀".repeat(50_000)}`)).toHaveLength(20_000);
  });
});

test.each([
  ["8123.50", 8123],
  [0, 0],
  [0.99, 0],
  ["-1", undefined],
  ["1e13", undefined],
  ["many", undefined],
  [Number.NaN, undefined],
  [true, undefined],
])("%j contracts are %j", (written, expected) => {
  expect(read(countField, written)).toBe(expected);
});

test.each([
  ['["Yes", "No"]', ["Yes", "No"]],
  [
    ["Yes", "No"],
    ["Yes", "No"],
  ],
  ["[", undefined],
  ['{"0":"Yes"}', undefined],
  ['["Yes", 1]', undefined],
  ['["\\ud800"]', undefined],
  [7, undefined],
])("the list %j is %j", (written, expected) => {
  expect(read(listField(z.string()), written)).toEqual(expected);
});
