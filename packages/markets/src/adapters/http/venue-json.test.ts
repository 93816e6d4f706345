import { expect, test } from "vitest";
import { parseVenueJson } from "./venue-json.ts";

const parse = (text: string) => parseVenueJson(text, 4_000_000);

test.each([
  ["half a character becomes a NUL", String.raw`["\ud83d","a\uDC00b","\ud83d\ude00"]`, ["\0", "a\0b", "😀"]],
  ["what only looks like half a character stays", String.raw`["\\ud800","\ud800"]`, ["\\ud800", "\0"]],
  ["a number too large becomes its text", "[1e999,-1e999,1]", ["1e999", "-1e999", 1]],
  ["an integer that cannot be held becomes its text", '{"id":9007199254740993}', { id: "9007199254740993" }],
  ["a number within a string is no number", String.raw`["9007199254740993 \ud800"]`, ["9007199254740993 \0"]],
])("%s", (_, text, expected) => {
  expect(parse(text)).toEqual(expected);
});

test("a name from the prototype is a name like others", () => {
  const value = parse(String.raw`{"__proto__":{"ticker":"X"},"a":"\ud800"}`);
  expect(Object.keys(value as object)).toEqual(["__proto__", "a"]);
  expect((value as { ticker?: unknown }).ticker).toBeUndefined();
});

test.each([
  ['["\\ud800", 01]'],
  ['["\\ud800", 1.]'],
  ['["\\ud800"'],
  ['["\\ud800", "no end 12]'],
  ['["\\ud800", "no end \\" 12]'],
  ["[1e999, NaN]"],
  ["[1e999] 2"],
  ['{"a":1e999,"a":1}'],
])("what is not JSON stays so: %s", (text) => {
  expect(() => parse(text)).toThrow(/invalid JSON/);
});

test("a megabyte of escapes is no harm", () => {
  const value = parse(`["\\ud800","${"\\n".repeat(1_000_000)}"]`) as readonly string[];
  expect(value.map((text) => text.length)).toEqual([1, 1_000_000]);
});
