// B32: what is remembered is data with its provenance. How far it is trusted follows from who said it, every time it is read, and
// nothing that a memory says changes that.
import type { MemoryId, MemoryItem } from "@spfunctions/contracts";
import { type DocumentWrite, systemClock } from "@spfunctions/kernel";
import { embedMissing, type EmbedReport } from "./embed-missing.ts";
import { memoryIn, memoryKind, vectorKind } from "../../kept/kept-memory.ts";
import type { MemoryHost, MemoryOptions } from "./memory-host.ts";
import { memoryLimits } from "./memory-limits.ts";
import { MemoryVectors } from "./memory-vectors.ts";
import { entriesOf } from "./rebuild-memories.ts";
import { type GivenMemory, keepMemories, memoriesOf, memoryOf } from "./remember-memories.ts";
import { type Question, type Retrieved, retrieveMemories } from "./retrieve-memories.ts";

export type MemoryPage = {
  /** In the order of their ids. */
  readonly items: readonly MemoryItem[];
  /** After which the next page begins; absent where there is none. */
  readonly next?: MemoryId;
};

/**
 * Memories in one page.
 * @limit memory.listed | no more are given; the next page goes on | fixed: the next page goes on where it ended
 */
const mostListed = 200;

/**
 * The long-term memory of one account. The store is the truth; the index is a way to it that can be made again.
 */
export class Memory {
  readonly #host: MemoryHost;
  readonly #vectors: MemoryVectors | undefined;

  constructor({ store, search, accountId, installation, clock = systemClock, embed, limits }: MemoryOptions) {
    const { keyHash: proves, redaction: keyedHash } = installation;
    this.#host = { store, search, accountId, proves, keyedHash, clock, limits: memoryLimits(limits) };
    this.#vectors = embed && new MemoryVectors(this.#host, embed);
  }

  /** Keeps a text, without secrets. The same text from the same source is one memory, with the tags of both. */
  async remember(given: GivenMemory): Promise<MemoryItem> {
    const [item] = await this.rememberAll([given]);
    return item as MemoryItem;
  }

  /** Many at once. They are written in batches: what fails leaves the batches before it kept. */
  async rememberAll(given: readonly GivenMemory[]): Promise<MemoryItem[]> {
    const items = given.map((one) => memoryOf(this.#host, one));
    return await keepMemories(this.#host, this.#vectors, items);
  }

  /** Keeps a text of any length, as several memories where one cannot hold it. */
  async rememberLong(given: GivenMemory): Promise<MemoryItem[]> {
    return await keepMemories(this.#host, this.#vectors, memoriesOf(this.#host, given));
  }

  /** What fits a text best, and why. What a port does not do is told in the answer; only a fault of the store is thrown. */
  async retrieve(question: Question): Promise<Retrieved> {
    return await retrieveMemories(this.#host, this.#vectors, question);
  }

  async get(memoryId: string): Promise<MemoryItem | undefined> {
    const { store, accountId } = this.#host;
    const document = await store.document({ kind: memoryKind, accountId, id: memoryId });
    return document && memoryIn(this.#host, document);
  }

  async list({
    after = "",
    limit = 50,
  }: {
    readonly after?: string;
    readonly limit?: number;
  } = {}): Promise<MemoryPage> {
    const { store, accountId } = this.#host;
    const wanted = Math.min(Math.max(1, Math.floor(limit)), mostListed);
    const items: MemoryItem[] = [];
    for (let from = after; ; ) {
      // oxlint-disable-next-line no-await-in-loop -- again only where some were not ours
      const page = await store.documents({ kind: memoryKind, accountId, after: from, limit: wanted });
      for (const document of page) {
        const item = memoryIn(this.#host, document);
        if (item === undefined) continue;
        items.push(item);
        if (items.length === wanted) return { items, next: item.memoryId };
      }
      const last = page.at(-1);
      if (last === undefined || page.length < wanted) return { items };
      from = last.id;
    }
  }

  /**
   * Gone from the store, the index and the vectors. False where there was none; it may be said again, also where the index failed
   * the first time.
   */
  async forget(memoryId: string): Promise<boolean> {
    const { search, accountId } = this.#host;
    const wasThere = await this.#removeRows(memoryId);
    this.#vectors?.drop(memoryId as MemoryId);
    await search.remove(accountId, [memoryId]);
    return wasThere;
  }

  /** Takes memories out of the index and the vectors that were removed from the store by somebody else. */
  async remove(accountId: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#vectors?.drop(id as MemoryId);
    await this.#host.search.remove(accountId, ids);
  }

  /** Whether all of them are still there. */
  async areKept(ids: readonly string[]): Promise<boolean> {
    const { store, accountId } = this.#host;
    const kept = new Set((await store.documentsById(memoryKind, accountId, ids)).map(({ id }) => id));
    return ids.every((id) => kept.has(id));
  }

  /** Puts all of the account into the index again, where it may have been lost. `rebuildMemories` makes a whole index. */
  async rebuild(): Promise<void> {
    const { store, search, accountId, proves, limits } = this.#host;
    this.#vectors?.release();
    let batch = [];
    for await (const entry of entriesOf(store, accountId, proves)) {
      batch.push(entry);
      if (batch.length < limits.batch) continue;
      await search.put(batch);
      batch = [];
    }
    if (batch.length > 0) await search.put(batch);
  }

  /** Makes the vectors that are not there. */
  async embedMissing({ signal }: { readonly signal?: AbortSignal } = {}): Promise<EmbedReport> {
    if (this.#vectors === undefined) return { embedded: 0 };
    return await embedMissing(this.#host, this.#vectors, signal);
  }

  async #removeRows(id: string): Promise<boolean> {
    const { store, accountId, clock } = this.#host;
    for (;;) {
      const documents: DocumentWrite[] = [];
      for (const kind of [memoryKind, vectorKind]) {
        // oxlint-disable-next-line no-await-in-loop -- one of two
        const found = await store.document({ kind, accountId, id });
        if (found !== undefined)
          documents.push({ type: "remove", kind, accountId, id, expects: found.revision });
      }
      if (documents.length === 0) return false;
      // oxlint-disable-next-line no-await-in-loop -- again only when it was changed meanwhile
      const removed = await store.commit({ durability: "power", now: clock.now(), documents });
      if (removed.type === "committed") return true;
    }
  }
}
