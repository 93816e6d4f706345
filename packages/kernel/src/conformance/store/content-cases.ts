import assert from "node:assert/strict";
import {
  account,
  append,
  commits,
  recordsOf,
  row,
  type StoreCase,
  seal,
  unit,
  writerOf,
} from "./store-case.ts";

const erasure = { stream: "run-1", accountId: account, seq: 2, ref: "content_one" };
const erased = { ref: "content_one", erased: true };

/** Content lies beside its record and can be erased without touching the chain. */
export const contentCases: readonly StoreCase[] = [
  {
    name: "content is kept beside its record and read back with it",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const plain = seal(writer.head, "plain");
      const content = [row("one", '{"\\n":1,"\\\\":2}'), row("two", "", "s"), erased as never];
      const rich = seal(plain, "rich", content);
      await commits(store, append(writer, plain, rich));
      const read = (await recordsOf(store)).map((record) => record.content);
      assert.deepStrictEqual(read, [[], content]);
    },
  },
  {
    name: "erasing removes text and salt, leaves a mark, and changes neither record nor neighbours",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const first = seal(writer.head, "first", [row("one", "stays")]);
      const second = seal(first, "second", [row("one", "private"), row("two", "stays")]);
      await commits(store, append(writer, first, second), unit({ erasures: [erasure] }));
      assert.deepStrictEqual(await recordsOf(store), [
        { seq: 1, hash: first.hash, text: "first", content: [row("one", "stays")] },
        { seq: 2, hash: second.hash, text: "second", content: [erased, row("two", "stays")] },
      ]);
      await commits(store, append(writer, seal(second, "third")));
    },
  },
  {
    name: "erasing twice is committed and changes nothing",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const first = seal(writer.head, "first");
      await commits(store, append(writer, first, seal(first, "second", [row("one", "private")])));
      await commits(store, unit({ erasures: [erasure, erasure] }), unit({ erasures: [erasure] }));
      assert.deepStrictEqual((await recordsOf(store))[1]?.content, [erased]);
    },
  },
  {
    name: "erasing what is not there is a conflict",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const first = seal(writer.head, "first");
      await commits(store, append(writer, first, seal(first, "second", [row("one", "private")])));
      const missing = [
        { ...erasure, ref: "content_two" },
        { ...erasure, seq: 1 },
        { ...erasure, seq: 3 },
        { ...erasure, seq: 0 },
        { ...erasure, stream: "run-none" },
        { ...erasure, accountId: "account-none" },
      ];
      const results = await Promise.all(missing.map((one) => store.commit(unit({ erasures: [one] }))));
      assert.deepStrictEqual(
        results,
        missing.map((one) => ({ type: "conflict", on: "content", erasure: one })),
      );
      assert.deepStrictEqual((await recordsOf(store))[1]?.content, [row("one", "private")]);
    },
  },
  {
    name: "content can be erased in the unit that brings it",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const record = seal(writer.head, "first", [row("one", "private")]);
      await commits(store, { ...append(writer, record), erasures: [{ ...erasure, seq: 1 }] });
      assert.deepStrictEqual((await recordsOf(store))[0]?.content, [erased]);
    },
  },
];
