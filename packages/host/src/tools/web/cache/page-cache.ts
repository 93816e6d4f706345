// S1, I1: what is kept has no secrets in it and is one account's alone. A cache may fail: then there is none.
import { createHash } from "node:crypto";
import { redactText } from "@spfunctions/contracts";
import type { Clock, DocumentKey, Store, StoredDocument } from "@spfunctions/kernel";
import type { Page } from "../page.ts";
import { keptText, readKeptPage } from "./kept-page.ts";

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
};

export class PageCache {
  readonly #store: Store;
  readonly #clock: Pick<Clock, "now">;
  readonly #ttlMs: number;

  constructor({ store, clock, ttlS }: CacheTerms) {
    this.#store = store;
    this.#clock = clock;
    this.#ttlMs = ttlS * 1000;
  }

  /** Milliseconds since 1970 until which a page is given again. */
  expiresAt({ fetchedAt }: Page): number {
    return fetchedAt + this.#ttlMs;
  }

  /** What was kept for an address, while it is fresh. On a clock that was set back, nothing is. */
  async read(accountId: string, url: string): Promise<Page | undefined> {
    const page = pageIn(await this.#document(keyFor(accountId, url)));
    if (page === undefined || page.hops[0]?.url !== url) return undefined;
    const now = this.#clock.now();
    return page.fetchedAt <= now && now < this.expiresAt(page) ? page : undefined;
  }

  /** Keeps a page, or forgets what stood there for its address; says whether it is kept. */
  async keep(accountId: string, page: Page, mayKeep: boolean): Promise<boolean> {
    const key = keyFor(accountId, page.hops[0]?.url ?? "");
    const body = mayKeep && this.#ttlMs > 0 ? bodyOf(page) : undefined;
    try {
      const before = await this.#store.document(key);
      const expects = before?.revision ?? 0;
      const isOurs = pageIn(before)?.hops[0]?.url === page.hops[0]?.url;
      if (body === undefined && !isOurs) return false;
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
}

function pageIn(document: StoredDocument | undefined): Page | undefined {
  return document === undefined ? undefined : readKeptPage(document.body);
}

function keyFor(accountId: string, url: string): DocumentKey {
  const slot = createHash("sha256").update(url).digest().readUInt32BE() % slots;
  return { kind, accountId, id: String(slot).padStart(3, "0") };
}

/** Nothing where a page is too large, or an address has a secret in it: without that, it would be another address. */
function bodyOf(page: Page): string | undefined {
  if (page.hops.some(({ url }) => redactText(url) !== url)) return undefined;
  const { title, text } = page;
  const body = keptText({
    ...page,
    ...(title !== undefined && { title: redactText(title) }),
    ...(text !== undefined && { text: redactText(text) }),
  });
  return Buffer.byteLength(body) > mostBytes ? undefined : body;
}
