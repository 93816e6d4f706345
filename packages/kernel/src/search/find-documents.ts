// I1: what an index answers is a hint. A document comes only from the store, asked with the account of whoever searches.
import type { Store, StoredDocument } from "../store/store.ts";
import type { SearchIndex, SearchQuery } from "./search-index.ts";

export type DocumentSearch = SearchQuery & { readonly kind: string };

export type FoundDocument = { readonly document: StoredDocument; readonly score: number };

/** The account's documents of one kind that fit best, in the index's order. What the store does not have is left out. */
export async function findDocuments(
  ports: { readonly store: Pick<Store, "documentsById">; readonly search: Pick<SearchIndex, "query"> },
  { kind, accountId, text, limit }: DocumentSearch,
): Promise<FoundDocument[]> {
  const hits = await ports.search.query({ accountId, text, limit });
  const scores = new Map<string, number>();
  for (const { id, score } of hits.slice(0, Math.max(0, limit))) if (!scores.has(id)) scores.set(id, score);
  const documents = await ports.store.documentsById(kind, accountId, [...scores.keys()]);
  const byId = new Map(documents.map((document) => [document.id, document]));
  return Array.from(scores).flatMap(([id, score]) => {
    const document = byId.get(id);
    return document === undefined ? [] : [{ document, score }];
  });
}
