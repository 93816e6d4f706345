import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byUser, memoryDesk } from "../../../test-data/memory-desk.ts";
import type { Memory } from "./memory.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.lorem({ maxCount: 60 }),
);
const source = fc.record(
  {
    type: fc.constantFrom("operator", "user", "model", "tool", "import"),
    name: fc.string({ unit: "binary", maxLength: 30 }),
    revision: fc.integer({ min: 1, max: 9 }),
  },
  { requiredKeys: ["type"] },
);
const tags = fc.array(fc.string({ unit: "binary", maxLength: 20 }), { maxLength: 4 });
const given = fc.record({ text: anyText, tags, source });

const idsFor = async (memory: Memory, text: string) =>
  (await memory.retrieve({ text, limit: 100 })).hits.map(({ item }) => item.memoryId);

describe("for any texts, tags and sources", () => {
  test("what is remembered is found by its own rare word, first, and read back as it was kept", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(given, { minLength: 1, maxLength: 8 }), async (all) => {
        const memory = memoryDesk().open();
        const marked = all.map((one, i) => ({ ...one, text: `${one.text} rareword${i}x` }));
        const items = await memory.rememberAll(marked);
        for (const [i, item] of items.entries()) {
          expect(await idsFor(memory, `Rareword${i}X`)).toEqual([item.memoryId]);
          expect(await memory.get(item.memoryId)).toStrictEqual(item);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("I1: no other account ever sees it; forgotten it is never seen", async () => {
    const accounts = ["one", "two", "three"];
    const step = fc.tuple(fc.constantFrom("remember", "forget"), fc.nat({ max: 2 }), fc.nat({ max: 4 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(given, { minLength: 5, maxLength: 5 }),
        fc.array(step, { maxLength: 25 }),
        async (texts, steps) => {
          const { open, store, search } = memoryDesk();
          const memories = accounts.map((accountId) => open({ accountId }));
          const kept = accounts.map(() => new Set<string>());
          for (const [what, who, which] of steps) {
            const memory = memories[who] as Memory;
            const one = texts[which];
            if (one === undefined) continue;
            const { memoryId } = await memory.remember({ ...one, text: `shared ${one.text}` });
            kept[who]?.add(memoryId);
            if (what !== "forget") continue;
            await memory.forget(memoryId);
            kept[who]?.delete(memoryId);
          }
          const found = await Promise.all(
            memories.map(async (memory) => (await idsFor(memory, "shared")).toSorted()),
          );
          expect(found).toEqual(kept.map((ids) => [...ids].toSorted()));
          const rows = await Promise.all(
            accounts.map((accountId) => store.documents({ kind: "memory", accountId, limit: 99 })),
          );
          expect(rows.map((list) => list.map(({ id }) => id))).toEqual(found);
          const entries = await Promise.all(
            accounts.map((accountId) => search.query({ accountId, text: "shared", limit: 99 })),
          );
          expect(entries.map((list) => list.map(({ id }) => id).toSorted())).toEqual(found);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("an index that says anything brings nothing but what is kept in the account", async () => {
    const { open, search } = memoryDesk();
    const own = await open().rememberAll(["a", "b", "c"].map((text) => ({ text, source: byUser })));
    const other = await open({ accountId: "two" }).rememberAll(
      ["a", "d"].map((text) => ({ text, source: byUser })),
    );
    const ids = [...own, ...other].map(({ memoryId }) => memoryId as string);
    const hit = fc.record({
      id: fc.oneof(fc.constantFrom(...ids), fc.string({ unit: "binary" })),
      score: fc.double(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(hit, { maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (lies, limit) => {
          const lying = { ...search, query: async () => lies };
          const { hits } = await open({ search: lying }).retrieve({ text: "x", limit });
          const named = [...new Set(lies.map(({ id }) => id))].filter((id) =>
            own.some(({ memoryId }) => memoryId === id),
          );
          expect(hits.map(({ item }) => item.memoryId)).toEqual(named.slice(0, limit));
        },
      ),
    );
  });
});
