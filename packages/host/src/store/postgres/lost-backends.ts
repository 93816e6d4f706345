// J1, J2, J3: a statement whose connection is lost may still be under way at the server, and come true after somebody has looked
// whether it did. So the server's process that had it is ended, and before it has gone nothing is asked.
import { setTimeout as pause } from "node:timers/promises";
import type { ClientBase, Pool } from "pg";

/** A process of the server: when it started sets it apart from a later one with its number. */
export type Backend = { readonly pid: number; readonly started: string };

const pauseMs = 20;

const itself = "a.pid = l.pid AND extract(epoch FROM a.backend_start)::text = l.started";
const lostOnes = `pg_stat_activity a JOIN unnest($1::integer[], $2::text[]) AS l (pid, started) ON ${itself}`;

/** Which process of the server a connection talks to. */
export async function backendOf(client: ClientBase): Promise<Backend | undefined> {
  const { rows } = await client.query<Backend>(
    "SELECT pid, extract(epoch FROM backend_start)::text AS started FROM pg_stat_activity WHERE pid = pg_backend_pid()",
  );
  return rows[0];
}

/** The server's processes to which connections were lost while they had something to do. */
export class LostBackends {
  readonly #waitMs: number;
  readonly #known = new WeakMap<ClientBase, Backend>();
  readonly #lost = new Set<Backend>();
  #ending: Promise<void> | undefined;

  /** `waitMs`: how long they may take to go. */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /** Told of every connection. */
  know(client: ClientBase, backend: Backend | undefined): void {
    if (backend !== undefined) this.#known.set(client, backend);
  }

  /** Told of a connection that gave no answer. */
  lose(client: ClientBase): void {
    const backend = this.#known.get(client);
    if (backend !== undefined) this.#lost.add(backend);
  }

  /** Returns once none of them can write any more. */
  async gone(pool: Pool): Promise<void> {
    // Again where another was lost while some were waited for.
    while (this.#lost.size > 0) {
      this.#ending ??= this.#end(pool).finally(() => {
        this.#ending = undefined;
      });
      // oxlint-disable-next-line no-await-in-loop
      await this.#ending;
    }
  }

  async #end(pool: Pool): Promise<void> {
    const lost = [...this.#lost];
    const values = [lost.map(({ pid }) => pid), lost.map(({ started }) => started)];
    const until = performance.now() + this.#waitMs;
    for (;;) {
      // A role that may not end its own still sees them go, when what they do is over.
      // oxlint-disable-next-line no-await-in-loop
      await pool.query(`SELECT pg_terminate_backend(a.pid) FROM ${lostOnes}`, values).catch(() => undefined);
      // oxlint-disable-next-line no-await-in-loop
      const { rows } = await pool.query(`SELECT FROM ${lostOnes}`, values);
      if (rows.length === 0) break;
      if (performance.now() > until)
        throw new Error("a connection was lost, and what was under way on it has not ended");
      // oxlint-disable-next-line no-await-in-loop
      await pause(pauseMs);
    }
    for (const backend of lost) this.#lost.delete(backend);
  }
}
