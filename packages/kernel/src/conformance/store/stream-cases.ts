import assert from "node:assert/strict";
import { inTurn } from "../in-turn.ts";
import {
  account,
  append,
  commits,
  epochConflict,
  genesis,
  headConflict,
  noDigest,
  recordsOf,
  type StoreCase,
  seal,
  sealAll,
  stored,
  textsOf,
  unit,
  writerOf,
} from "./store-case.ts";

/** J3: a stream grows at its end, record by record, by whoever holds it. */
export const streamCases: readonly StoreCase[] = [
  {
    name: "J3: a stream begins with its genesis as head and grows record by record",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      assert.deepStrictEqual(writer.head, { seq: 0, hash: genesis });
      assert.deepStrictEqual(await recordsOf(store), []);
      const first = seal(writer.head, "first");
      const second = seal(first, "second");
      await commits(store, append(writer, first), append(writer, second));
      assert.deepStrictEqual(await recordsOf(store), [stored(first), stored(second)]);
    },
  },
  {
    name: "several records come in one append, several streams and appends in one unit",
    run: async ({ store }) => {
      const one = await writerOf(store, "run-1");
      const two = await writerOf(store, "run-2");
      const ones = sealAll(one.head, ["a", "b", "c", "d"]);
      const twos = sealAll(two.head, ["e", "f"]);
      const appends = [
        { stream: "run-1", epoch: one.epoch, records: ones.slice(0, 3) },
        { stream: "run-2", epoch: two.epoch, records: twos },
        { stream: "run-1", epoch: one.epoch, records: ones.slice(3) },
      ];
      await commits(store, unit({ appends }));
      assert.deepStrictEqual(await recordsOf(store, "run-1"), ones.map(stored));
      assert.deepStrictEqual(await recordsOf(store, "run-2"), twos.map(stored));
    },
  },
  {
    name: "J3: what does not continue the stream is a conflict that tells where the stream ends",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const first = seal(writer.head, "first");
      const second = seal(first, "second");
      await commits(store, append(writer, first, second));
      const next = seal(second, "third");
      const wrong = {
        "another hash before": [{ ...next, prev: noDigest }],
        "a number left out": [{ ...next, seq: 4 }],
        "number 0": [{ ...next, seq: 0 }],
        "a negative number": [{ ...next, seq: -1 }],
        "a number between two": [{ ...next, seq: 2.5 }],
        "the number of the last record": [{ ...next, seq: 2 }],
        "another record in the place of the first": [seal(writer.head, "forged")],
        "a break after a good record": [next, { ...seal(next, "fourth"), prev: noDigest }],
        "the same new record twice over": [next, { ...next, seq: 4 }],
      };
      await inTurn(Object.entries(wrong), async ([what, records]) => {
        const result = await store.commit(append(writer, ...records));
        assert.deepStrictEqual(result, headConflict("run-1", second), what);
      });
      assert.deepStrictEqual(await textsOf(store), ["first", "second"]);
      await commits(store, append(writer, next));
    },
  },
  {
    name: "J3: an empty stream refuses what does not begin at its genesis",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const forged = seal({ seq: 0, hash: noDigest }, "first");
      assert.deepStrictEqual(
        await store.commit(append(writer, forged)),
        headConflict("run-1", { seq: 0, hash: genesis }),
      );
    },
  },
  {
    name: "J3: an append under another epoch, or to a stream that nobody leased, is a conflict",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const record = seal(writer.head, "first");
      await inTurn([writer.epoch + 1, writer.epoch - 1, 0, -1], async (epoch) => {
        const result = await store.commit(append({ ...writer, epoch }, record));
        assert.deepStrictEqual(result, epochConflict("run-1"));
      });
      const nowhere = { ...writer, stream: "run-none" };
      assert.deepStrictEqual(await store.commit(append(nowhere, record)), epochConflict("run-none"));
      assert.deepStrictEqual(await textsOf(store), []);
      assert.deepStrictEqual(await textsOf(store, "run-none"), []);
    },
  },
  {
    name: "an append of no record asks only whether the stream is held",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const key = { kind: "note", accountId: account, id: "n" };
      const documents = [{ ...key, type: "put", expects: 0, status: "open", body: "b" }] as const;
      const fenced = (epoch: number) =>
        unit({ appends: [{ stream: "run-1", epoch, records: [] }], documents });
      assert.deepStrictEqual(await store.commit(fenced(writer.epoch + 1)), epochConflict("run-1"));
      assert.equal(await store.document(key), undefined);
      await commits(store, fenced(writer.epoch));
      assert.equal((await store.document(key))?.revision, 1);
    },
  },
  {
    name: "a stream is read from a number on and up to a limit",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      await commits(store, append(writer, ...sealAll(writer.head, ["1", "2", "3", "4", "5"])));
      const texts = async (from: number | undefined, limit: number) => {
        const range = { stream: "run-1", accountId: account, limit, ...(from === undefined ? {} : { from }) };
        return (await store.readStream(range)).map(({ text }) => text).join("");
      };
      const read = await Promise.all([
        texts(undefined, 100),
        texts(undefined, 2),
        texts(1, 5),
        texts(3, 2),
        texts(5, 9),
        texts(6, 9),
        texts(99, 9),
        texts(2, 0),
        texts(undefined, 0),
        texts(0, 1),
        texts(1, -1),
        texts(1, Number.MAX_SAFE_INTEGER),
      ]);
      assert.deepStrictEqual(read, ["12345", "12", "12345", "34", "5", "", "", "", "", "1", "", "12345"]);
    },
  },
];
