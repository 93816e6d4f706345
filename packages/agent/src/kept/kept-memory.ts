// B22: a memory that somebody else wrote, changed or moved from another account into the store is none. What was there once and is
// put back as it was cannot be told from what never left.
import {
  canonicalJson,
  type KeyedHash,
  keptMemorySchema,
  type MemoryId,
  type MemoryItem,
} from "@spfunctions/contracts";
import {
  type DocumentWrite,
  unlessCorrupt,
  proofOf,
  provenBody,
  readKept,
  type StoredDocument,
} from "@spfunctions/kernel";

export const memoryKind = "memory";
export const memoryStatus = "kept";
/** What a model of embeddings has made of a memory, under its id. */
export const vectorKind = "memory_vector";

type Proving = { readonly proves: KeyedHash };

/**
 * The same text from the same source is one memory of an account. Who said it is part of the id, so that what a user has said does
 * not become a tool's by being said again, nor the other way round.
 */
export function memoryIdOf(
  { proves }: Proving,
  accountId: string,
  { text, source }: Pick<MemoryItem, "text" | "source">,
) {
  const { type, name = null } = source;
  const hex = proves(`simplefunctions memory id v1\n${canonicalJson([accountId, type, name, text])}`);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return `mem_${parts.join("-")}` as MemoryId;
}

/** `expects`: the revision that it replaces; 0 of a new one. */
export function putMemory(
  { accountId, proves }: Proving & { readonly accountId: string },
  item: MemoryItem,
  expects: number,
): DocumentWrite {
  const body = provenBody(memoryKind, item, proves);
  return { type: "put", kind: memoryKind, accountId, id: item.memoryId, expects, status: memoryStatus, body };
}

/** What a document keeps, or nothing where this installation did not write it for this account. */
export function memoryIn(host: Proving, document: StoredDocument): MemoryItem | undefined {
  return unlessCorrupt(() => {
    const { value, proof } = readKept(keptMemorySchema, document.body, `what is kept of ${document.id}`);
    const isInPlace =
      value.memoryId === document.id &&
      document.status === memoryStatus &&
      value.memoryId === memoryIdOf(host, document.accountId, value);
    return isInPlace && proof === proofOf(memoryKind, value, host.proves) ? value : undefined;
  });
}

/** What leads to a memory: its text and its tags. */
export function searchTextOf({ text, tags }: Pick<MemoryItem, "text" | "tags">): string {
  return tags.length === 0 ? text : `${text}\n${tags.join(" ")}`;
}
