import { canonicalJson, strictObject, timestampSchema } from "@spfunctions/contracts";
import { type Clock, type DocumentKey, type Store, readKept } from "@spfunctions/kernel";

export const keyUsageKind = "key.usage";

/** When keys were last used: noted as it happens, written now and then. It is bookkeeping, and no effect of any tool. */
export class KeyUsage {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #noted = new Map<string, { readonly key: DocumentKey; at: number }>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  note(accountId: string, keyId: string): void {
    const id = `${accountId} ${keyId}`;
    const noted = this.#noted.get(id);
    if (noted === undefined)
      this.#noted.set(id, { key: { kind: keyUsageKind, accountId, id: keyId }, at: this.#clock.now() });
    else noted.at = this.#clock.now();
  }

  /** As it is known here and in the store. */
  async lastUsed(accountId: string, keyIds: readonly string[]): Promise<Map<string, string>> {
    const kept = await this.#store.documentsById(keyUsageKind, accountId, keyIds);
    const found = new Map(kept.map(({ id, body }) => [id, lastUsedIn(body)]));
    for (const keyId of keyIds) {
      const at = this.#noted.get(`${accountId} ${keyId}`)?.at;
      if (at !== undefined) found.set(keyId, new Date(at).toISOString());
    }
    return found;
  }

  /** Writes down now that a key is in use. */
  async touch(accountId: string, keyId: string): Promise<string> {
    const key = { kind: keyUsageKind, accountId, id: keyId };
    const at = this.#clock.now();
    await this.#write(key, at);
    return new Date(at).toISOString();
  }

  /** Writes what was noted up to now. What cannot be written now is written the next time. */
  async flush(): Promise<void> {
    // Without what is noted meanwhile, of which there may be no end.
    const upToNow = [...this.#noted];
    for (const [id, { key, at }] of upToNow) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, beside the calls
      await this.#write(key, at);
      if (this.#noted.get(id)?.at === at) this.#noted.delete(id);
    }
  }

  /** Whoever else writes it in the same moment writes the same. */
  async #write(key: DocumentKey, at: number): Promise<void> {
    const expects = (await this.#store.document(key))?.revision ?? 0;
    const body = canonicalJson({ lastUsedAt: new Date(at).toISOString() });
    const write = { type: "put", ...key, expects, status: "kept", body } as const;
    await this.#store.commit({ durability: "process", now: this.#clock.now(), documents: [write] });
  }
}

const usageSchema = strictObject({ lastUsedAt: timestampSchema });

function lastUsedIn(body: string): string {
  return readKept(usageSchema, body, "when a key was last used").lastUsedAt;
}
