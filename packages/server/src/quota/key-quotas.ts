// How many calls of a cost class a key has left today. They are written down as used in blocks, before any of a block is: a crash
// can only take from what is left, never add to it, and several processes never give out more than there is.
import type { CostEffect } from "@spfunctions/contracts";
import type { Clock, Store } from "@spfunctions/kernel";
import type { Quotas } from "../keys/key-record.ts";
import { keptCounts, readCounts, usedOf } from "./day-counts.ts";

const quotaKind = "key.quota";
const dayMs = 24 * 3_600_000;

export type QuotaTake =
  | { readonly type: "taken"; readonly giveBack: () => void }
  | { readonly type: "used_up"; readonly limit: number; readonly resetMs: number };

/** Of a block that was written down, what is still left. */
type Block = { readonly slot: Slot; left: number };
type Slot = { readonly accountId: string; readonly id: string; readonly limit: number };

/** Of a call that takes nothing. */
export const untaken: Extract<QuotaTake, { type: "taken" }> = { type: "taken", giveBack: () => undefined };

export class KeyQuotas {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #blocks = new Map<string, Block>();
  readonly #reserving = new Map<string, Promise<boolean>>();
  #day = 0;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Takes one call from a key's day (UTC). */
  async take(
    { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
    cost: CostEffect,
    quotas: Quotas,
  ): Promise<QuotaTake> {
    const limit = cost === "none" ? undefined : quotas[cost];
    if (limit === undefined) return untaken;
    const slot = { accountId, id: `${keyId}:${cost}`, limit };
    for (;;) {
      const block = this.#blockOf(slot);
      if (block !== undefined && block.left > 0) {
        block.left--;
        return { type: "taken", giveBack: () => void block.left++ };
      }
      // oxlint-disable-next-line no-await-in-loop -- then it is asked again: others may have been faster
      if (!(await this.#reserve(slot))) {
        const now = this.#clock.now();
        return { type: "used_up", limit, resetMs: (Math.floor(now / dayMs) + 1) * dayMs - now };
      }
    }
  }

  /** Gives back what was written down and not used. What cannot be given back now is lost with the day. */
  async close(): Promise<void> {
    for (const { slot, left } of this.#blocks.values()) {
      const key = { kind: quotaKind, accountId: slot.accountId, id: slot.id };
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const document = left > 0 ? await this.#store.document(key) : undefined;
      if (document === undefined) continue;
      const counts = readCounts(document.body);
      const used = Math.max(0, usedOf(counts, this.#day) - left);
      const body = keptCounts(counts, { day: this.#day, used });
      const write = { type: "put", ...key, expects: document.revision, status: "kept", body } as const;
      // oxlint-disable-next-line no-await-in-loop -- see above
      await this.#store.commit({ durability: "process", now: this.#clock.now(), documents: [write] });
    }
    this.#blocks.clear();
  }

  #blockOf(slot: Slot): Block | undefined {
    const day = this.#today();
    if (day !== this.#day) {
      this.#blocks.clear();
      this.#day = day;
    }
    return this.#blocks.get(nameOf(slot));
  }

  #today(): number {
    return Math.floor(this.#clock.now() / dayMs);
  }

  /** Once, however many wait for it. False: there is nothing left today. */
  #reserve(slot: Slot): Promise<boolean> {
    const name = nameOf(slot);
    const reserving =
      this.#reserving.get(name) ?? this.#writeDown(slot).finally(() => this.#reserving.delete(name));
    this.#reserving.set(name, reserving);
    return reserving;
  }

  async #writeDown(slot: Slot): Promise<boolean> {
    const { accountId, id, limit } = slot;
    const key = { kind: quotaKind, accountId, id };
    const document = await this.#store.document(key);
    const today = this.#today();
    const counts = document === undefined ? [] : readCounts(document.body);
    const used = usedOf(counts, today);
    const size = Math.min(Math.max(1, Math.floor(limit / 100)), limit - used);
    if (size <= 0) return false;
    const body = keptCounts(counts, { day: today, used: used + size });
    const write = { type: "put", ...key, expects: document?.revision ?? 0, status: "kept", body } as const;
    const unit = { durability: "process", now: this.#clock.now(), documents: [write] } as const;
    const { type } = await this.#store.commit(unit);
    // Where another process was first, or the day has ended meanwhile, what there is left is looked at again.
    if (type !== "committed" || today !== this.#today()) return true;
    const block = this.#blockOf(slot);
    if (block === undefined) this.#blocks.set(nameOf(slot), { slot, left: size });
    // The same block: calls under way may still give back to it.
    else block.left += size;
    return true;
  }
}

function nameOf({ accountId, id }: Slot): string {
  return `${accountId} ${id}`;
}
