import { beforeEach, describe, expect, test } from "vitest";
import { createMemoryStore } from "../store/memory-store.ts";
import type { Store, StoredDocument } from "../store/store.ts";
import { findDocuments } from "./find-documents.ts";
import { createMemorySearchIndex } from "./memory-search-index.ts";
import type { SearchHit } from "./search-index.ts";

const documentOf = (accountId: string, id: string, kind = "memory"): StoredDocument => ({
  kind,
  accountId,
  id,
  status: "kept",
  revision: 1,
  body: `${kind} ${id} of ${accountId}`,
});

const kept = [
  documentOf("one", "a"),
  documentOf("one", "b"),
  documentOf("one", "note", "note"),
  documentOf("two", "a"),
  documentOf("two", "secret"),
];

let store: Store;
beforeEach(async () => {
  store = createMemoryStore();
  const documents = kept.map((document) => ({ ...document, type: "put", expects: 0 }) as const);
  await store.commit({ durability: "process", now: 0, documents });
});

const asked = { kind: "memory", accountId: "one", text: "rain", limit: 10 };

describe("documents are found by words", () => {
  test("through the index, best first, with their scores", async () => {
    const index = createMemorySearchIndex();
    await index.put([
      { accountId: "one", id: "a", text: "rain in a long text about many things" },
      { accountId: "one", id: "b", text: "rain" },
      { accountId: "two", id: "secret", text: "rain" },
    ]);
    const hits = await index.query(asked);
    const found = await findDocuments({ store, search: index }, asked);
    expect(found).toEqual([
      { document: documentOf("one", "b"), score: hits[0]?.score },
      { document: documentOf("one", "a"), score: hits[1]?.score },
    ]);
  });

  test("the index is asked for the account, the text and the limit as given", async () => {
    const questions: unknown[] = [];
    const query = async (question: unknown) => {
      questions.push(question);
      return [];
    };
    expect(await findDocuments({ store, search: { query } }, asked)).toEqual([]);
    expect(questions).toEqual([{ accountId: "one", text: "rain", limit: 10 }]);
  });
});

/** Answers the same to everybody. */
const lying = (hits: readonly SearchHit[]) => ({ query: async () => [...hits] });

describe("I1: an index that lies", () => {
  const lies: SearchHit[] = [
    { id: "secret", score: 9 },
    { id: "b", score: 8 },
    { id: "nowhere", score: 7 },
    { id: "b", score: 6 },
    { id: "note", score: 5 },
    { id: "a", score: 4 },
    { id: "a", score: 3 },
  ];

  test("brings nothing of another account, of another kind, that does not exist, or twice", async () => {
    expect(await findDocuments({ store, search: lying(lies) }, asked)).toEqual([
      { document: documentOf("one", "b"), score: 8 },
      { document: documentOf("one", "a"), score: 4 },
    ]);
  });

  test("brings no more than was asked for", async () => {
    const ports = { store, search: lying(lies) };
    expect(await findDocuments(ports, { ...asked, limit: 2 })).toEqual([
      { document: documentOf("one", "b"), score: 8 },
    ]);
    expect(await findDocuments(ports, { ...asked, limit: 0 })).toEqual([]);
    expect(await findDocuments(ports, { ...asked, limit: -1 })).toEqual([]);
  });

  test("says nothing to an account that has nothing", async () => {
    expect(await findDocuments({ store, search: lying(lies) }, { ...asked, accountId: "three" })).toEqual([]);
  });
});

test("the order is the index's, whatever order the store answers in", async () => {
  const reversed = {
    documentsById: async (...question: Parameters<Store["documentsById"]>) =>
      (await store.documentsById(...question)).toReversed(),
  };
  const hits = [
    { id: "b", score: 1 },
    { id: "a", score: 1 },
  ];
  const found = await findDocuments({ store: reversed, search: lying(hits) }, asked);
  expect(found.map(({ document }) => document.id)).toEqual(["b", "a"]);
});
