// A notification takes a lock of the whole database for as long as its transaction ends. So no transaction that keeps something
// sends one: what was committed is told afterwards, gathered, and everybody who waits looks again without being told, too.
// The real ones, also where a test has put fake timers in their place.
import { setImmediate, setTimeout } from "node:timers";
import type { Pool } from "pg";
import type { SchemaName } from "./schema-name.ts";
import { wakeNotes } from "./wake-note.ts";

/** Between two statements: wakes that come meanwhile are sent together. */
const gatherMs = 40;

/** Tells the other opened stores of what this one has committed, with one statement at a time. What cannot be sent is lost. */
export class WakeSender {
  readonly #pool: Pool;
  readonly #schema: SchemaName;
  readonly #holder: number;
  readonly #waiting = new Set<string | undefined>();
  #sending: Promise<void> | undefined;

  constructor(pool: Pool, schema: SchemaName, holder: number) {
    this.#pool = pool;
    this.#schema = schema;
    this.#holder = holder;
  }

  /** `undefined` stands for wakes that nobody knows the names of. */
  add(wakes: readonly (string | undefined)[]): void {
    for (const wake of wakes) this.#waiting.add(wake);
    if (this.#waiting.size > 0) this.#sending ??= this.#sendAll();
  }

  /** Once everything has been sent or is lost. */
  async idle(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    // Whoever was answered in the same turn may have more to tell.
    await new Promise(setImmediate);
    while (this.#waiting.size > 0) {
      const notes = wakeNotes(this.#holder, [...this.#waiting]);
      this.#waiting.clear();
      // oxlint-disable-next-line no-await-in-loop -- one statement at a time
      await this.#send(notes).catch(() => undefined);
      // oxlint-disable-next-line no-await-in-loop -- see above
      await new Promise((resolve) => setTimeout(resolve, gatherMs));
    }
    this.#sending = undefined;
  }

  /** Nothing is lost with it in a power cut. */
  async #send(notes: readonly string[]): Promise<void> {
    await this.#pool.query({
      name: "wakes",
      text: `SELECT pg_notify($1, note) FROM set_config('synchronous_commit', 'off', true), unnest($2::text[]) AS note`,
      values: [this.#schema.name, notes],
    });
  }
}
