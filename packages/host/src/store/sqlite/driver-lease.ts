// J3, B25: one process drives a data folder. Who drives is decided by the epoch in the database, which every write asks for
// in its own transaction; the clock only decides when a process that hangs may be succeeded.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { LeaseLostError } from "@spfunctions/contracts";
import type { DriverTerms } from "./take-driver.ts";
import type { Transactions } from "./transactions.ts";

/** The right to write to a data folder, for as long as nobody else has taken it. */
export class DriverLease {
  readonly #transactions: Transactions;
  readonly #terms: DriverTerms;
  readonly #epoch: number;
  readonly #epochNow: StatementSync;
  readonly #renew: StatementSync;
  readonly #giveUp: StatementSync;
  #lost: string | undefined;

  constructor(database: DatabaseSync, transactions: Transactions, terms: DriverTerms, epoch: number) {
    this.#transactions = transactions;
    this.#terms = terms;
    this.#epoch = epoch;
    this.#epochNow = database.prepare("SELECT epoch FROM driver WHERE id = 1");
    // Asked with every write, and half as dear as an object.
    this.#epochNow.setReturnArrays(true);
    this.#renew = database.prepare("UPDATE driver SET expires_at = ? WHERE id = 1");
    this.#giveUp = database.prepare("UPDATE driver SET holder = NULL, expires_at = 0 WHERE id = 1");
  }

  get leaseMs(): number {
    return this.#terms.leaseMs;
  }

  /** To be asked inside every transaction: throws where somebody else has taken over, and from then on always. */
  require(): void {
    const row = this.#epochNow.get() as readonly unknown[] | undefined;
    if (row?.[0] !== this.#epoch) this.lose("another process has taken the data folder over");
    if (this.#lost !== undefined) throw this.#fault(this.#lost);
  }

  lose(why: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = why;
    const { onLost } = this.#terms;
    // A transaction may be under way.
    if (onLost !== undefined) setImmediate(onLost, this.#fault(why));
  }

  renew(): void {
    this.#write(this.#renew, this.#terms.clock() + this.#terms.leaseMs);
  }

  giveUp(): void {
    this.#write(this.#giveUp);
  }

  #fault(why: string): LeaseLostError {
    return new LeaseLostError(
      `nothing was written to ${this.#terms.folder}: ${why}. This store writes no more; open the folder again to go on`,
      { details: { reason: "driver_lost" } },
    );
  }

  #write(statement: StatementSync, ...values: readonly number[]): void {
    this.#transactions.run("process", () => {
      this.require();
      statement.run(...values);
      return "keep";
    });
  }
}
