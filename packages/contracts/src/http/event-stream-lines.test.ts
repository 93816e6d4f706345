import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EventStreamLines, readEventStreamLine } from "./event-stream-lines.ts";

test("a line ends in CR, in LF, or in both, and what is not at its end is kept", () => {
  const lines = new EventStreamLines();
  expect(lines.push("a\rb\nc\r\n\r\n\n\rd")).toStrictEqual(["a", "b", "c", "", "", ""]);
  expect(lines.rest).toBe("d");
});

test("wherever the text is cut, the lines are the same", () => {
  const piece = fc.constantFrom("\r", "\n", "\r\n", "a", "data: b", ":", " ");
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat({ max: 30 })), (pieces, cuts) => {
      const text = pieces.join("");
      const whole = new EventStreamLines();
      const wanted = whole.push(text);
      const cut = new EventStreamLines();
      const places = [
        0,
        ...cuts.map((at) => Math.min(at, text.length)).toSorted((a, b) => a - b),
        text.length,
      ];
      const got = places.slice(1).flatMap((to, index) => cut.push(text.slice(places[index], to)));
      expect([got, cut.rest]).toStrictEqual([wanted, whole.rest]);
    }),
  );
});

test.each([
  ["data: x", "data", "x"],
  ["data:  x", "data", " x"],
  ["data:x:y", "data", "x:y"],
  ["data", "data", ""],
  [": said to nobody", "", "said to nobody"],
  ["", "", ""],
])("of %j the field is %j and the value %j", (line, field, value) => {
  expect(readEventStreamLine(line)).toStrictEqual({ field, value });
});
