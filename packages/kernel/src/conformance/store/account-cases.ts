import assert from "node:assert/strict";
import type { DocumentWrite } from "../../store/store.ts";
import { inTurn } from "../in-turn.ts";
import {
  account,
  append,
  commits,
  recordsOf,
  row,
  type StoreCase,
  seal,
  stored,
  stranger,
  unit,
  writerOf,
} from "./store-case.ts";

const document = { kind: "session", accountId: account, id: "s-1" };
const claim = { accountId: account, scope: "tool", key: "k" };
const strangersDocument = { ...document, accountId: stranger };
const strangersClaim = { ...claim, accountId: stranger };
const made = { ...document, status: "open", revision: 1, body: "mine" };
const taken = { ...claim, digest: "d", expiresAt: 2_000, ref: "mine" };

/** One document and one claim of the account, and nothing of the stranger. */
const possessions = unit({
  documents: [{ ...document, type: "put", expects: 0, status: "open", body: "mine" }],
  claims: [{ ...taken, type: "take" }],
});

/** I1: what is another account's is not there. */
export const accountCases: readonly StoreCase[] = [
  {
    name: "I1: another account's stream reads like a missing one, and cannot be leased",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const record = seal(writer.head, "mine", [row("one", "mine")]);
      await commits(store, append(writer, record));
      const theirs = await store.readStream({ stream: "run-1", accountId: stranger, limit: 10 });
      const missing = await store.readStream({ stream: "run-none", accountId: stranger, limit: 10 });
      assert.deepStrictEqual([theirs, missing], [[], []]);
      await store.release("run-1", writer.epoch);
      assert.deepStrictEqual(await store.lease("run-1", stranger, writer.head.hash), { type: "held" });
      assert.deepStrictEqual(await recordsOf(store, "run-1", stranger), []);
      assert.deepStrictEqual(await recordsOf(store), [stored(record)]);
      assert.deepStrictEqual((await writerOf(store)).head, { seq: 1, hash: record.hash });
    },
  },
  {
    name: "I1: another account's content is erased like missing content: not at all",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const record = seal(writer.head, "mine", [row("one", "mine")]);
      await commits(store, append(writer, record));
      const erasures = ["run-1", "run-none"].map((stream) => ({
        stream,
        accountId: stranger,
        seq: 1,
        ref: "content_one",
      }));
      await inTurn(erasures, async (erasure) =>
        assert.deepStrictEqual(await store.commit(unit({ erasures: [erasure] })), {
          type: "conflict",
          on: "content",
          erasure,
        }),
      );
      assert.deepStrictEqual(await recordsOf(store), [stored(record)]);
    },
  },
  {
    name: "I1: another account's document reads like a missing one, in every way of reading",
    run: async ({ store }) => {
      await commits(store, possessions);
      assert.equal(await store.document(strangersDocument), undefined);
      const query = { kind: "session", accountId: stranger, limit: 10 };
      assert.deepStrictEqual(await store.documents(query), []);
      assert.deepStrictEqual(await store.documents({ ...query, status: "open" }), []);
      assert.deepStrictEqual(await store.documents({ ...query, after: "" }), []);
      assert.deepStrictEqual(await store.documentsById("session", stranger, ["s-1"]), []);
      assert.deepStrictEqual(await store.accountsWith("session", "open"), [account]);
    },
  },
  {
    name: "I1: a write to another account's document is answered as for a missing one, and changes nothing",
    run: async ({ store }) => {
      await commits(store, possessions);
      const writes: DocumentWrite[] = [
        { ...strangersDocument, type: "put", expects: 1, status: "stolen", body: "theirs" },
        { ...strangersDocument, type: "remove", expects: 1 },
      ];
      await inTurn(writes, async (write) =>
        assert.deepStrictEqual(await store.commit(unit({ documents: [write] })), {
          type: "conflict",
          on: "document",
          key: strangersDocument,
          revision: 0,
        }),
      );
      assert.deepStrictEqual(await store.document(document), made);
    },
  },
  {
    name: "I1: another account's claim reads and is written like a missing one",
    run: async ({ store }) => {
      await commits(store, possessions);
      assert.equal(await store.claim(strangersClaim, 1_000), undefined);
      const theirs = { ...taken, accountId: stranger, ref: "theirs" };
      const writes = [
        { ...theirs, type: "update" },
        { ...strangersClaim, type: "release", digest: "d" },
      ] as const;
      await inTurn(writes, async (write) =>
        assert.deepStrictEqual(await store.commit(unit({ claims: [write] })), {
          type: "conflict",
          on: "claim",
          key: strangersClaim,
        }),
      );
      assert.deepStrictEqual(await store.claim(claim, 1_000), taken);
    },
  },
  {
    name: "I1: the same ids in two accounts, and in the installation's own, do not meet",
    run: async ({ store }) => {
      const accounts = [account, stranger, ""];
      const one = (accountId: string) =>
        unit({
          documents: [{ ...document, accountId, type: "put", expects: 0, status: "open", body: accountId }],
          claims: [{ ...taken, accountId, ref: accountId, type: "take" }],
        });
      await commits(store, ...accounts.map(one));
      await inTurn(accounts, async (accountId) => {
        const whole = { ...made, accountId, body: accountId };
        assert.deepStrictEqual(await store.document({ ...document, accountId }), whole);
        assert.deepStrictEqual(await store.documents({ kind: "session", accountId, limit: 10 }), [whole]);
        const standing = { ...taken, accountId, ref: accountId };
        assert.deepStrictEqual(await store.claim({ ...claim, accountId }, 1_000), standing);
      });
      await commits(
        store,
        unit({
          documents: [{ ...strangersDocument, type: "remove", expects: 1 }],
          claims: [{ ...strangersClaim, type: "release", digest: "d" }],
        }),
      );
      assert.deepStrictEqual(await store.document(document), { ...made, body: account });
      assert.deepStrictEqual(await store.claim(claim, 1_000), { ...taken, ref: account });
    },
  },
  {
    name: "I1: names that read the same when they are put together do not meet",
    run: async ({ store }) => {
      const parts = [
        ["a", "b", "c"],
        ["ab", "", "c"],
        ["", "ab", "c"],
        ["a", "bc", ""],
        ["", "", "abc"],
        ["1:a", "b", "c"],
      ] as const;
      const documents = parts.map(([accountId, kind, id]) => ({
        accountId,
        kind,
        id,
        status: "s",
        body: "b",
      }));
      const claims = parts.map(([accountId, scope, key]) => ({ ...taken, accountId, scope, key }));
      await commits(
        store,
        unit({
          documents: documents.map((one) => ({ ...one, type: "put", expects: 0 })),
          claims: claims.map((one) => ({ ...one, type: "take" })),
        }),
      );
      await inTurn(documents, async (one) => {
        const found = await store.documents({ kind: one.kind, accountId: one.accountId, limit: 9 });
        assert.deepStrictEqual(found, [{ ...one, revision: 1 }]);
      });
      await inTurn(claims, async (one) => assert.deepStrictEqual(await store.claim(one, 1_000), one));
    },
  },
];
