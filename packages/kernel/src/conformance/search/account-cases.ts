import assert from "node:assert/strict";
import { entriesOf, idsFor, type SearchCase } from "./search-case.ts";

export const searchAccountCases: readonly SearchCase[] = [
  {
    name: "I1: an account finds only what is its own, also under the same id",
    run: async (index) => {
      await index.put([
        ...entriesOf({ a: "rain", b: "rain" }, "one"),
        ...entriesOf({ a: "snow", c: "rain" }, "two"),
      ]);
      assert.deepEqual(await idsFor(index, "rain snow", "one"), ["a", "b"]);
      assert.deepEqual((await idsFor(index, "rain snow", "two")).toSorted(), ["a", "c"]);
      assert.deepEqual(await idsFor(index, "snow", "one"), []);
      assert.deepEqual(await idsFor(index, "rain snow", "three"), []);
      assert.deepEqual(await idsFor(index, "one two rain", ""), []);
    },
  },
  {
    name: "I1: what one account replaces or removes stays for the other",
    run: async (index) => {
      await index.put([...entriesOf({ a: "rain", b: "rain" }, "one"), ...entriesOf({ a: "rain" }, "two")]);
      await index.put(entriesOf({ a: "snow" }, "one"));
      assert.deepEqual(await idsFor(index, "rain", "two"), ["a"]);
      await index.remove("one", ["a", "b"]);
      assert.deepEqual(await idsFor(index, "rain snow", "one"), []);
      assert.deepEqual(await idsFor(index, "rain", "two"), ["a"]);
      await index.remove("two", ["b"]);
      assert.deepEqual(await idsFor(index, "rain", "two"), ["a"]);
    },
  },
  {
    name: "I1: another account's texts change neither what is found nor a single score",
    run: async (index) => {
      const own = entriesOf(
        { a: "rain in Lisbon", b: "rain and wind", c: "a long text about wind and sun" },
        "one",
      );
      await index.put(own);
      const ask = () => index.query({ accountId: "one", text: "rain wind Lisbon volcano", limit: 10 });
      const alone = await ask();
      const others = Array.from({ length: 300 }, (_, i) => [
        `o${i}`,
        `rain volcano ${"Lisbon ".repeat(i % 9)}`,
      ]);
      await index.put(entriesOf(Object.fromEntries(others), "two"));
      assert.deepEqual(await ask(), alone);
      await index.put(own);
      assert.deepEqual(await ask(), alone);
      await index.remove("two", ["o1", "o2"]);
      assert.deepEqual(await ask(), alone);
      await index.rebuild([...entriesOf({ z: "rain rain rain" }, "two"), ...own]);
      assert.deepEqual(await ask(), alone);
    },
  },
];
