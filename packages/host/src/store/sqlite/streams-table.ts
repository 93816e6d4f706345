// J3: this store holds the streams that it leased and did not release. Their heads are kept here, so that an append is one
// row written and nothing read; nobody else can move them while this store drives the data folder.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Digest } from "@spfunctions/contracts";
import type { Head } from "@spfunctions/kernel";
import { identifierText } from "../identifier-text.ts";
import type { RecordsTable } from "./records-table.ts";
import type { FindConflict, KeptAppend, KeptRecord, Undo } from "./unit-steps.ts";

type Row = {
  readonly id: number;
  readonly account: string;
  readonly genesis: Digest;
  readonly epoch: number;
};

export type HeldStream = {
  readonly id: number;
  readonly genesis: Digest;
  readonly epoch: number;
  head: Head;
};

export class StreamsTable {
  readonly #records: RecordsTable;
  readonly #find: StatementSync;
  readonly #make: StatementSync;
  readonly #setEpoch: StatementSync;
  readonly #held = new Map<string, HeldStream>();

  constructor(database: DatabaseSync, records: RecordsTable) {
    this.#records = records;
    this.#find = database.prepare("SELECT id, account, genesis, epoch FROM streams WHERE name = ?");
    this.#make = database.prepare("INSERT INTO streams (name, account, genesis, epoch) VALUES (?, ?, ?, 1)");
    this.#setEpoch = database.prepare("UPDATE streams SET epoch = ? WHERE id = ?");
  }

  /** Under this epoch, where one is given. */
  holds(stream: string, epoch?: number): boolean {
    const held = this.#held.get(stream);
    return held !== undefined && (epoch === undefined || held.epoch === epoch);
  }

  hold(stream: string, held: HeldStream): void {
    this.#held.set(stream, held);
  }

  release(stream: string, epoch: number): void {
    if (this.#held.get(stream)?.epoch === epoch) this.#held.delete(stream);
  }

  /** A stream under its next epoch, or nothing where it is another account's. It is held once this is committed. */
  nextEpoch(stream: string, accountId: string, genesis: Digest): HeldStream | undefined {
    const name = identifierText(stream);
    const account = identifierText(accountId);
    const row = this.#find.get(name) as Row | undefined;
    if (row === undefined) {
      const id = Number(this.#make.run(name, account, genesis).lastInsertRowid);
      return { id, genesis, epoch: 1, head: { seq: 0, hash: genesis } };
    }
    if (row.account !== account) return undefined;
    const epoch = row.epoch + 1;
    this.#setEpoch.run(epoch, row.id);
    const head = this.#records.last(row.id) ?? { seq: 0, hash: row.genesis };
    return { id: row.id, genesis: row.genesis, epoch, head };
  }

  append({ stream: name, epoch, records }: KeptAppend, undo: Undo[]): FindConflict | undefined {
    const stream = this.#held.get(name);
    if (stream === undefined || stream.epoch !== epoch)
      return () => ({ type: "conflict", on: "epoch", stream: name });
    for (const record of records) {
      const { head } = stream;
      if (record.seq <= head.seq && this.#isThere(stream, record)) continue;
      if (record.seq !== head.seq + 1 || record.prev !== head.hash)
        return () => ({ type: "conflict", on: "head", stream: name, head: stream.head });
      this.#records.insert(stream.id, record);
      stream.head = { seq: record.seq, hash: record.hash };
      undo.push(() => {
        stream.head = head;
      });
    }
    return undefined;
  }

  /** The same sealed record. Its content is not compared: it may have been erased since. */
  #isThere({ id, genesis }: HeldStream, { seq, prev, hash, text }: KeptRecord): boolean {
    const found = this.#records.at(id, seq);
    if (found?.hash !== hash || found.text !== text.toWellFormed()) return false;
    return prev === (seq === 1 ? genesis : this.#records.at(id, seq - 1)?.hash);
  }
}
