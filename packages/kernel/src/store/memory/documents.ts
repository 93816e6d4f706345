import { compositeKey } from "./composite-key.ts";
import type { DocumentKey, DocumentQuery, DocumentWrite, StoredDocument } from "../store.ts";
import type { FindConflict, Undo } from "./undo.ts";

/** The documents of one kind and account. */
type Shelf = {
  readonly kind: string;
  readonly accountId: string;
  readonly byId: Map<string, StoredDocument>;
  /** The ids in order, until one comes or goes. */
  ids?: readonly string[] | undefined;
};

/** The documents of a memory store. */
export class MemoryDocuments {
  readonly #shelves = new Map<string, Shelf>();

  write(write: DocumentWrite, undo: Undo[]): FindConflict | undefined {
    const { kind, accountId, id } = write;
    const standing = this.get(write);
    const revision = standing?.revision ?? 0;
    if (write.type === "keep") {
      if (standing === undefined) this.#put(write, 1, undo);
      return undefined;
    }
    if (write.expects !== revision)
      return () => ({
        type: "conflict",
        on: "document",
        key: { kind, accountId, id },
        revision: this.get({ kind, accountId, id })?.revision ?? 0,
      });
    if (write.type === "put") this.#put(write, revision + 1, undo);
    else if (standing !== undefined) this.#replace(standing, undefined, undo);
    return undefined;
  }

  get({ kind, accountId, id }: DocumentKey): StoredDocument | undefined {
    return this.#shelf(kind, accountId)?.byId.get(id);
  }

  query({ kind, accountId, status, after, limit }: DocumentQuery): StoredDocument[] {
    const shelf = this.#shelf(kind, accountId);
    if (shelf === undefined) return [];
    shelf.ids ??= [...shelf.byId.keys()].toSorted();
    const found: StoredDocument[] = [];
    for (let at = placeAfter(shelf.ids, after); found.length < limit && at < shelf.ids.length; at += 1) {
      const document = shelf.byId.get(shelf.ids[at] ?? "");
      if (document && (status === undefined || document.status === status)) found.push(document);
    }
    return found;
  }

  accountsWith(kind: string, status?: string): string[] {
    return [...this.#shelves.values()]
      .filter(
        ({ kind: one, byId }) =>
          one === kind &&
          (status === undefined ? byId.size > 0 : [...byId.values()].some((each) => each.status === status)),
      )
      .map((shelf) => shelf.accountId)
      .toSorted();
  }

  #put(write: DocumentKey & { status: string; body: string }, revision: number, undo: Undo[]): void {
    const { kind, accountId, id, status, body } = write;
    this.#replace(write, Object.freeze({ kind, accountId, id, status, revision, body }), undo);
  }

  #replace(key: DocumentKey, document: StoredDocument | undefined, undo: Undo[]): void {
    const { kind, accountId, id } = key;
    const shelf = this.#shelf(kind, accountId) ?? this.#newShelf(kind, accountId);
    const before = shelf.byId.get(id);
    place(shelf, id, document);
    undo.push(() => place(shelf, id, before));
  }

  #shelf(kind: string, accountId: string): Shelf | undefined {
    return this.#shelves.get(compositeKey(kind, accountId));
  }

  #newShelf(kind: string, accountId: string): Shelf {
    const shelf: Shelf = { kind, accountId, byId: new Map() };
    this.#shelves.set(compositeKey(kind, accountId), shelf);
    return shelf;
  }
}

function place(shelf: Shelf, id: string, document: StoredDocument | undefined): void {
  if (shelf.byId.has(id) !== (document !== undefined)) shelf.ids = undefined;
  if (document === undefined) shelf.byId.delete(id);
  else shelf.byId.set(id, document);
}

/** Where the first id after this one is. */
function placeAfter(ids: readonly string[], after: string | undefined): number {
  if (after === undefined) return 0;
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? "") > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
