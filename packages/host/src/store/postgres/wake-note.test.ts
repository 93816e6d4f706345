import * as fc from "fast-check";
import { expect, test } from "vitest";
import { noteIn, wakeNote } from "./wake-note.ts";

const texts = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));

test("a note says who sent it and names every wake, whatever is in the names", () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(texts, { minLength: 1, maxLength: 20 }), (holder, wakes) => {
      expect(noteIn(wakeNote(holder, wakes) ?? "")).toStrictEqual({ holder, wakes });
    }),
  );
});

test("a note is never longer than the server carries: then it says that some were missed", () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 150, maxLength: 400 }), (wakes) => {
      const note = wakeNote(7, wakes) ?? "";
      expect(Buffer.byteLength(note)).toBeLessThan(8_000);
      const expected = note === "[7]" ? [undefined] : wakes;
      expect(noteIn(note)).toStrictEqual({ holder: 7, wakes: expected });
    }),
  );
  expect(wakeNote(7, ["x".repeat(9_000)])).toBe("[7]");
});

test("a unit without wakes has no note", () => {
  expect(wakeNote(7, [])).toBeNull();
});
