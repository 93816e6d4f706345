// SQLite tells nobody that somebody else has written; it answers whether somebody has. So whoever listens is told the wakes of
// this opened store by name, and of others only that they wrote.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Hear, Listeners } from "@spfunctions/kernel";
import { versionOf } from "./migrate.ts";

/** How often is asked, while somebody listens. */
const askMs = 250;

export class Wakes {
  readonly #database: DatabaseSync;
  readonly #listeners = new Listeners();
  readonly #dataVersion: StatementSync;
  readonly #changes: StatementSync;
  #asking: NodeJS.Timeout | undefined;
  #seen: unknown;
  #isClosed = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#dataVersion = database.prepare("PRAGMA data_version");
    this.#changes = database.prepare("SELECT total_changes()");
    for (const statement of [this.#dataVersion, this.#changes]) statement.setReturnArrays(true);
  }

  listen(hear: Hear): () => void {
    if (this.#isClosed) return () => undefined;
    const stop = this.#listeners.add(hear);
    if (this.#asking === undefined) {
      this.#seen = valueOf(this.#dataVersion);
      this.#asking = setInterval(() => this.#ask(), askMs).unref();
    }
    return () => {
      stop();
      if (this.#listeners.isEmpty) this.#stopAsking();
    };
  }

  /** Tells the wakes of a unit that this store has committed. */
  tell(keys: readonly string[]): void {
    this.#listeners.tell(keys);
  }

  /** Applies a unit with wakes so that others see that something was written, also where it changes nothing. */
  applyVisibly(apply: () => void): void {
    const before = valueOf(this.#changes);
    apply();
    // The same version again: the page that it stands on is written all the same.
    if (valueOf(this.#changes) === before)
      this.#database.exec(`PRAGMA user_version = ${versionOf(this.#database)}`);
  }

  close(): void {
    this.#isClosed = true;
    this.#stopAsking();
  }

  #ask(): void {
    try {
      const now = valueOf(this.#dataVersion);
      if (now === this.#seen) return;
      this.#seen = now;
    } catch {
      // A database that cannot be asked: whoever looks for himself learns why.
    }
    this.#listeners.tell([undefined]);
  }

  #stopAsking(): void {
    clearInterval(this.#asking);
    this.#asking = undefined;
  }
}

function valueOf(statement: StatementSync): unknown {
  return (statement.get() as readonly unknown[] | undefined)?.[0];
}
