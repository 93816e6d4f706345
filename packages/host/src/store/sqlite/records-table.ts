// I1: a record is reached through its stream, and the stream by name and account together.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Digest, InvalidInputError } from "@spfunctions/contracts";
import type { Erasure, Head, StoredRecord, StreamRange } from "@spfunctions/kernel";
import { identifierText } from "../identifier-text.ts";
import { rowsFor } from "../row-limit.ts";
import { contentIn, contentText, soundContentIn } from "./content-text.ts";
import type { FindConflict, KeptRecord } from "./unit-steps.ts";

type Row = {
  readonly seq: number;
  readonly hash: Digest;
  readonly text: string;
  readonly content: string | null;
};

const ofStream = "FROM streams JOIN records ON records.stream = streams.id WHERE name = ? AND account = ?";

export class RecordsTable {
  readonly #insert: StatementSync;
  readonly #at: StatementSync;
  readonly #last: StatementSync;
  readonly #lastSeq: StatementSync;
  readonly #read: StatementSync;
  readonly #content: StatementSync;
  readonly #setContent: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare(
      "INSERT INTO records (stream, seq, hash, text, content) VALUES (?, ?, ?, ?, ?)",
    );
    this.#at = database.prepare("SELECT hash, text FROM records WHERE stream = ? AND seq = ?");
    this.#last = database.prepare("SELECT seq, hash FROM records WHERE stream = ? ORDER BY seq DESC LIMIT 1");
    this.#lastSeq = database.prepare(`SELECT seq ${ofStream} ORDER BY seq DESC LIMIT 1`);
    this.#read = database.prepare(
      `SELECT seq, hash, text, content ${ofStream} AND seq >= ? ORDER BY seq LIMIT ?`,
    );
    this.#content = database.prepare(`SELECT records.id, content ${ofStream} AND seq = ?`);
    this.#setContent = database.prepare("UPDATE records SET content = ? WHERE id = ?");
  }

  insert(stream: number, { seq, hash, text, content }: KeptRecord): void {
    this.#insert.run(stream, seq, hash, text, content);
  }

  /** The hash under a number, and with it the text. */
  at(stream: number, seq: number): { readonly hash: Digest; readonly text: string } | undefined {
    return this.#at.get(stream, seq) as { hash: Digest; text: string } | undefined;
  }

  last(stream: number): Head | undefined {
    const row = this.#last.get(stream) as Head | undefined;
    return row && { seq: row.seq, hash: row.hash };
  }

  /** The number of a stream's last record; 0 where there is none. */
  lastSeq(stream: string, accountId: string): number {
    const row = this.#lastSeq.get(identifierText(stream), identifierText(accountId));
    return (row as Pick<Row, "seq"> | undefined)?.seq ?? 0;
  }

  read({ stream, accountId, from = 1, limit }: StreamRange): StoredRecord[] {
    const rows = this.#read.all(identifierText(stream), identifierText(accountId), from, rowsFor(limit));
    return rows.map((row) => {
      const { seq, hash, text, content } = row as Row;
      return { seq, hash, text, content: contentIn(content) };
    });
  }

  erase(erasure: Erasure): FindConflict | undefined {
    const { stream, accountId, seq, ref } = erasure;
    const row = this.#content.get(identifierText(stream), identifierText(accountId), seq);
    const rows = soundContentIn((row?.content ?? null) as string | null);
    if (rows === undefined)
      throw new InvalidInputError(`the content of record ${seq} of ${stream} is not what was kept there`);
    const found = rows.find((one) => one.ref === ref);
    if (row === undefined || found === undefined) return () => ({ type: "conflict", on: "content", erasure });
    if ("erased" in found) return undefined;
    const left = rows.map((one) => (one.ref === ref ? { ref: one.ref, erased: true as const } : one));
    this.#setContent.run(contentText(left), row.id as number);
    return undefined;
  }
}
