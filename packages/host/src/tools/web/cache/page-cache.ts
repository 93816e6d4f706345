// S1, I1, B22: what is kept has no secrets in it, is one account's alone, and carries a proof: a row that this installation has not
// written for that account and address is fetched again. A cache may fail: then there is none.
import { createHash } from "node:crypto";
import { JournalCorruptError, type KeyedHash, redactText } from "@spfunctions/contracts";
import {
  type Clock,
  type DocumentKey,
  provenRow,
  provenValue,
  type Store,
  type StoredDocument,
} from "@spfunctions/kernel";
import type { Page } from "../page.ts";
import { keptPage, readKeptPage } from "./kept-page.ts";

const kind = "http_cache";
const status = "kept";
/**
 * Pages that are kept of an account.
 * @limit web.cachedPages | another page takes its place | fixed: they lie among an account's documents
 */
const slots = 512;
/**
 * A page that is kept.
 * @limit web.cachedPageBytes | it is not kept, and fetched each time | fixed: see `web.cachedPages`
 */
const mostBytes = 256 * 2 ** 10;

export type CacheTerms = {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly ttlS: number;
  /** Made with the installation's secret. */
  readonly proves: KeyedHash;
  /** Told of each row that has no valid proof. */
  readonly onUnproven?: ((fault: JournalCorruptError) => void) | undefined;
};

export class PageCache {
  readonly #store: Store;
  readonly #clock: Pick<Clock, "now">;
  readonly #ttlMs: number;
  readonly #proves: KeyedHash;
  readonly #onUnproven: CacheTerms["onUnproven"];

  constructor({ store, clock, ttlS, proves, onUnproven }: CacheTerms) {
    this.#store = store;
    this.#clock = clock;
    this.#ttlMs = ttlS * 1000;
    this.#proves = proves;
    this.#onUnproven = onUnproven;
  }

  /** Milliseconds since 1970 until which a page is given again. */
  expiresAt({ fetchedAt }: Page): number {
    return fetchedAt + this.#ttlMs;
  }

  /** What was kept for an address, while it is fresh. On a clock that was set back, nothing is. */
  async read(accountId: string, url: string): Promise<Page | undefined> {
    const document = await this.#document(keyFor(accountId, url));
    const page = document && this.#pageIn(document);
    if (document !== undefined && page === undefined) this.#onUnproven?.(unproven(document));
    if (page === undefined || page.hops[0]?.url !== url) return undefined;
    const now = this.#clock.now();
    return page.fetchedAt <= now && now < this.expiresAt(page) ? page : undefined;
  }

  /** Keeps a page, or forgets what stood there for its address; says whether it is kept. */
  async keep(accountId: string, page: Page, mayKeep: boolean): Promise<boolean> {
    const key = keyFor(accountId, page.hops[0]?.url ?? "");
    try {
      const body = mayKeep && this.#ttlMs > 0 ? this.#bodyOf(key, page) : undefined;
      const before = await this.#store.document(key);
      const expects = before?.revision ?? 0;
      if (body === undefined && !this.#isToForget(before, page)) return false;
      const { type } = await this.#store.commit({
        durability: "process",
        now: this.#clock.now(),
        documents: [
          body === undefined
            ? { type: "remove", ...key, expects }
            : { type: "put", ...key, expects, status, body },
        ],
      });
      return body !== undefined && type === "committed";
    } catch {
      return false;
    }
  }

  async #document(key: DocumentKey): Promise<StoredDocument | undefined> {
    try {
      return await this.#store.document(key);
    } catch {
      return undefined;
    }
  }

  #pageIn(document: StoredDocument): Page | undefined {
    return readKeptPage(provenValue(document, this.#proves));
  }

  /** A page of the same address, or a row that nobody can prove. */
  #isToForget(before: StoredDocument | undefined, page: Page): boolean {
    if (before === undefined) return false;
    const kept = this.#pageIn(before);
    return kept === undefined || kept.hops[0]?.url === page.hops[0]?.url;
  }

  /** Returns undefined if a page is too large, or an address has a secret in it: without that, it would be another address. */
  #bodyOf(key: DocumentKey, page: Page): string | undefined {
    if (page.hops.some(({ url }) => redactText(url) !== url)) return undefined;
    const { title, text } = page;
    const value = keptPage({
      ...page,
      ...(title !== undefined && { title: redactText(title) }),
      ...(text !== undefined && { text: redactText(text) }),
    });
    const body = provenRow(key, value, this.#proves);
    return Buffer.byteLength(body) > mostBytes ? undefined : body;
  }
}

function keyFor(accountId: string, url: string): DocumentKey {
  const slot = createHash("sha256").update(url).digest().readUInt32BE() % slots;
  return { kind, accountId, id: String(slot).padStart(3, "0") };
}

function unproven({ accountId, id }: StoredDocument): JournalCorruptError {
  return new JournalCorruptError(
    "a page in the cache was not written by this installation as it is: an older version wrote it, or a process without the installation's secret, or somebody changed it; it is fetched again. Give httpTools the installation, so that pages count in another process, too",
    { details: { kind, accountId, id, reason: "no_proof" } },
  );
}
