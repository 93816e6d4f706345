import * as fc from "fast-check";
import { expect, test } from "vitest";
import { turn } from "../../../kernel/test-data/call-waiting.ts";
import { atOnce, Turns } from "./turns.ts";

/** Work that lasts until it is let go. */
function work(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const act = async () => {
    log.push(`${name} begins`);
    await promise;
    return name;
  };
  return { act, resolve, reject };
}

test("a few work at once, the others in the order in which they came, and another place is free meanwhile", async () => {
  const turns = new Turns(2);
  const log: string[] = [];
  const all = ["a", "b", "c", "d"].map((name) => work(log, name));
  const done = all.map(({ act }) => turns.in("one")(act));
  const beside = work(log, "beside");
  const other = turns.in("two")(beside.act);
  await turn();
  expect(log).toStrictEqual(["a begins", "b begins", "beside begins"]);
  all[1]?.resolve();
  await turn();
  expect(log.slice(3)).toStrictEqual(["c begins"]);
  for (const { resolve } of [...all, beside]) resolve();
  expect(await Promise.all([...done, other])).toStrictEqual(["a", "b", "c", "d", "beside"]);
  expect([log.slice(4), turns.places]).toStrictEqual([["d begins"], 0]);
});

test("work that fails makes room as well, and fails for the one who asked", async () => {
  const turns = new Turns(1);
  const log: string[] = [];
  const [first, second] = [work(log, "first"), work(log, "second")];
  const failed = turns.in("one")(first.act);
  const kept = turns.in("one")(second.act);
  first.reject(new Error("the disk does not answer"));
  second.resolve();
  await expect(failed).rejects.toThrow("the disk does not answer");
  expect([await kept, log, turns.places]).toStrictEqual(["second", ["first begins", "second begins"], 0]);
});

test("never more than so many at once, everybody in the end, and nothing is kept of it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.tuple(fc.constantFrom("x", "y"), fc.integer({ min: 0, max: 3 }), fc.boolean()), {
        maxLength: 20,
      }),
      async (most, asked) => {
        const turns = new Turns(most);
        const busy = new Map<string, number>();
        let done = 0;
        const all = asked.map(([place, lasts, fails]) =>
          turns.in(place)(async () => {
            busy.set(place, (busy.get(place) ?? 0) + 1);
            expect(busy.get(place)).toBeLessThanOrEqual(most);
            for (let left = lasts; left > 0; left--) await turn();
            busy.set(place, (busy.get(place) ?? 0) - 1);
            done += 1;
            if (fails) throw new Error("it failed");
          }),
        );
        const ends = await Promise.allSettled(all);
        expect(ends.map(({ status }) => status === "rejected")).toStrictEqual(
          asked.map(([, , fails]) => fails),
        );
        expect([done, turns.places]).toStrictEqual([asked.length, 0]);
      },
    ),
    { numRuns: 50 },
  );
});

test("where there is no turn to wait for, it is done at once", async () => {
  expect(await atOnce(async () => 7)).toBe(7);
});
