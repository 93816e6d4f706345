import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Bucket, FullestFirst } from "./fullest-first.ts";

describe("buckets in order", () => {
  test("have the one first that is full first, whatever was added and moved", () => {
    const steps = fc.array(fc.record({ target: fc.nat(40), fullAt: fc.integer({ min: 0, max: 100 }) }));
    fc.assert(
      fc.property(steps, (history) => {
        const order = new FullestFirst();
        const buckets: Bucket[] = [];
        for (const { target, fullAt } of history) {
          const known = buckets[target];
          if (known === undefined) buckets.push(order.add(`k${buckets.length}`, fullAt));
          else order.move(known, fullAt);
          expect(order.first?.fullAt).toBe(Math.min(...buckets.map((bucket) => bucket.fullAt)));
          expect(order.size).toBe(buckets.length);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("have none first while there is none", () => {
    expect(new FullestFirst().first).toBeUndefined();
  });
});
