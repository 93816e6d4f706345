// J3: a stream is held by an opened store under one epoch. Where the answer to a lease was lost the server says that this store
// holds the stream, and nobody here knows under which epoch: then it is leased anew.
import type { Digest } from "@spfunctions/contracts";
import type { LeaseResult } from "@spfunctions/kernel";
import type { Pool, QueryConfig } from "pg";
import { keptIdentifier, keptText } from "./kept-text.ts";
import { isRefusal, NotSent } from "./postgres-faults.ts";
import type { SchemaName } from "./schema-name.ts";

type Row = { readonly next_epoch: string; readonly head_seq: string; readonly head_hash: Digest };

/** By which a store shows that it lives, and for how long with each sign. */
export type LivingSession = { readonly id: number; readonly leaseMs: number };

export class StreamLeases {
  readonly #pool: Pool;
  readonly #schema: SchemaName;
  readonly #holder: number;
  /** The epochs of the streams that were leased here and not given up. */
  readonly #epochs = new Map<string, number>();
  /** One for each stream: who comes second must know what the first was given. */
  readonly #underWay = new Map<string, Promise<unknown>>();
  /** Those for which the answer to a lease was lost: the server may say that this store holds them. */
  readonly #unanswered = new Set<string>();

  constructor(pool: Pool, schema: SchemaName, holder: number) {
    this.#pool = pool;
    this.#schema = schema;
    this.#holder = holder;
  }

  /** Streams that this store may hold for the server, and that nobody here writes. */
  get unanswered(): string[] {
    return [...this.#unanswered];
  }

  lease(stream: string, accountId: string, genesis: Digest): Promise<LeaseResult> {
    const before = this.#underWay.get(stream) ?? Promise.resolve();
    const ask = () => this.#ask(stream, accountId, genesis);
    const lease = before.then(ask, ask);
    this.#underWay.set(stream, lease);
    return lease.finally(() => {
      if (this.#underWay.get(stream) === lease) this.#underWay.delete(stream);
    });
  }

  /**
   * Begins the lease of a stream anew, if it is held under this epoch. Whoever takes the stream over at the same time locks its row
   * too: either this store has it no more, or the other sees that it lives.
   */
  async renew(stream: string, epoch: number, { id, leaseMs }: LivingSession): Promise<boolean> {
    const { quoted } = this.#schema;
    const { rowCount } = await this.#pool.query({
      name: "renew",
      text: `WITH held AS MATERIALIZED (
        SELECT s.id FROM ${quoted}.streams s WHERE s.name = $1 AND s.epoch = $2 AND s.holder = $3 FOR SHARE)
      SELECT ${quoted}.renew_session($3, $4, $5) FROM held`,
      values: [keptIdentifier(stream), epoch, this.#holder, id, leaseMs],
    });
    return rowCount === 1;
  }

  /** Told when a stream is given up, whether or not the server gets to know. */
  release(stream: string, epoch: number): void {
    if (this.#epochs.get(stream) === epoch) this.#epochs.delete(stream);
  }

  async #ask(stream: string, accountId: string, genesis: Digest): Promise<LeaseResult> {
    const [row] = await this.#answerTo(stream, {
      name: "lease",
      text: `SELECT * FROM ${this.#schema.quoted}.lease_stream($1, $2, $3, $4, $5)`,
      values: [
        this.#holder,
        this.#epochs.get(stream) ?? 0,
        keptIdentifier(stream),
        keptIdentifier(accountId),
        keptText(genesis),
      ],
    });
    if (row === undefined) return { type: "held" };
    const epoch = Number(row.next_epoch);
    this.#epochs.set(stream, epoch);
    return { type: "leased", epoch, head: { seq: Number(row.head_seq), hash: row.head_hash } };
  }

  async #answerTo(stream: string, question: QueryConfig): Promise<Row[]> {
    const client = await this.#pool.connect().catch((cause: unknown) => {
      throw new NotSent("no connection", { cause });
    });
    try {
      const { rows } = await client.query<Row>(question);
      client.release();
      this.#unanswered.delete(stream);
      return rows;
    } catch (error) {
      const isLost = !isRefusal(error);
      if (isLost) this.#unanswered.add(stream);
      client.release(isLost);
      throw error;
    }
  }
}
