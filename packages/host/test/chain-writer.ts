import { hashText } from "@spfunctions/contracts";
import type { Durability, Head, LeaseResult, SealedRecord, Store, Unit } from "@spfunctions/kernel";

export const genesis = hashText("the beginning");

/** The record with this text that continues a head. */
export function seal(head: Head, text: string): SealedRecord {
  return {
    seq: head.seq + 1,
    prev: head.hash,
    hash: hashText(`${head.hash}\n${text}`),
    text,
    content: [],
  };
}

/** Whoever holds a stream and writes to it, record after record. */
export type ChainWriter = {
  readonly epoch: number;
  /** Where the stream would end if all that was made had been committed. */
  readonly head: () => Head;
  /** A unit with the next record, taken for granted. */
  readonly next: (text: string, durability?: Durability) => Unit;
};

/** Leases a stream; fails where it is not given. */
export async function chainWriter(store: Store, stream: string, accountId = "a"): Promise<ChainWriter> {
  return chainWriterOf(await store.lease(stream, accountId, genesis), stream);
}

export function chainWriterOf(lease: LeaseResult, stream: string): ChainWriter {
  if (lease.type !== "leased") throw new Error(`the stream ${stream} is held`);
  let { head } = lease;
  return {
    epoch: lease.epoch,
    head: () => ({ seq: head.seq, hash: head.hash }),
    next: (text, durability = "process") => {
      const record = seal(head, text);
      head = record;
      return { durability, now: 1, appends: [{ stream, epoch: lease.epoch, records: [record] }] };
    },
  };
}

export async function textsIn(store: Store, stream: string, accountId = "a"): Promise<string[]> {
  const records = await store.readStream({ stream, accountId, limit: 1_000_000 });
  return records.map(({ text }) => text);
}
