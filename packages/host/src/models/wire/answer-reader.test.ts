import * as fc from "fast-check";
import { expect, test } from "vitest";
import { AnswerReader } from "./answer-reader.ts";

function read(pieces: readonly string[], type = "") {
  const reader = new AnswerReader(type);
  const heard = pieces.flatMap((piece) => reader.push(piece));
  return reader.isNeither ? "neither" : [...heard, ...reader.end()];
}

const whole = (data: string) => [{ data, isWhole: true }];
const event = (data: string) => [{ data, isWhole: false }];

test.each([
  ['{"a":\n1}', whole('{"a":\n1}')],
  ['\uFEFF\n\n  [{"error":1}]', whole('[{"error":1}]')],
  ["data:a\n\n", event("a")],
  ["\r\n: ping\r\n\r\nevent: e\r\ndata: a\r\ndata: b\r\n\r\n", event("a\nb")],
  ["id: 1\ndata: a", event("a")],
  ["<!doctype html><p>data: a\n\n", "neither"],
  ["database is down", "neither"],
  // So little that nobody can know what it was to be.
  ["", []],
  [" \n", []],
  ["dat", []],
])("what an answer is follows from how it begins, wherever it is cut: %j", (text, expected) => {
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), (cuts) => {
      const places = [0, ...cuts.toSorted((one, other) => one - other), text.length];
      const pieces = places.slice(1).map((place, at) => text.slice(places[at], place));
      expect(read(pieces)).toStrictEqual(expected);
    }),
  );
});

test("what is called a stream is one, also where its first line says nothing", () => {
  expect(read(["odd: 1\ndata: a\n\n"], "text/event-stream; charset=utf-8")).toStrictEqual(event("a"));
  expect(read(["odd: 1\ndata: a\n\n"])).toBe("neither");
});
