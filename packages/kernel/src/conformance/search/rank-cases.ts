import assert from "node:assert/strict";
import { account, entriesOf, idsFor, type SearchCase } from "./search-case.ts";

export const searchRankCases: readonly SearchCase[] = [
  {
    name: "any of the words is enough, and who has more of them comes first",
    run: async (index) => {
      await index.put(
        entriesOf({
          one: "rain falls on these quiet roofs",
          three: "rain and wind over Lisbon roofs",
          two: "rain and wind on quiet roofs",
          none: "a dry day on quiet hills",
        }),
      );
      assert.deepEqual(await idsFor(index, "lisbon wind rain"), ["three", "two", "one"]);
      assert.deepEqual(await idsFor(index, "rain lisbon wind volcano"), ["three", "two", "one"]);
    },
  },
  {
    name: "who has the rarer word comes first",
    run: async (index) => {
      const common = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`c${i}`, "rain falls here"]));
      await index.put(entriesOf({ ...common, z: "volcano falls here" }));
      const [first, ...others] = await idsFor(index, "rain volcano");
      assert.equal(first, "z");
      assert.equal(others.length, 20);
    },
  },
  {
    name: "a word that every entry has still finds them",
    run: async (index) => {
      await index.put(entriesOf({ a: "rain", b: "rain rain wind" }));
      const hits = await index.query({ accountId: account, text: "rain", limit: 10 });
      assert.deepEqual(hits.map(({ id }) => id).toSorted(), ["a", "b"]);
      assert.ok(hits.every(({ score }) => score > 0));
    },
  },
  {
    name: "a word more often, or in a shorter text, counts more",
    run: async (index) => {
      await index.put(
        entriesOf({
          often: "rain rain sun cloud",
          once: "rain wind sun cloud",
          long: "rain wind sun cloud in a text with many more words",
          other: "nothing of that",
          another: "nothing of that either",
        }),
      );
      assert.deepEqual(await idsFor(index, "rain"), ["often", "once", "long"]);
    },
  },
  {
    name: "a word repeated in the query counts once",
    run: async (index) => {
      await index.put(entriesOf({ a: "rain", b: "wind and rain" }));
      const once = await index.query({ accountId: account, text: "rain wind", limit: 10 });
      assert.deepEqual(await index.query({ accountId: account, text: "rain wind RAIN", limit: 10 }), once);
    },
  },
  {
    name: "scores never rise from one hit to the next",
    run: async (index) => {
      const texts = Array.from({ length: 50 }, (_, i) => [
        `e${i}`,
        `rain ${"wind ".repeat(i % 7)} sun${i % 3}`,
      ]);
      await index.put(entriesOf(Object.fromEntries(texts)));
      const hits = await index.query({ accountId: account, text: "rain wind sun1", limit: 100 });
      const scores = hits.map(({ score }) => score);
      assert.equal(scores.length, 50);
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      );
    },
  },
  {
    name: "equals stand in the order of their ids, by code unit",
    run: async (index) => {
      const ids = ["\uffff", "b", "😀", "a", "B", "é", "10", "9"];
      await index.put(ids.map((id) => ({ accountId: account, id, text: "rain" })));
      assert.deepEqual(await idsFor(index, "rain"), ids.toSorted());
      const two = await index.query({ accountId: account, text: "rain", limit: 2 });
      assert.deepEqual(
        two.map(({ id }) => id),
        ids.toSorted().slice(0, 2),
      );
    },
  },
  {
    name: "a limit gives the best of them, and one below 1 gives nothing",
    run: async (index) => {
      await index.put(
        entriesOf({ best: "rain wind", good: "rain sun", poor: "rain sun and clouds over hills" }),
      );
      const found = async (limit: number) => {
        const hits = await index.query({ accountId: account, text: "rain wind", limit });
        return hits.map(({ id }) => id);
      };
      assert.deepEqual(await found(0), []);
      assert.deepEqual(await found(-1), []);
      assert.deepEqual(await found(1), ["best"]);
      assert.deepEqual(await found(2), ["best", "good"]);
      assert.deepEqual(await found(3), ["best", "good", "poor"]);
      assert.deepEqual(await found(1_000_000), ["best", "good", "poor"]);
    },
  },
  {
    name: "among 2,000 entries one is found, and of all the best",
    run: async (index) => {
      const texts = Array.from({ length: 2000 }, (_, i) => [
        `entry_${i}`,
        `shared by all, number${i} alone${i === 1234 ? " shared" : ""}`,
      ]);
      await index.put(entriesOf(Object.fromEntries(texts)));
      assert.deepEqual(await idsFor(index, "number777"), ["entry_777"]);
      assert.equal((await idsFor(index, "shared")).length, 2000);
      const [best, ...others] = await index.query({ accountId: account, text: "shared", limit: 10 });
      assert.equal(best?.id, "entry_1234");
      assert.equal(others.length, 9);
    },
  },
];
