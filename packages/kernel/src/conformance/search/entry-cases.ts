import assert from "node:assert/strict";
import { account, entriesOf, idsFor, type SearchCase, sortedIdsFor } from "./search-case.ts";

export const searchEntryCases: readonly SearchCase[] = [
  {
    name: "what was put is found by each of its words, and by no other",
    run: async (index) => {
      await index.put(entriesOf({ a: "rain in Lisbon", b: "snow in Oslo" }));
      assert.deepEqual(await idsFor(index, "rain"), ["a"]);
      assert.deepEqual(await idsFor(index, "Oslo"), ["b"]);
      assert.deepEqual(await sortedIdsFor(index, "in"), ["a", "b"]);
      assert.deepEqual(await idsFor(index, "wind"), []);
      assert.deepEqual(await idsFor(index, "rai"), []);
    },
  },
  {
    name: "an index that nothing was put into finds nothing",
    run: async (index) => {
      assert.deepEqual(await idsFor(index, "rain"), []);
    },
  },
  {
    name: "an entry put again is replaced, words and length",
    run: async (index) => {
      await index.put(entriesOf({ a: "rain in Lisbon", b: "rain" }));
      await index.put(entriesOf({ a: "snow" }));
      assert.deepEqual(await idsFor(index, "rain lisbon"), ["b"]);
      assert.deepEqual(await idsFor(index, "snow"), ["a"]);
      await index.put(entriesOf({ a: "rain in Lisbon" }));
      await index.put(entriesOf({ a: "rain" }));
      const [first, second] = await index.query({ accountId: account, text: "rain", limit: 10 });
      assert.deepEqual([first?.id, second?.id], ["a", "b"]);
      assert.equal(first?.score, second?.score);
    },
  },
  {
    name: "the last of two entries with the same id in one put stays",
    run: async (index) => {
      await index.put([...entriesOf({ a: "rain" }), ...entriesOf({ a: "snow" })]);
      assert.deepEqual(await idsFor(index, "rain snow"), ["a"]);
      assert.deepEqual(await idsFor(index, "rain"), []);
    },
  },
  {
    name: "what is removed is no longer found, and its words no longer count",
    run: async (index) => {
      await index.put(entriesOf({ b: "rain", c: "snow" }));
      const before = await index.query({ accountId: account, text: "rain snow", limit: 10 });
      await index.put(entriesOf({ a: "rain rain snow wind", d: "rain" }));
      await index.remove(account, ["a", "d"]);
      assert.deepEqual(await index.query({ accountId: account, text: "rain snow", limit: 10 }), before);
    },
  },
  {
    name: "what was removed can be put again",
    run: async (index) => {
      await index.put(entriesOf({ a: "rain" }));
      await index.remove(account, ["a"]);
      assert.deepEqual(await idsFor(index, "rain"), []);
      await index.put(entriesOf({ a: "rain" }));
      assert.deepEqual(await idsFor(index, "rain"), ["a"]);
    },
  },
  {
    name: "putting nothing and removing what is not there changes nothing",
    run: async (index) => {
      await index.remove("acc_nobody", ["a"]);
      await index.put(entriesOf({ a: "rain" }));
      await index.put([]);
      await index.remove(account, []);
      await index.remove(account, ["b", "", "rain"]);
      await index.remove("acc_nobody", ["a"]);
      assert.deepEqual(await idsFor(index, "rain"), ["a"]);
    },
  },
  {
    name: "an entry without words is found by nothing, and can be replaced and removed",
    run: async (index) => {
      await index.put(entriesOf({ a: "", b: " ... ", c: "rain" }));
      assert.deepEqual(await idsFor(index, "rain ..."), ["c"]);
      await index.put(entriesOf({ a: "rain" }));
      await index.remove(account, ["b", "c"]);
      assert.deepEqual(await idsFor(index, "rain"), ["a"]);
    },
  },
  {
    name: "the index keeps its own copy of the list it was given",
    run: async (index) => {
      const entries = entriesOf({ a: "rain" });
      const put = index.put(entries);
      entries.length = 0;
      await put;
      assert.deepEqual(await idsFor(index, "rain"), ["a"]);
    },
  },
  {
    name: "puts at the same time all arrive, and of two for one id one stays whole",
    run: async (index) => {
      const puts = Array.from({ length: 60 }, (_, i) =>
        index.put(entriesOf({ [`own_${i}`]: `common word${i}`, contested: `contested by${i}` })),
      );
      await Promise.all(puts);
      assert.equal((await idsFor(index, "common")).length, 60);
      assert.deepEqual(await idsFor(index, "word7"), ["own_7"]);
      const found = await Promise.all(puts.map((_, i) => idsFor(index, `by${i}`)));
      assert.deepEqual(found.flat(), ["contested"]);
      assert.deepEqual(await idsFor(index, "contested"), ["contested"]);
    },
  },
];
