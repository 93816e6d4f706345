import type { Store } from "@spfunctions/kernel";

export type PostgresStoreOptions = {
  /**
   * `postgres://user:password@host:port/database`; `?sslmode=verify-full` for TLS. A secret as a whole. A pooler in between
   * must leave a session to whoever began it.
   */
  readonly url: string;
  /** Everything is in one schema, `simplefunctions` unless given. It is made where it is missing. */
  readonly schema?: string;
  /** How long after its last sign a store counts as hung, so that others can take its streams over. */
  readonly leaseMs?: number;
  /** How often a store gives a sign. */
  readonly renewMs?: number;
  /** How many connections there are at most, 2 or more, besides the one by which the store shows that it lives. 10 unless given. */
  readonly poolSize?: number;
  /** How long an answer of the server is waited for. */
  readonly answerMs?: number;
};

/** One of any number of stores on the same data, in this process and in others. */
export type PostgresStore = Store & { readonly schema: string };
