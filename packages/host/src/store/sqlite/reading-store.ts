import type { DatabaseSync } from "node:sqlite";
import {
  type Claim,
  type ClaimKey,
  type DocumentKey,
  type DocumentQuery,
  type Hear,
  movedAmong,
  type StoredDocument,
  type StoredRecord,
  type StreamRange,
  type UndrivenRun,
  type UndrivenRunsQuery,
  type Watched,
} from "@spfunctions/kernel";
import { closedFault } from "../closed-fault.ts";
import { readFault } from "./sqlite-faults.ts";
import { Tables } from "./tables.ts";
import { Wakes } from "./wakes.ts";

/** What drivers and guests read, which is the same. */
export class ReadingStore {
  protected readonly database: DatabaseSync;
  protected readonly file: string;
  protected readonly tables: Tables;
  protected readonly wakes: Wakes;

  constructor(database: DatabaseSync, file: string) {
    this.database = database;
    this.file = file;
    this.tables = new Tables(database);
    this.wakes = new Wakes(database);
  }

  async readStream(range: StreamRange): Promise<StoredRecord[]> {
    return this.read(() => this.tables.records.read(range));
  }

  async document(key: DocumentKey): Promise<StoredDocument | undefined> {
    return this.read(() => this.tables.documents.get(key));
  }

  async documents(query: DocumentQuery): Promise<StoredDocument[]> {
    return this.read(() => this.tables.documents.query(query));
  }

  async documentsById(kind: string, accountId: string, ids: readonly string[]): Promise<StoredDocument[]> {
    return this.read(() => ids.flatMap((id) => this.tables.documents.get({ kind, accountId, id }) ?? []));
  }

  async accountsWith(kind: string, status?: string): Promise<string[]> {
    return this.read(() => this.tables.documents.accountsWith(kind, status));
  }

  async claim(key: ClaimKey, now: number): Promise<Claim | undefined> {
    return this.read(() => this.tables.claims.get(key, now));
  }

  async abandoned(): Promise<string[]> {
    this.requireOpen();
    return [];
  }

  async abandonedWith(): Promise<DocumentKey[]> {
    this.requireOpen();
    return [];
  }

  /** A guest holds no streams, so that it takes none over. */
  async undrivenRuns(_query: UndrivenRunsQuery): Promise<UndrivenRun[]> {
    this.requireOpen();
    return [];
  }

  async moved(known: readonly Watched[]): Promise<Watched[]> {
    const { records, documents } = this.tables;
    return this.read(() =>
      movedAmong(known, {
        seq: ({ stream, accountId }) => records.lastSeq(stream, accountId),
        revision: (key) => documents.revisionOf(key),
      }),
    );
  }

  listen(hear: Hear): () => void {
    return this.wakes.listen(hear);
  }

  protected requireOpen(): void {
    if (!this.database.isOpen) throw closedFault();
  }

  protected read<Value>(read: () => Value): Value {
    this.requireOpen();
    try {
      return read();
    } catch (error) {
      throw readFault(error, this.file);
    }
  }
}
