import assert from "node:assert/strict";
import type { Unit } from "../../store/store.ts";
import { inTurn } from "../in-turn.ts";
import {
  account,
  append,
  commits,
  epochConflict,
  headConflict,
  noDigest,
  recordsOf,
  row,
  type StoreCase,
  seal,
  sealAll,
  stored,
  textsOf,
  unit,
  type Writer,
  writerOf,
} from "./store-case.ts";

const document = { kind: "approval", accountId: account, id: "appr" };
const claim = { accountId: account, scope: "tool", key: "key" };

const intent = (writer: Writer) => seal(writer.head, "intent", [row("one", "one"), row("two", "two")]);

/** A unit with a part of every kind, such as a retry would send again. */
function wholeUnit(writer: Writer): Unit {
  return unit({
    appends: [{ stream: writer.stream, epoch: writer.epoch, records: [intent(writer)] }],
    documents: [{ ...document, type: "put", expects: 0, status: "used", body: "first" }],
    claims: [{ ...claim, type: "take", digest: "d", expiresAt: 2_000, ref: "started" }],
    erasures: [{ stream: writer.stream, accountId: account, seq: 1, ref: "content_one" }],
  });
}

/** The same sealed record may be sent twice: a writer that got no answer asks again. */
export const repetitionCases: readonly StoreCase[] = [
  {
    name: "the same sealed record twice is committed twice and kept once",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const records = sealAll(writer.head, ["first", "second", "third"]);
      await commits(store, append(writer, ...records), append(writer, ...records));
      await commits(store, ...records.map((record) => append(writer, record)));
      assert.deepStrictEqual(await recordsOf(store), records.map(stored));
    },
  },
  {
    name: "records that the stream ends with may be followed by new ones",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const records = sealAll(writer.head, ["first", "second", "third", "fourth"]);
      await commits(store, append(writer, ...records.slice(0, 3)), append(writer, ...records.slice(1)));
      assert.deepStrictEqual(await recordsOf(store), records.map(stored));
    },
  },
  {
    name: "a whole unit sent again is committed, and no part of it is applied twice",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      await commits(store, wholeUnit(writer), wholeUnit(writer));
      const after = [await store.document(document), await store.claim(claim, 1_000), await recordsOf(store)];
      assert.deepStrictEqual(after, [
        { ...document, status: "used", revision: 1, body: "first" },
        { ...claim, digest: "d", expiresAt: 2_000, ref: "started" },
        [{ ...stored(intent(writer)), content: [{ ref: "content_one", erased: true }, row("two", "two")] }],
      ]);
    },
  },
  {
    name: "a unit sent again does not undo what has changed since",
    run: async ({ store }) => {
      const whole = wholeUnit(await writerOf(store));
      const later = unit({
        documents: [{ ...document, type: "remove", expects: 1 }],
        claims: [{ ...claim, type: "release", digest: "d" }],
      });
      await commits(store, whole, later, whole);
      assert.equal(await store.document(document), undefined);
      assert.equal(await store.claim(claim, 1_000), undefined);
    },
  },
  {
    name: "J3: another record under a number that is taken is a conflict, however little differs",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const known = seal(writer.head, "first");
      const second = seal(known, "second");
      await commits(store, append(writer, known, second));
      const others = [
        { ...known, text: "First" },
        { ...known, hash: noDigest },
        { ...known, prev: noDigest },
        { ...second, prev: noDigest },
      ];
      await inTurn(others, async (other) => {
        const result = await store.commit(append(writer, other));
        assert.deepStrictEqual(result, headConflict("run-1", second));
      });
      assert.deepStrictEqual(await textsOf(store), ["first", "second"]);
    },
  },
  {
    name: "J3: a repetition too must come from whoever holds the stream",
    run: async ({ store }) => {
      const before = await writerOf(store);
      const record = seal(before.head, "first");
      await commits(store, append(before, record));
      await store.release("run-1", before.epoch);
      const now = await writerOf(store);
      assert.deepStrictEqual(await store.commit(append(before, record)), epochConflict("run-1"));
      await commits(store, append(now, record));
      assert.deepStrictEqual(await textsOf(store), ["first"]);
    },
  },
  {
    name: "a record sent again after its content was erased is committed, and the content stays erased",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const record = seal(writer.head, "first", [row("one", "private")]);
      const erasures = [{ stream: "run-1", accountId: account, seq: 1, ref: "content_one" }];
      await commits(store, append(writer, record), unit({ erasures }), append(writer, record));
      const [found] = await recordsOf(store);
      assert.deepStrictEqual(found?.content, [{ ref: "content_one", erased: true }]);
    },
  },
];
