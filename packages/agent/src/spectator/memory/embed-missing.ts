import type { MemoryItem } from "@spfunctions/contracts";
import { type StoredDocument } from "@spfunctions/kernel";
import { memoryIn, memoryKind, putMemory, vectorKind } from "../../kept/kept-memory.ts";
import { putVector, vectorIn } from "./kept-vector.ts";
import type { MemoryHost } from "./memory-host.ts";
import type { MemoryTrouble } from "./memory-trouble.ts";
import type { MemoryVectors } from "./memory-vectors.ts";

/** How many got a vector, and what ended it where it was not the end of the memories. */
export type EmbedReport = { readonly embedded: number; readonly trouble?: MemoryTrouble };

type Missing = { readonly item: MemoryItem; readonly revision: number; readonly vectorRevision: number };

/** Makes the vectors that memories lack: kept while the embedder failed, or before there was one, or with another. */
export async function embedMissing(
  host: MemoryHost,
  vectors: MemoryVectors,
  signal?: AbortSignal,
): Promise<EmbedReport> {
  const { store, accountId, limits } = host;
  let [embedded, after] = [0, ""];
  for (;;) {
    /* oxlint-disable no-await-in-loop -- page by page */
    const page = await store.documents({ kind: memoryKind, accountId, after, limit: limits.batch });
    const missing = await missingOf(host, page, vectors.model);
    if (missing.length > 0) {
      const made = await vectors.embed(
        missing.map(({ item }) => item.text),
        signal,
      );
      if (made.type === "trouble") return { embedded, trouble: made.trouble };
      embedded += await keepVectors(host, vectors, missing, made.vectors);
    }
    /* oxlint-enable no-await-in-loop */
    const last = page.at(-1);
    if (last === undefined || page.length < limits.batch) return { embedded };
    after = last.id;
  }
}

async function missingOf(
  host: MemoryHost,
  page: readonly StoredDocument[],
  model: string,
): Promise<Missing[]> {
  const ids = page.map(({ id }) => id);
  const kept = await host.store.documentsById(vectorKind, host.accountId, ids);
  const byId = new Map(kept.map((document) => [document.id, document]));
  return page.flatMap((document) => {
    const item = memoryIn(host, document);
    const vector = byId.get(document.id);
    const isThere = vector !== undefined && vectorIn(host, vector)?.model === model;
    const { revision } = document;
    return item === undefined || isThere ? [] : [{ item, revision, vectorRevision: vector?.revision ?? 0 }];
  });
}

/** A memory is written again with its vector, so that there is none of what was forgotten meanwhile. */
async function keepVectors(
  host: MemoryHost,
  vectors: MemoryVectors,
  missing: readonly Missing[],
  made: readonly Float32Array[],
): Promise<number> {
  let count = 0;
  for (const [place, { item, revision, vectorRevision }] of missing.entries()) {
    const numbers = made[place] as Float32Array;
    const { memoryId } = item;
    const vector = putVector(host, { memoryId, model: vectors.model, numbers }, vectorRevision);
    const documents = [putMemory(host, item, revision), vector];
    // oxlint-disable-next-line no-await-in-loop -- each for itself: one that has changed is left for the next time
    const written = await host.store.commit({ durability: "process", now: host.clock.now(), documents });
    if (written.type !== "committed") continue;
    vectors.keep(memoryId, numbers);
    count += 1;
  }
  return count;
}
