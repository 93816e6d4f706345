import type { CommitResult } from "@spfunctions/kernel";
import type { Pool, PoolClient } from "pg";
import { conflictIn, type Told } from "./conflict-in.ts";
import { keyLocks } from "./key-locks.ts";
import type { HolderSession } from "./holder-session.ts";
import type { LostBackends } from "./lost-backends.ts";
import { isRefusal, NotSent } from "./postgres-faults.ts";
import type { SchemaName } from "./schema-name.ts";
import type { WordedUnit } from "./unit-words.ts";

type Answer = { readonly conflicts: string | null };

const committed: CommitResult = Object.freeze({ type: "committed" });

/** Writes units in one statement, which is one transaction and one round trip. It is as durable as its most durable unit. */
export class UnitSender {
  readonly #pool: Pool;
  readonly #lost: LostBackends;
  readonly #schema: SchemaName;
  readonly #session: Pick<HolderSession, "holder" | "requireLease">;
  /** Kept from one statement to the next: asking for it each time would cost as much as the statement. */
  #client: PoolClient | undefined;

  constructor(
    pool: Pool,
    lost: LostBackends,
    schema: SchemaName,
    session: Pick<HolderSession, "holder" | "requireLease">,
  ) {
    this.#pool = pool;
    this.#lost = lost;
    this.#schema = schema;
    this.#session = session;
  }

  /** One at a time. */
  async send(units: readonly WordedUnit[]): Promise<readonly CommitResult[]> {
    const { name, quoted } = this.#schema;
    if (units.some(({ needsLease }) => needsLease)) await this.#session.requireLease();
    const durability = units.some((unit) => unit.durability === "power") ? "power" : "process";
    const { conflicts } = await this.#ask(`SELECT ${quoted}.commit_units($1, $2, $3, $4) AS conflicts`, [
      this.#session.holder,
      durability,
      keyLocks(units, name),
      units.flatMap(({ words }) => words),
    ]);
    const results = units.map(() => committed);
    if (conflicts === null) return results;
    for (const [at, place, standing] of JSON.parse(conflicts) as readonly Told[]) {
      const unit = units[at];
      if (unit !== undefined) results[at] = conflictIn(unit, place, standing);
    }
    return results;
  }

  /** Gives the connection back while there is nothing to send. */
  rest(): void {
    this.#client?.release();
    this.#client = undefined;
  }

  async #ask(text: string, values: unknown[]): Promise<Answer> {
    const client = (this.#client ??= await this.#connect());
    try {
      const { rows } = await client.query<Answer>({ name: "commit", text, values });
      return rows[0] ?? { conflicts: null };
    } catch (error) {
      if (!isRefusal(error)) this.#lost.lose(client);
      client.release(true);
      this.#client = undefined;
      throw error;
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      await this.#lost.gone(this.#pool);
      return await this.#pool.connect();
    } catch (error) {
      throw new NotSent("no connection", { cause: error });
    }
  }
}
