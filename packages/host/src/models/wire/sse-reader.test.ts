import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SseReader } from "./sse-reader.ts";

const read = (pieces: readonly string[]) => {
  const reader = new SseReader();
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
};

test("wherever a stream is cut, and whatever its line ends are, it says the same", () => {
  const line = fc.constantFrom(
    "data: a",
    "data:b",
    "data",
    ": ping",
    "event: e",
    "id: 1",
    "",
    "",
    "data: {:}",
  );
  const ends = fc.constantFrom("\n", "\r\n", "\r");
  fc.assert(
    fc.property(fc.array(line), ends, fc.array(fc.nat(60)), (lines, end, cuts) => {
      const text = lines.map((one) => one + end).join("");
      const places = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
      expect(read(pieces)).toStrictEqual(read([lines.map((one) => `${one}\n`).join("")]));
    }),
  );
});

test("data over several lines is one text, comments are none, and the end needs no empty line", () => {
  expect(read(["event: x\ndata: a\ndata: b\n\n: hm\n\nid: 3\n\ndata: [DONE]"])).toStrictEqual([
    { event: "x", data: "a\nb" },
    { event: "", data: "[DONE]" },
  ]);
});
