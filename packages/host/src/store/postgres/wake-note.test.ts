import * as fc from "fast-check";
import { expect, test } from "vitest";
import { noteIn, wakeNotes } from "./wake-note.ts";

const texts = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));

test("a note says who sent it and names every wake, whatever is in the names", () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(texts, { minLength: 1, maxLength: 20 }), (holder, wakes) => {
      expect(wakeNotes(holder, wakes).map(noteIn)).toStrictEqual([{ holder, wakes }]);
    }),
  );
});

test("a note is never longer than the server carries: wakes that do not fit into one are in the next, in their order", () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 150, maxLength: 400 }), (wakes) => {
      const notes = wakeNotes(7, wakes);
      for (const note of notes) expect(Buffer.byteLength(note)).toBeLessThan(8_000);
      expect(notes.flatMap((note) => noteIn(note).wakes)).toStrictEqual(wakes);
    }),
  );
});

test("wakes too long, too many or without a name are told as missed", () => {
  expect(wakeNotes(7, ["a", "x".repeat(9_000)])).toStrictEqual(["[7]"]);
  expect(wakeNotes(7, ["a", undefined])).toStrictEqual(["[7]"]);
  expect(
    wakeNotes(
      7,
      Array.from({ length: 9_000 }, (_, at) => `wake number ${at}`),
    ),
  ).toStrictEqual(["[7]"]);
});

test("without wakes there is no note", () => {
  expect(wakeNotes(7, [])).toStrictEqual([]);
});
