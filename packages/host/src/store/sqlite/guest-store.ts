// B25: a guest reads everything and leaves answers in the inbox; whatever else is written comes from the driver.
import type { DatabaseSync } from "node:sqlite";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { type CommitResult, inboxKind, type LeaseResult, type Store, type Unit } from "@spfunctions/kernel";
import { CommitQueue } from "./commit-queue.ts";
import { ReadingStore } from "./reading-store.ts";
import { writeFault } from "./sqlite-faults.ts";
import { Transactions } from "./transactions.ts";

/** The store of a process beside the one that drives the data folder. */
export class GuestStore extends ReadingStore implements Store {
  readonly role = "guest";
  readonly folder: string;
  readonly #queue: CommitQueue;

  constructor(database: DatabaseSync, file: string, folder: string, permit: () => void) {
    super(database, file);
    this.folder = folder;
    this.#queue = new CommitQueue({
      database,
      transactions: new Transactions(database),
      tables: this.tables,
      permit,
      afterErasing: () => undefined,
      wakes: this.wakes,
      faultOf: (error) => writeFault(error, file),
    });
  }

  async commit(unit: Unit): Promise<CommitResult> {
    this.requireOpen();
    const { appends = [], documents = [], claims = [], erasures = [] } = unit;
    if (
      appends.length + claims.length + erasures.length > 0 ||
      documents.some(({ kind }) => kind !== inboxKind)
    )
      throw this.#refusal("write anything but documents of the inbox");
    return this.#queue.add(unit);
  }

  async lease(): Promise<LeaseResult> {
    this.requireOpen();
    throw this.#refusal("lease a stream");
  }

  async renew(): Promise<boolean> {
    this.requireOpen();
    return false;
  }

  leaseMs(): number {
    return Number.POSITIVE_INFINITY;
  }

  async release(): Promise<void> {
    // A guest holds nothing that it could give up.
  }

  lasts(): boolean {
    return true;
  }

  async close(): Promise<void> {
    if (!this.database.isOpen) return;
    this.#queue.flush();
    this.wakes.close();
    this.database.close();
  }

  #refusal(what: string): HostConfigurationNeededError {
    return new HostConfigurationNeededError(
      `a guest of ${this.folder} cannot ${what}; ask the process that drives the folder, or stop it and open the folder as its driver`,
      { details: { reason: "guest" } },
    );
  }
}
