import assert from "node:assert/strict";
import type { DocumentQuery, DocumentWrite } from "../../store/store.ts";
import { inTurn } from "../in-turn.ts";
import { account, commits, type StoreCase, stranger, unit } from "./store-case.ts";

const key = { kind: "session", accountId: account, id: "s-1" };

const at = (id: string) => ({ ...key, id });
const write = (documents: readonly DocumentWrite[]) => unit({ documents });
const put = (expects: number, body: string, where = key) =>
  ({ ...where, type: "put", expects, status: "open", body }) as const;
const keep = (body: string) => ({ ...key, type: "keep", status: "kept", body }) as const;
const remove = (expects: number) => ({ ...key, type: "remove", expects }) as const;
const lost = (revision: number) => ({ type: "conflict", on: "document", key, revision });

/** Documents are changed by whoever read them last. */
export const documentCases: readonly StoreCase[] = [
  {
    name: "a document is made where none is, and its revision counts every change from 1",
    run: async ({ store }) => {
      assert.equal(await store.document(key), undefined);
      await commits(store, write([put(0, "a")]));
      assert.deepStrictEqual(await store.document(key), { ...key, status: "open", revision: 1, body: "a" });
      await commits(store, write([put(1, "b")]), write([{ ...put(2, "c"), status: "closed" }]));
      assert.deepStrictEqual(await store.document(key), { ...key, status: "closed", revision: 3, body: "c" });
    },
  },
  {
    name: "a change of another revision than the standing one is a conflict that tells the standing one",
    run: async ({ store }) => {
      assert.deepStrictEqual(await store.commit(write([put(1, "a")])), lost(0));
      await commits(store, write([put(0, "a")]), write([put(1, "b")]));
      await inTurn([0, 1, 3, -1], async (expects) => {
        assert.deepStrictEqual(await store.commit(write([put(expects, "c")])), lost(2));
        assert.deepStrictEqual(await store.commit(write([remove(expects)])), lost(2));
      });
      assert.deepStrictEqual(await store.document(key), { ...key, status: "open", revision: 2, body: "b" });
    },
  },
  {
    name: "keep writes only where nothing is, and is no conflict where something is",
    run: async ({ store }) => {
      await commits(store, write([keep("first")]), write([keep("second")]));
      const kept = { ...key, status: "kept", revision: 1, body: "first" };
      assert.deepStrictEqual(await store.document(key), kept);
    },
  },
  {
    name: "a removed document is gone, and made again it counts from 1",
    run: async ({ store }) => {
      await commits(store, write([put(0, "a")]), write([put(1, "b")]), write([remove(2)]));
      assert.equal(await store.document(key), undefined);
      assert.deepStrictEqual(await store.commit(write([put(2, "c")])), lost(0));
      await commits(store, write([put(0, "d")]));
      assert.equal((await store.document(key))?.revision, 1);
    },
  },
  {
    name: "removing what is not there is a conflict, unless nothing was expected",
    run: async ({ store }) => {
      assert.deepStrictEqual(await store.commit(write([remove(1)])), lost(0));
      await commits(store, write([remove(0)]));
    },
  },
  {
    name: "the writes of one unit see each other, and a conflict tells what stood before the unit",
    run: async ({ store }) => {
      await commits(store, write([put(0, "a"), put(1, "b"), remove(2), keep("c"), put(1, "d")]));
      assert.equal((await store.document(key))?.revision, 2);
      assert.deepStrictEqual(await store.commit(write([put(2, "e"), put(9, "f")])), lost(2));
      assert.deepStrictEqual(await store.document(key), { ...key, status: "open", revision: 2, body: "d" });
    },
  },
  {
    name: "documents are listed in the order of their ids by code unit, page by page",
    run: async ({ store }) => {
      // U+1D11E is written with surrogates, which come before U+FFFD by code unit and after it by code point.
      const ids = ["", "\u0000", "10", "9", "B", "a", "aa", "b", "\u00E9", "\uD7FF", "\u{1D11E}", "\uFFFD"];
      const mixed = ids.map((id, place) => ({ id, place })).toSorted((a, b) => (a.place % 5) - (b.place % 5));
      await commits(store, write(mixed.map(({ id }) => put(0, id, { ...key, id }))));
      const list = async (query: Partial<DocumentQuery>) => {
        const found = await store.documents({ kind: "session", accountId: account, limit: 100, ...query });
        return found.map(({ id }) => id);
      };
      assert.deepStrictEqual(await list({}), ids);
      await inTurn(ids.entries(), async ([place, after]) => {
        assert.deepStrictEqual(await list({ after }), ids.slice(place + 1));
        assert.deepStrictEqual(await list({ after, limit: 2 }), ids.slice(place + 1, place + 3));
      });
      assert.deepStrictEqual(await list({ after: "9z" }), ids.slice(4));
      assert.deepStrictEqual(await list({ after: "\uFFFF" }), []);
      assert.deepStrictEqual(await list({ limit: 0 }), []);
      assert.deepStrictEqual(await list({ limit: -1 }), []);
      assert.deepStrictEqual(await list({ limit: Number.MAX_SAFE_INTEGER }), ids);
      await commits(store, write([put(0, "", at("ab")), { ...at("10"), type: "remove", expects: 1 }]));
      assert.deepStrictEqual(await list({ after: "\u0000", limit: 5 }), ["9", "B", "a", "aa", "ab"]);
    },
  },
  {
    name: "documents are listed by status, and a change of status moves them",
    run: async ({ store }) => {
      await commits(
        store,
        write(["a", "b", "c", "d"].map((id) => put(0, id, at(id)))),
        write([{ ...put(1, "b2", at("b")), status: "closed" }]),
        write([{ ...at("c"), type: "remove", expects: 1 }]),
      );
      const list = async (status: string, after?: string) => {
        const paged = after === undefined ? {} : { after };
        return store.documents({ kind: "session", accountId: account, status, limit: 10, ...paged });
      };
      const open = (id: string) => ({ ...at(id), status: "open", revision: 1, body: id });
      assert.deepStrictEqual(await list("open"), [open("a"), open("d")]);
      assert.deepStrictEqual(await list("open", "a"), [open("d")]);
      assert.deepStrictEqual(await list("closed"), [
        { ...at("b"), status: "closed", revision: 2, body: "b2" },
      ]);
      assert.deepStrictEqual(await list("none"), []);
    },
  },
  {
    name: "documents are found by their ids in the order asked, without the missing ones",
    run: async ({ store }) => {
      await commits(store, write(["a", "b", "c"].map((id) => put(0, id, at(id)))));
      const found = await store.documentsById("session", account, ["c", "none", "a"]);
      assert.deepStrictEqual(
        found.map(({ id, body }) => [id, body]),
        [
          ["c", "c"],
          ["a", "a"],
        ],
      );
      assert.deepStrictEqual(await store.documentsById("session", account, []), []);
      assert.deepStrictEqual(await store.documentsById("other", account, ["a"]), []);
    },
  },
  {
    name: "whoever opens the store learns which accounts have documents of a kind and status",
    run: async ({ store }) => {
      const of = (accountId: string, id: string, status: string) =>
        ({ ...put(0, "", { kind: "run", accountId, id }), status }) as const;
      const runs = [of(stranger, "1", "open"), of(account, "2", "open"), of(account, "3", "open")];
      await commits(store, write([...runs, of("account-c", "4", "closed"), of("", "5", "open")]));
      await commits(store, write([put(0, "", { kind: "other", accountId: "account-d", id: "6" })]));
      assert.deepStrictEqual((await store.accountsWith("run", "open")).toSorted(), ["", account, stranger]);
      assert.deepStrictEqual(await store.accountsWith("run", "closed"), ["account-c"]);
      assert.deepStrictEqual(await store.accountsWith("run", "none"), []);
      assert.deepStrictEqual(
        (await store.accountsWith("run")).toSorted(),
        ["", account, stranger, "account-c"].toSorted(),
      );
    },
  },
];
