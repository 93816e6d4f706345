import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Durability } from "@spfunctions/kernel";

/** Runs writes one whole transaction at a time, each as durable as it asks to be. */
export class Transactions {
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #rollback: StatementSync;
  #durability: Durability | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
    this.#rollback = database.prepare("ROLLBACK");
  }

  /** Keeps what `write` did if it says so; otherwise, and where anything fails, nothing of it. */
  run(durability: Durability, write: () => "keep" | "drop"): void {
    this.#ask(durability);
    this.#begin.run();
    try {
      if (write() === "keep") this.#commit.run();
      else this.#rollback.run();
    } catch (error) {
      // Some failures have ended the transaction already.
      if (this.#database.isTransaction) this.#rollback.run();
      throw error;
    }
  }

  #ask(durability: Durability): void {
    if (durability === this.#durability) return;
    this.#database.exec(`PRAGMA synchronous = ${durability === "power" ? "FULL" : "NORMAL"}`);
    this.#durability = durability;
  }
}
