import assert from "node:assert/strict";
import type { SearchEntry, SearchIndex } from "../../search/search-index.ts";
import { inTurn } from "../in-turn.ts";
import { account, entriesOf, idsFor, type SearchCase, sortedIdsFor } from "./search-case.ts";

const before = entriesOf({ old1: "rain and wind", old2: "rain" });
const after = [
  ...entriesOf({ new1: "rain", new2: "snow and rain" }),
  ...entriesOf({ other: "rain" }, "acc_2"),
];

/** Everything that can be seen of the account. */
const seen = (index: SearchIndex) =>
  index.query({ accountId: account, text: "rain wind snow late", limit: 10_000 });

function* oneByOne(entries: readonly SearchEntry[]) {
  yield* entries;
}

async function* slowly(entries: readonly SearchEntry[]) {
  yield* entries.map((entry) => Promise.resolve(entry));
}

const many = Array.from({ length: 700 }, (_, i) => ({
  accountId: account,
  id: `n${i}`,
  text: `rain number${i}`,
}));

export const searchRebuildCases: readonly SearchCase[] = [
  {
    name: "a rebuild replaces everything, from whatever gives entries",
    run: async (index) => {
      const sources = [after, oneByOne(after), new Set(after), slowly(after)];
      await inTurn(sources, async (from) => {
        await index.put([...before, ...entriesOf({ gone: "rain" }, "acc_3")]);
        await index.rebuild(from);
        assert.deepEqual(await sortedIdsFor(index, "rain wind snow"), ["new1", "new2"]);
        assert.deepEqual(await idsFor(index, "rain", "acc_2"), ["other"]);
        assert.deepEqual(await idsFor(index, "rain", "acc_3"), []);
      });
    },
  },
  {
    name: "a rebuilt index is the same as one that was filled",
    run: async (index) => {
      await index.put(after);
      const filled = await seen(index);
      await index.rebuild([...before, ...after]);
      await index.rebuild(after);
      assert.deepEqual(await seen(index), filled);
      await index.put(before);
      await index.remove(account, ["new1", "new2"]);
      assert.deepEqual(await sortedIdsFor(index, "rain"), ["old1", "old2"]);
    },
  },
  {
    name: "a rebuild from nothing leaves nothing, and what is put then is found",
    run: async (index) => {
      await index.put(before);
      await index.rebuild([]);
      assert.deepEqual(await seen(index), []);
      await index.put(after);
      assert.deepEqual(await sortedIdsFor(index, "rain"), ["new1", "new2"]);
    },
  },
  {
    name: "the last of two entries with the same id stays",
    run: async (index) => {
      await index.rebuild([...entriesOf({ a: "rain" }), ...many, ...entriesOf({ a: "snow" })]);
      assert.deepEqual(await idsFor(index, "snow"), ["a"]);
      assert.equal((await idsFor(index, "rain")).length, many.length);
    },
  },
  {
    name: "a source that fails leaves the index as it was, and the fault is passed on",
    run: async (index) => {
      const fault = new Error("the source broke");
      const failing: readonly (() => AsyncIterable<SearchEntry> | Iterable<SearchEntry>)[] = [
        () => ({
          [Symbol.iterator]: () => {
            throw fault;
          },
        }),
        function* () {
          yield* after;
          throw fault;
        },
        async function* () {
          yield* slowly(many);
          throw fault;
        },
      ];
      await index.put(before);
      const untouched = await seen(index);
      await inTurn(failing, async (source) => {
        await assert.rejects(index.rebuild(source()), (error) => error === fault);
        assert.deepEqual(await seen(index), untouched);
        assert.deepEqual(await idsFor(index, "number3"), []);
      });
      await index.rebuild(after);
      assert.deepEqual(await sortedIdsFor(index, "rain"), ["new1", "new2"]);
    },
  },
  {
    name: "a query during a rebuild is answered from before or from after, never from half",
    run: async (index) => {
      await index.put(before);
      const old = await seen(index);
      const during: unknown[] = [];
      await index.rebuild(
        (async function* () {
          for (const entry of many) {
            // oxlint-disable-next-line no-await-in-loop
            during.push(await seen(index));
            yield entry;
          }
          during.push(await seen(index));
        })(),
      );
      assert.equal(during.length, many.length + 1);
      for (const hits of during) assert.deepEqual(hits, old);
      assert.equal((await seen(index)).length, many.length);
    },
  },
  {
    name: "what is put and removed during a rebuild is found at once, and after it",
    run: async (index) => {
      await index.put(before);
      await index.rebuild(
        (async function* () {
          await index.put(entriesOf({ early: "late", n1: "late changed" }));
          yield* many;
          await index.put(entriesOf({ late: "late" }));
          await index.remove(account, ["n0", "early"]);
          assert.deepEqual(await sortedIdsFor(index, "late"), ["late", "n1"]);
        })(),
      );
      assert.deepEqual(await sortedIdsFor(index, "late"), ["late", "n1"]);
      assert.deepEqual(await idsFor(index, "number0 number1"), []);
      assert.equal((await idsFor(index, "rain")).length, many.length - 2);
    },
  },
  {
    name: "what is put during a rebuild that fails stays",
    run: async (index) => {
      await index.put(before);
      const rebuilding = index.rebuild(
        (async function* () {
          yield* after;
          await index.put(entriesOf({ late: "late" }));
          await index.remove(account, ["old1"]);
          throw new Error("the source broke");
        })(),
      );
      await assert.rejects(rebuilding, /the source broke/);
      assert.deepEqual(await sortedIdsFor(index, "rain late"), ["late", "old2"]);
      await index.rebuild(after);
      assert.deepEqual(await sortedIdsFor(index, "rain late"), ["new1", "new2"]);
    },
  },
  {
    name: "of two rebuilds at once the one asked for later is what stays",
    run: async (index) => {
      const first = index.rebuild(slowly(many));
      const second = index.rebuild(after);
      await index.put(entriesOf({ late: "late" }));
      await Promise.all([first, second]);
      assert.deepEqual(await sortedIdsFor(index, "rain late"), ["late", "new1", "new2"]);
    },
  },
];
