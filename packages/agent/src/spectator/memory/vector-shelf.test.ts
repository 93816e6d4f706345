import type { MemoryId } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { VectorShelf } from "./vector-shelf.ts";

const number = fc.integer({ min: -3, max: 3 });
const step = fc.record({
  id: fc.constantFrom("a", "b", "c", "d", "e"),
  vector: fc.option(fc.tuple(number, number)),
});

test("for any puts and removals the nearest are those of a plain list", () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      fc.tuple(number, number),
      fc.integer({ min: 1, max: 4 }),
      (steps, query, limit) => {
        const shelf = new VectorShelf(2, 4);
        const plain = new Map<string, readonly number[]>();
        for (const { id, vector } of steps) {
          if (vector === null) {
            shelf.remove(id as MemoryId);
            plain.delete(id);
            continue;
          }
          const isRoom = plain.has(id) || plain.size < 4;
          expect(shelf.put(id as MemoryId, Float32Array.from(vector))).toBe(isRoom);
          if (isRoom) plain.set(id, vector);
        }
        const scored = Array.from(plain, ([id, [x = 0, y = 0]]) => ({
          id,
          score: x * query[0] + y * query[1],
        }));
        const nearest = scored
          .filter(({ score }) => score > 0)
          .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
        expect(shelf.nearest(Float32Array.from(query), limit)).toEqual(nearest.slice(0, limit));
        expect(shelf.size).toBe(plain.size);
      },
    ),
  );
});

test("it grows beyond what it began with", () => {
  const shelf = new VectorShelf(1, 1000);
  for (let i = 0; i < 1000; i++) expect(shelf.put(`m${i}` as MemoryId, Float32Array.of(i + 1))).toBe(true);
  expect(shelf.put("more" as MemoryId, Float32Array.of(1))).toBe(false);
  expect(shelf.nearest(Float32Array.of(1), 2)).toEqual([
    { id: "m999", score: 1000 },
    { id: "m998", score: 999 },
  ]);
});
