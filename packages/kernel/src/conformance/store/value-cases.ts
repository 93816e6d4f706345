import assert from "node:assert/strict";
import { hashText } from "@spfunctions/contracts";
import { inTurn } from "../in-turn.ts";
import {
  account,
  append,
  commits,
  genesis,
  recordsOf,
  row,
  type StoreCase,
  seal,
  stored,
  unit,
  writerOf,
} from "./store-case.ts";

/** Texts that a store could take for something else. */
const odd = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "a",
  "A",
  "a ",
  "é",
  "e\u0301",
  "\u{1D11E}\u{10FFFF}",
  "\uFFFD\uFEFF",
  "\n\r\t\u2028",
  "%",
  "_",
  "a%",
  "'",
  '"',
  "`",
  "\\",
  "''",
  "' OR '1'='1",
  "'; DROP TABLE records; --",
  '") OR 1=1 --',
  "$1",
  "?1",
  ":id",
  "NULL",
  "null",
  "0",
  "1e3",
  "[]",
  "\uD834",
  "\uDD1E",
  "__proto__",
  "constructor",
  "7:7:7",
];

/** The bytes hashed are the bytes kept, and a text is only ever a text. */
export const valueCases: readonly StoreCase[] = [
  {
    name: "B22: odd ids name only themselves, as document, claim, stream, account and status",
    run: async ({ store }) => {
      const documents = odd.map((text) => ({
        kind: text,
        accountId: text,
        id: text,
        status: text,
        body: text.toWellFormed(),
      }));
      const claims = odd.map((text) => ({
        accountId: text,
        scope: text,
        key: text,
        digest: text.toWellFormed(),
        expiresAt: 2_000,
        ref: text.toWellFormed(),
      }));
      await commits(
        store,
        unit({
          documents: documents.map((document) => ({ ...document, type: "put", expects: 0 })),
          claims: claims.map((claim) => ({ ...claim, type: "take" })),
        }),
      );
      await inTurn(documents, async (document) => {
        const whole = { ...document, revision: 1 };
        const { kind, accountId, id, status } = document;
        assert.deepStrictEqual(await store.document(document), whole);
        assert.deepStrictEqual(await store.documents({ kind, accountId, limit: 99 }), [whole]);
        assert.deepStrictEqual(await store.documents({ kind, accountId, status, limit: 99 }), [whole]);
        assert.deepStrictEqual(await store.documentsById(kind, accountId, [...odd, id]), [whole, whole]);
        assert.deepStrictEqual(await store.accountsWith(kind, status), [accountId]);
      });
      await inTurn(claims, async (claim) => assert.deepStrictEqual(await store.claim(claim, 1_000), claim));
    },
  },
  {
    name: "B22: ids of one account that differ in anything are different",
    run: async ({ store }) => {
      const puts = odd.map((id) => ({ kind: "k", accountId: account, id, type: "put", expects: 0 }) as const);
      await commits(
        store,
        unit({ documents: puts.map((put, at) => ({ ...put, status: "s", body: `${at}` })) }),
      );
      const found = await store.documents({ kind: "k", accountId: account, limit: 99 });
      assert.deepStrictEqual(
        found.map(({ id, body }) => [id, body]),
        odd.toSorted().map((id) => [id, `${odd.indexOf(id)}`]),
      );
    },
  },
  {
    name: "B22: streams with odd names are different streams",
    run: async ({ store }) => {
      const recordFor = (stream: string) => {
        const text = `${odd.indexOf(stream)} ${stream.toWellFormed()}`;
        return seal({ seq: 0, hash: genesis }, text, [row("one", text, `salt ${text}`)]);
      };
      await inTurn(odd, async (stream) =>
        commits(store, append(await writerOf(store, stream, stream), recordFor(stream))),
      );
      await inTurn(odd, async (stream) =>
        assert.deepStrictEqual(await recordsOf(store, stream, stream), [stored(recordFor(stream))]),
      );
    },
  },
  {
    name: "a text of a megabyte comes back as it was, as record, content and document",
    run: async ({ store }) => {
      const large = '{"é\u{1D11E}\\u0000": "\n"}'.repeat(50_000);
      const writer = await writerOf(store);
      const record = seal(writer.head, large, [row("one", large)]);
      const key = { kind: "k", accountId: account, id: "large" };
      const documents = [{ ...key, type: "put", expects: 0, status: "s", body: large }] as const;
      await commits(store, { ...append(writer, record), documents });
      assert.deepStrictEqual(await recordsOf(store), [stored(record)]);
      assert.equal((await store.document(key))?.body, large);
    },
  },
  {
    name: "the bytes hashed are the bytes kept, also where a text is not well formed",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const texts = ["é\u{1D11E}\u0000", "\uFEFFfirst", "half \uD834", "\uDD1E half", "e\u0301"];
      const record = seal(
        writer.head,
        texts.join("|"),
        texts.map((text, at) => row(`row-${at}`, text)),
      );
      await commits(store, append(writer, record));
      const [found] = await recordsOf(store);
      assert.equal(hashText(`${genesis}\n${found?.text}`), record.hash);
      const hashes = found?.content.map((one) => "text" in one && hashText(one.text));
      assert.deepStrictEqual(hashes, texts.map(hashText));
    },
  },
];
