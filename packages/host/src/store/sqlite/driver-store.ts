import type { DatabaseSync } from "node:sqlite";
import { type ContentRow, type Digest, LeaseLostError } from "@spfunctions/contracts";
import type {
  CommitResult,
  LeaseResult,
  Store,
  UndrivenRun,
  UndrivenRunsQuery,
  Unit,
} from "@spfunctions/kernel";
import { inPlace } from "../../files/in-place.ts";
import { Checkpoints } from "./checkpoints.ts";
import { CommitQueue } from "./commit-queue.ts";
import type { DriverLease } from "./driver-lease.ts";
import { emptyLog } from "./open-database.ts";
import { ReadingStore } from "./reading-store.ts";
import { writeFault } from "./sqlite-faults.ts";
import type { HeldStream } from "./streams-table.ts";
import type { Transactions } from "./transactions.ts";

export type DriverParts = {
  readonly database: DatabaseSync;
  readonly file: string;
  readonly folder: string;
  readonly transactions: Transactions;
  readonly lease: DriverLease;
  readonly renewMs: number;
};

/** The store of the process that drives a data folder. */
export class DriverStore extends ReadingStore implements Store {
  readonly role = "driver";
  readonly folder: string;
  readonly #transactions: Transactions;
  readonly #lease: DriverLease;
  readonly #queue: CommitQueue;
  readonly #renewal: NodeJS.Timeout;
  readonly #isInPlace: () => boolean;
  readonly #checkpoints: Checkpoints;
  #unwiped = false;
  #closing: Promise<void> | undefined;

  constructor({ database, file, folder, transactions, lease, renewMs }: DriverParts) {
    super(database, file);
    this.folder = folder;
    this.#transactions = transactions;
    this.#lease = lease;
    this.#isInPlace = inPlace(file);
    this.#checkpoints = new Checkpoints(file);
    this.#queue = new CommitQueue({
      database,
      transactions,
      tables: this.tables,
      permit: () => lease.require(),
      afterErasing: () => this.#wipe(),
      wakes: this.wakes,
      faultOf: (error) => writeFault(error, file),
    });
    this.#renewal = setInterval(() => this.#renew(), renewMs).unref();
    this.#wipe();
  }

  async commit(unit: Unit): Promise<CommitResult> {
    this.requireOpen();
    for (const { records } of unit.appends ?? [])
      for (const { text, content } of records) this.#checkpoints.wrote(text.length + charsOf(content));
    return await this.#queue.add(unit);
  }

  async lease(stream: string, accountId: string, genesis: Digest): Promise<LeaseResult> {
    this.requireOpen();
    if (this.tables.streams.holds(stream)) return { type: "held" };
    const held = this.#nextEpoch(stream, accountId, genesis);
    if (held === undefined) return { type: "held" };
    this.tables.streams.hold(stream, held);
    return { type: "leased", epoch: held.epoch, head: held.head };
  }

  async renew(stream: string, epoch: number): Promise<boolean> {
    this.requireOpen();
    if (!this.tables.streams.holds(stream, epoch)) return false;
    try {
      this.#lease.renew();
      return true;
    } catch (error) {
      if (error instanceof LeaseLostError) return false;
      throw writeFault(error, this.file);
    }
  }

  leaseMs(): number {
    return this.#lease.leaseMs;
  }

  async release(stream: string, epoch: number): Promise<void> {
    this.#queue.flush();
    this.tables.streams.release(stream, epoch);
  }

  override async undrivenRuns({ of, after, limit }: UndrivenRunsQuery): Promise<UndrivenRun[]> {
    const { documents, streams } = this.tables;
    const found = this.read(() =>
      of.flatMap((one) => documents.unendedRuns(one, after).map((id) => ({ ...one, id }))),
    );
    return found
      .filter(({ id }) => !streams.holds(id))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, Math.max(limit, 0));
  }

  lasts(): boolean {
    return true;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#queue.flush();
    clearInterval(this.#renewal);
    await this.#checkpoints.close();
    // What came meanwhile.
    this.#queue.flush();
    // Whatever cannot be tidied up now is when the folder is opened next: nothing of what was committed depends on it.
    attempt(() => this.#lease.giveUp());
    this.#wipe();
    this.wakes.close();
    this.database.close();
  }

  #nextEpoch(stream: string, accountId: string, genesis: Digest): HeldStream | undefined {
    let held: HeldStream | undefined;
    try {
      this.#transactions.run("process", () => {
        this.#lease.require();
        held = this.tables.streams.nextEpoch(stream, accountId, genesis);
        return held === undefined ? "drop" : "keep";
      });
    } catch (error) {
      throw writeFault(error, this.file);
    }
    return held;
  }

  #renew(): void {
    attempt(() => {
      if (!this.#isInPlace()) this.#lease.lose("its database file was moved or deleted");
      this.#lease.renew();
    });
    if (this.#unwiped) this.#wipe();
  }

  /**
   * Empties the log, in which the pages from before an erasure still are. A reader that needs them is not waited for: it is
   * tried again with every renewal, and when the folder is opened next.
   */
  #wipe(): void {
    this.#unwiped = true;
    attempt(() => {
      this.#unwiped = !emptyLog(this.database);
    });
  }
}

function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // It is done again, or not needed.
  }
}

function charsOf(content: readonly ContentRow[]): number {
  return content.reduce((sum, row) => sum + ("text" in row ? row.text.length : 0), 0);
}
