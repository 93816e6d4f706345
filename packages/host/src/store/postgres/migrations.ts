import { commitFunctions } from "./commit-functions.ts";
import { leaseFunctions } from "./lease-functions.ts";
import type { SchemaName } from "./schema-name.ts";

/** The runs that have not ended, as the index says it: a query that says it otherwise does not use the index. */
export function unendedRuns(table?: string): string {
  const at = table === undefined ? "" : `${table}.`;
  return `${at}kind = 'run' AND ${at}status NOT IN ('completed', 'blocked', 'failed', 'cancelled')`;
}

export type Migration = (schema: SchemaName) => string;

/**
 * How the schema came to be, step by step: step n leads to version n. A step that has been released is never changed. A later
 * one that changes what a function means gives it another name and drops the old one: a program that was there before then
 * writes no more, instead of writing something else than it means.
 *
 * Texts are kept by their bytes (`COLLATE "C"`), whatever the database's own order is. There are no foreign keys: nothing is
 * written but by the functions, and those hold the stream that a record belongs to.
 */
export const migrations: readonly Migration[] = [
  (schema) => `
  CREATE TABLE ${schema.quoted}.streams (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    account text COLLATE "C" NOT NULL,
    genesis text COLLATE "C" NOT NULL,
    epoch bigint NOT NULL,
    holder integer
  );
  CREATE INDEX streams_by_holder ON ${schema.quoted}.streams (holder) WHERE holder IS NOT NULL;

  CREATE TABLE ${schema.quoted}.records (
    stream bigint NOT NULL,
    seq bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    text text COLLATE "C" NOT NULL,
    PRIMARY KEY (stream, seq)
  );

  -- What was erased has neither salt nor text.
  CREATE TABLE ${schema.quoted}.contents (
    stream bigint NOT NULL,
    seq bigint NOT NULL,
    place integer NOT NULL,
    ref text COLLATE "C" NOT NULL,
    salt text COLLATE "C",
    text text COLLATE "C",
    PRIMARY KEY (stream, seq, place)
  );

  CREATE TABLE ${schema.quoted}.documents (
    account text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    body text COLLATE "C" NOT NULL,
    PRIMARY KEY (account, kind, id)
  );
  CREATE INDEX documents_by_status ON ${schema.quoted}.documents (kind, status, account, id);

  CREATE TABLE ${schema.quoted}.claims (
    account text COLLATE "C" NOT NULL,
    scope text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    expires_at double precision NOT NULL,
    ref text COLLATE "C" NOT NULL,
    PRIMARY KEY (account, scope, key)
  );

  -- Every opened store, and the connection by which it shows that it lives.
  CREATE SEQUENCE ${schema.quoted}.sessions AS integer;
  CREATE TABLE ${schema.quoted}.holders (
    id integer PRIMARY KEY,
    session integer NOT NULL,
    expires_at timestamptz NOT NULL
  );

  ${leaseFunctions(schema)}
  ${commitFunctions(schema)}
  `,

  // Which package a run was started under, so that a process finds its own runs among any number of others. The server makes it
  // of the body: nobody who writes has to know of it.
  ({ quoted }) => `
  ALTER TABLE ${quoted}.documents ADD COLUMN package text COLLATE "C"
    GENERATED ALWAYS AS (CASE WHEN kind = 'run' THEN substring(body FROM '"packageFingerprint":"([^"]*)"') END) STORED;
  CREATE INDEX unended_runs ON ${quoted}.documents (account, package, id) WHERE ${unendedRuns()};
  `,
];
