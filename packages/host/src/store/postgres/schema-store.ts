import type { Digest } from "@spfunctions/contracts";
import type {
  Claim,
  ClaimKey,
  CommitResult,
  DocumentKey,
  DocumentQuery,
  Hear,
  LeaseResult,
  Listeners,
  Store,
  StoredDocument,
  StoredRecord,
  StreamRange,
  UndrivenRun,
  UndrivenRunsQuery,
  Unit,
  Watched,
} from "@spfunctions/kernel";
import type { Pool } from "pg";
import { closedFault } from "../closed-fault.ts";
import { CommitQueue } from "./commit-queue.ts";
import type { HolderSession } from "./holder-session.ts";
import { LateReleases } from "./late-releases.ts";
import type { LostBackends } from "./lost-backends.ts";
import { readFault, writeFault } from "./postgres-faults.ts";
import { Readings } from "./readings.ts";
import type { SchemaName } from "./schema-name.ts";
import type { Sockets } from "./sockets.ts";
import { StreamLeases } from "./stream-leases.ts";
import { UnitSender } from "./unit-sender.ts";
import { wordsOf, wordsOfRelease } from "./unit-words.ts";
import { WakeSender } from "./wake-sender.ts";

export type SchemaStoreParts = {
  readonly pool: Pool;
  readonly lost: LostBackends;
  readonly sockets: Sockets;
  readonly session: HolderSession;
  readonly schema: SchemaName;
  readonly listeners: Listeners;
  readonly place: string;
};

/** A store in one schema of a PostgreSQL database, beside any number of others. */
export class SchemaStore implements Store {
  readonly schema: string;
  readonly #parts: SchemaStoreParts;
  readonly #queue: CommitQueue;
  readonly #readings: Readings;
  readonly #leases: StreamLeases;
  readonly #wakes: WakeSender;
  readonly #late: LateReleases;
  #closing: Promise<void> | undefined;

  constructor(parts: SchemaStoreParts) {
    this.schema = parts.schema.name;
    this.#parts = parts;
    const { pool, lost, schema, session, place } = parts;
    this.#readings = new Readings(pool, schema, session.holder);
    this.#leases = new StreamLeases(pool, schema, session.holder);
    this.#wakes = new WakeSender(pool, schema, session.holder);
    const sender = new UnitSender(pool, lost, schema, session);
    this.#queue = new CommitQueue(sender, (error) => writeFault(error, place));
    this.#late = new LateReleases((stream, epoch) => this.#queue.add(wordsOfRelease(stream, epoch)));
  }

  async commit(unit: Unit): Promise<CommitResult> {
    this.#requireOpen();
    const wakes = [...(unit.wakes ?? [])];
    try {
      const result = await this.#queue.add(wordsOf(unit));
      if (result.type === "committed") this.#tell(wakes);
      return result;
    } catch (error) {
      // It may be written all the same.
      if (wakes.length > 0) this.#tell([undefined]);
      throw writeFault(error, this.#parts.place);
    }
  }

  /** Whoever waits here, and in other processes. */
  #tell(wakes: readonly (string | undefined)[]): void {
    this.#parts.listeners.tell(wakes);
    this.#wakes.add(wakes);
  }

  async lease(stream: string, accountId: string, genesis: Digest): Promise<LeaseResult> {
    this.#requireOpen();
    try {
      return await this.#leases.lease(stream, accountId, genesis);
    } catch (error) {
      throw writeFault(error, this.#parts.place);
    }
  }

  async renew(stream: string, epoch: number): Promise<boolean> {
    this.#requireOpen();
    const { pool, lost, session, place } = this.#parts;
    try {
      await lost.gone(pool);
      return await this.#leases.renew(stream, epoch, session.current);
    } catch (error) {
      throw writeFault(error, place);
    }
  }

  leaseMs(): number {
    return this.#parts.session.leaseMs;
  }

  async release(stream: string, epoch: number): Promise<void> {
    // A closed store has given everything up.
    if (this.#closing !== undefined) return;
    try {
      await this.#queue.add(wordsOfRelease(stream, epoch));
    } catch (error) {
      this.#late.add(stream, epoch);
      throw error;
    } finally {
      this.#leases.release(stream, epoch);
    }
  }

  async readStream(range: StreamRange): Promise<StoredRecord[]> {
    return this.#read(() => this.#readings.stream(range));
  }

  async document(key: DocumentKey): Promise<StoredDocument | undefined> {
    return this.#read(() => this.#readings.document(key));
  }

  async documents(query: DocumentQuery): Promise<StoredDocument[]> {
    return this.#read(() => this.#readings.documents(query));
  }

  async documentsById(kind: string, accountId: string, ids: readonly string[]): Promise<StoredDocument[]> {
    return this.#read(() => this.#readings.documentsById(kind, accountId, ids));
  }

  async accountsWith(kind: string, status?: string): Promise<string[]> {
    return this.#read(() => this.#readings.accountsWith(kind, status));
  }

  async claim(key: ClaimKey, now: number): Promise<Claim | undefined> {
    return this.#read(() => this.#readings.claim(key, now));
  }

  async abandoned(accountId: string): Promise<string[]> {
    return this.#read(() => this.#readings.abandoned(accountId));
  }

  async abandonedWith(kind: string, status: string): Promise<DocumentKey[]> {
    this.#requireOpen();
    if (!this.#parts.session.canTellTheDead) return [];
    return await this.#read(() => this.#readings.abandonedWith(kind, status));
  }

  async moved(known: readonly Watched[]): Promise<Watched[]> {
    return this.#read(() => this.#readings.moved(known));
  }

  async undrivenRuns(query: UndrivenRunsQuery): Promise<UndrivenRun[]> {
    this.#requireOpen();
    if (!this.#parts.session.canTellTheDead) return [];
    return await this.#read(() => this.#readings.undrivenRuns(query, this.#leases.unanswered));
  }

  listen(hear: Hear): () => void {
    return this.#parts.listeners.add(hear);
  }

  lasts(): boolean {
    return true;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { pool, sockets, session, schema } = this.#parts;
    this.#late.close();
    await this.#queue.idle();
    await session.close();
    await sockets.end(async () => {
      await this.#wakes.idle();
      // Where the server cannot be asked, the lock went with the connection.
      await pool
        .query(`DELETE FROM ${schema.quoted}.holders WHERE id = $1`, [session.holder])
        .catch(() => undefined);
      await pool.end();
    });
  }

  async #read<Value>(read: () => Promise<Value>): Promise<Value> {
    this.#requireOpen();
    try {
      await this.#parts.lost.gone(this.#parts.pool);
      return await read();
    } catch (error) {
      throw readFault(error, this.#parts.place);
    }
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw closedFault();
    const { fault } = this.#parts.session;
    if (fault !== undefined) throw fault;
  }
}
