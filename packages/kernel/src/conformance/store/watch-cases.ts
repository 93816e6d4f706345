import assert from "node:assert/strict";
import type { Watched } from "../../store/store.ts";
import {
  account,
  append,
  commits,
  genesis,
  given,
  type StoreCase,
  sealAll,
  stranger,
  unit,
  writerOf,
} from "./store-case.ts";

const note = (id: string, accountId = account) => ({ kind: "inbox", accountId, id }) as const;
const put = (id: string, expects: number, accountId = account) =>
  ({ ...note(id, accountId), type: "put", expects, status: "open", body: "{}" }) as const;
const stream = (name: string, seq: number, accountId = account): Watched => ({
  type: "stream",
  accountId,
  stream: name,
  seq,
});
const document = (id: string, revision: number, accountId = account): Watched => ({
  type: "document",
  ...note(id, accountId),
  revision,
});

const byName = (moved: readonly Watched[]) => moved.map((watched) => JSON.stringify(watched)).toSorted();

/** Whoever watches many things asks with one question which of them have moved. */
export const watchCases: readonly StoreCase[] = [
  {
    name: "of what is watched those are told that have moved, each with what is there now",
    run: async ({ store }) => {
      const one = await writerOf(store, "run-1");
      await writerOf(store, "run-2");
      const other = await writerOf(store, "run-3", stranger, genesis);
      await commits(store, append(one, ...sealAll(one.head, ["a", "b", "c"])));
      await commits(store, append(other, ...sealAll(other.head, ["d"])));
      await commits(
        store,
        unit({ documents: [put("n", 0), put("m", 0)] }),
        unit({ documents: [put("m", 1)] }),
      );
      const still = [
        stream("run-1", 3),
        stream("run-2", 0),
        stream("run-none", 0),
        stream("run-3", 1, stranger),
        document("n", 1),
        document("m", 2),
        document("none", 0),
      ];
      assert.deepStrictEqual(await store.moved(still), []);
      assert.deepStrictEqual(await store.moved([]), []);
      const known = [stream("run-1", 1), ...still, document("n", 0), document("m", 1), document("none", 4)];
      assert.deepStrictEqual(
        byName(await store.moved(known)),
        byName([stream("run-1", 3), document("n", 1), document("m", 2), document("none", 0)]),
      );
    },
  },
  {
    name: "I1: of another account's stream or document nothing is told",
    run: async ({ store }) => {
      const writer = await writerOf(store, "run-1");
      await commits(
        store,
        append(writer, ...sealAll(writer.head, ["a"])),
        unit({ documents: [put("n", 0)] }),
      );
      assert.deepStrictEqual(
        await store.moved([stream("run-1", 0, stranger), document("n", 0, stranger)]),
        [],
      );
    },
  },
  {
    name: "what another opened store has written is told, also to one that hears no wakes",
    needs: "beside",
    run: async ({ store, beside }) => {
      const other = await given(beside, "beside")();
      assert.deepStrictEqual(await other.moved([document("n", 0)]), []);
      await commits(store, unit({ documents: [put("n", 0)] }));
      assert.deepStrictEqual(await other.moved([document("n", 0)]), [document("n", 1)]);
      await other.close();
    },
  },
];
