import assert from "node:assert/strict";
import { type ContentRow, type Digest, hashText } from "@spfunctions/contracts";
import type { Head, SealedRecord, Store, StoredRecord, Unit } from "../../store/store.ts";
import { inTurn } from "../in-turn.ts";

/** A fresh, empty store, and what else can be done with its data. */
export type OpenedStore = {
  readonly store: Store;
  /** The same data opened once more, after its last holder was closed. */
  readonly reopen?: () => Promise<Store>;
  /** A second writer that has taken the same data over while `store` is still open. */
  readonly rival?: () => Promise<Store>;
  /**
   * A second store on the same data while `store` is open, which takes nothing over. Either may leave documents of the kind
   * `inbox`; more is asked of neither.
   */
  readonly beside?: () => Promise<Store>;
  /** Closes whatever is still open and removes the data. */
  readonly dispose: () => Promise<void>;
};

/** What not every store can do. */
export type Ability = "reopen" | "rival" | "beside";

export type StoreCase = {
  readonly name: string;
  readonly needs?: Ability;
  readonly run: (opened: OpenedStore) => Promise<void>;
};

export const account = "account-a";
export const stranger = "account-b";
export const genesis = hashText("the beginning");

export type Writer = { readonly stream: string; readonly epoch: number; readonly head: Head };

/** Leases a stream; fails where it is not given. */
export async function writerOf(
  store: Store,
  stream = "run-1",
  accountId = account,
  start = genesis,
): Promise<Writer> {
  const result = await store.lease(stream, accountId, start);
  assert(result.type === "leased", `the stream ${stream} was ${result.type}`);
  return { stream, epoch: result.epoch, head: result.head };
}

/** A record that continues `head`. How it is hashed is its writer's affair; here over the hash before and the text. */
export function seal(head: Head, text: string, content: readonly ContentRow[] = []): SealedRecord {
  return { seq: head.seq + 1, prev: head.hash, hash: hashText(`${head.hash}\n${text}`), text, content };
}

export function sealAll(head: Head, texts: readonly string[]): SealedRecord[] {
  let last = head;
  return texts.map((text) => {
    const record = seal(last, text);
    last = record;
    return record;
  });
}

export function stored({ seq, hash, text, content }: SealedRecord): StoredRecord {
  return { seq, hash, text, content };
}

export function row(ref: string, text: string, salt = "grain"): ContentRow {
  return { ref: `content_${ref}` as ContentRow["ref"], salt, text };
}

export function unit(parts: Omit<Unit, "durability" | "now">, now = 1_000): Unit {
  return { durability: "process", now, ...parts };
}

/** Records for the stream that a writer holds. */
export function append({ stream, epoch }: Writer, ...records: readonly SealedRecord[]): Unit {
  return unit({ appends: [{ stream, epoch, records }] });
}

export async function commits(store: Store, ...units: readonly Unit[]): Promise<void> {
  await inTurn(units, async (one) => assert.deepStrictEqual(await store.commit(one), { type: "committed" }));
}

export function headConflict(stream: string, head: Head) {
  return { type: "conflict", on: "head", stream, head: { seq: head.seq, hash: head.hash } };
}

export function epochConflict(stream: string) {
  return { type: "conflict", on: "epoch", stream };
}

export async function recordsOf(
  store: Store,
  stream = "run-1",
  accountId = account,
): Promise<StoredRecord[]> {
  return store.readStream({ stream, accountId, limit: 1_000 });
}

export async function textsOf(store: Store, stream?: string, accountId?: string): Promise<string[]> {
  return (await recordsOf(store, stream, accountId)).map(({ text }) => text);
}

/** The abilities that a case may count on once it said that it needs them. */
export function given<Value>(value: Value | undefined, ability: Ability): Value {
  assert(value !== undefined, `open() gave no ${ability}; give it, or the reason why there is none`);
  return value;
}

export const noDigest: Digest = hashText("nothing here");
