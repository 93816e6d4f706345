import { HostConfigurationNeededError } from "@spfunctions/contracts";
import type { Pool, PoolClient, QueryConfig } from "pg";
import type { Migration } from "./migrations.ts";
import type { SchemaName } from "./schema-name.ts";

export const versionTable = "simplefunctions_version";

/** A step takes as long as it takes. */
const longestMs = 2 ** 31 - 1;

/** The oldest server whose language the functions are written in. */
const oldestServer = 120_000;

/** Brings a schema to the newest version that this program knows, beside any number of others that do the same. */
export async function migrate(
  pool: Pool,
  schema: SchemaName,
  migrations: readonly Migration[],
  place: string,
): Promise<void> {
  const client = await pool.connect();
  let failed = true;
  try {
    await requireServer(client, place);
    // oxlint-disable-next-line no-await-in-loop -- step by step
    while (await takeStep(client, schema, migrations, place));
    failed = false;
  } finally {
    // A connection on which something failed may have a transaction open.
    client.release(failed);
  }
}

async function requireServer(client: PoolClient, place: string): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding",
  );
  const version = Number(rows[0]?.version);
  const encoding = rows[0]?.encoding;
  if (version < oldestServer)
    throw new HostConfigurationNeededError(
      `${place} is on PostgreSQL ${Math.floor(version / 10_000)}, and version 12 is the oldest that can be used; update the server`,
      { details: { reason: "old_server", version } },
    );
  if (encoding !== "UTF8")
    throw new HostConfigurationNeededError(
      `${place} has the encoding ${encoding}, which cannot hold every text; create a database with the encoding UTF8`,
      { details: { reason: "encoding", encoding } },
    );
}

/** Takes the next step, if there is one, unless somebody else has taken it in the meantime. */
async function takeStep(
  client: PoolClient,
  schema: SchemaName,
  migrations: readonly Migration[],
  place: string,
): Promise<boolean> {
  const known = migrations.length;
  if ((await versionOf(client, schema, known, place)) === known) return false;
  await client.query("BEGIN");
  await client.query("SET LOCAL statement_timeout = 0");
  await client.query("SELECT pg_advisory_xact_lock($1, 0)", [schema.lockClass]);
  const version = await versionOf(client, schema, known, place);
  const step = migrations[version];
  if (step !== undefined) {
    if (version === 0) await begin(client, schema);
    await client.query({ text: step(schema), query_timeout: longestMs } as QueryConfig);
    await client.query(`UPDATE ${schema.quoted}.${versionTable} SET version = ${version + 1}`);
  }
  await client.query("COMMIT");
  return true;
}

/** Refuses a schema that a newer program has written: what is in it is not known here. */
async function versionOf(
  client: PoolClient,
  schema: SchemaName,
  known: number,
  place: string,
): Promise<number> {
  // Not by to_regclass(): it may answer from what was known before the lock was waited for.
  const found = await client.query(
    "SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2",
    [schema.name, versionTable],
  );
  if (found.rows.length === 0) return 0;
  const { rows } = await client.query<{ version: string }>(
    `SELECT version FROM ${schema.quoted}.${versionTable}`,
  );
  const version = Number(rows[0]?.version);
  if (version <= known) return version;
  throw new HostConfigurationNeededError(
    `the schema ${schema.name} in ${place} has version ${version} and this program knows versions up to ${known}; it was left as it is. Update this program, or name another schema`,
    { details: { reason: "newer_schema", version, known } },
  );
}

async function begin(client: PoolClient, { name, quoted }: SchemaName): Promise<void> {
  // Asked first: a role that owns only this schema may not even say CREATE SCHEMA IF NOT EXISTS.
  const { rows } = await client.query("SELECT FROM pg_namespace WHERE nspname = $1", [name]);
  if (rows.length === 0) await client.query(`CREATE SCHEMA ${quoted}`);
  await client.query(`CREATE TABLE ${quoted}.${versionTable} (version integer NOT NULL)`);
  await client.query(`INSERT INTO ${quoted}.${versionTable} VALUES (0)`);
}
