import type { ContentRow, Digest } from "@spfunctions/contracts";
import type {
  Append,
  Erasure,
  Head,
  LeaseResult,
  SealedRecord,
  StoredRecord,
  StreamRange,
} from "../store.ts";
import type { FindConflict, Undo } from "./undo.ts";

type Stream = {
  readonly accountId: string;
  readonly genesis: Digest;
  /** Whole, in order: the record with number n is at n - 1. */
  readonly records: StoredRecord[];
  epoch: number;
  held: boolean;
};

/** The streams of a memory store, and who holds them. */
export class MemoryStreams {
  readonly #streams = new Map<string, Stream>();

  lease(name: string, accountId: string, genesis: Digest): LeaseResult {
    let stream = this.#streams.get(name);
    if (stream !== undefined && (stream.held || stream.accountId !== accountId)) return { type: "held" };
    if (stream === undefined) {
      stream = { accountId, genesis, records: [], epoch: 0, held: false };
      this.#streams.set(name, stream);
    }
    stream.epoch += 1;
    stream.held = true;
    return { type: "leased", epoch: stream.epoch, head: headOf(stream) };
  }

  release(name: string, epoch: number): void {
    const stream = this.#streams.get(name);
    if (stream?.epoch === epoch) stream.held = false;
  }

  isHeld(name: string, epoch?: number): boolean {
    const stream = this.#streams.get(name);
    return stream?.held === true && (epoch === undefined || stream.epoch === epoch);
  }

  /** The number of its last record; 0 where there is none, or the stream is another account's. */
  lastSeq(name: string, accountId: string): number {
    return this.#ofAccount(name, accountId)?.records.length ?? 0;
  }

  append({ stream: name, epoch, records }: Append, undo: Undo[]): FindConflict | undefined {
    const stream = this.#streams.get(name);
    if (stream === undefined || !stream.held || stream.epoch !== epoch)
      return () => ({ type: "conflict", on: "epoch", stream: name });
    for (const record of records) {
      if (isThere(stream, record)) continue;
      const head = stream.records.at(-1);
      if (record.seq !== (head?.seq ?? 0) + 1 || record.prev !== (head?.hash ?? stream.genesis))
        return () => ({ type: "conflict", on: "head", stream: name, head: headOf(stream) });
      stream.records.push(keptRecord(record));
      undo.push(() => stream.records.pop());
    }
    return undefined;
  }

  erase(erasure: Erasure, undo: Undo[]): FindConflict | undefined {
    const { seq, ref } = erasure;
    const stream = this.#ofAccount(erasure.stream, erasure.accountId);
    const record = stream?.records[seq - 1];
    if (!stream || !record?.content.some((row) => row.ref === ref)) {
      const kept = { ...erasure };
      return () => ({ type: "conflict", on: "content", erasure: kept });
    }
    const content = record.content.map((row) =>
      row.ref === ref ? Object.freeze({ ref: row.ref, erased: true as const }) : row,
    );
    stream.records[seq - 1] = Object.freeze({ ...record, content: Object.freeze(content) });
    undo.push(() => {
      stream.records[seq - 1] = record;
    });
    return undefined;
  }

  read({ stream, accountId, from = 1, limit }: StreamRange): StoredRecord[] {
    const first = Math.max(from, 1) - 1;
    return this.#ofAccount(stream, accountId)?.records.slice(first, first + Math.max(limit, 0)) ?? [];
  }

  #ofAccount(name: string, accountId: string): Stream | undefined {
    const stream = this.#streams.get(name);
    return stream?.accountId === accountId ? stream : undefined;
  }
}

function headOf({ records, genesis }: Stream): Head {
  const last = records.at(-1);
  return last === undefined ? { seq: 0, hash: genesis } : { seq: last.seq, hash: last.hash };
}

/** The same sealed record. Its content is not compared: it may have been erased since. */
function isThere({ records, genesis }: Stream, { seq, prev, hash, text }: SealedRecord): boolean {
  const found = records[seq - 1];
  return (
    found?.hash === hash && found.text === text && prev === (seq === 1 ? genesis : records[seq - 2]?.hash)
  );
}

const noContent: readonly ContentRow[] = Object.freeze([]);

function keptRecord({ seq, hash, text, content }: SealedRecord): StoredRecord {
  const rows =
    content.length === 0 ? noContent : Object.freeze(content.map((row) => Object.freeze({ ...row })));
  return Object.freeze({ seq, hash, text, content: rows });
}
