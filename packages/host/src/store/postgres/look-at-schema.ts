import { Client } from "pg";
import { connectionSettings } from "./connection-settings.ts";
import { versionTable } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { readFault } from "./postgres-faults.ts";
import type { PostgresStoreOptions } from "./postgres-store.ts";
import { requireOwnSessions } from "./require-own-sessions.ts";
import { schemaName } from "./schema-name.ts";

/** What a database says about itself. */
export type PostgresLook = {
  /** The server's version, in its own words. */
  readonly server: string;
  /** The version of the schema; nothing where nobody has opened a store in it yet. */
  readonly version: number | undefined;
  /** The newest version that this program knows. */
  readonly known: number;
};

/** Whoever waits to see whether there is anything does not wait long. */
const answerMs = 10_000;

export async function lookAtSchema({
  url,
  schema = "simplefunctions",
}: Pick<PostgresStoreOptions, "url" | "schema">): Promise<PostgresLook> {
  const { name, quoted } = schemaName(schema);
  const { config, place } = connectionSettings(url, answerMs);
  const client = new Client(config);
  client.on("error", () => undefined);
  try {
    await requireOwnSessions(config, place);
    await client.connect();
    await client.query("SET default_transaction_read_only = on");
    const { rows } = await client.query<{ server: string; is_there: string }>(
      `SELECT current_setting('server_version') AS server, EXISTS (
         SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = $1 AND c.relname = $2)::text AS is_there`,
      [name, versionTable],
    );
    const { server = "", is_there: isThere } = rows[0] ?? {};
    const kept =
      isThere === "true"
        ? await client.query<{ version: string }>(`SELECT version FROM ${quoted}.${versionTable}`)
        : undefined;
    const version = kept?.rows[0]?.version;
    return {
      server,
      version: version === undefined ? undefined : Number(version),
      known: migrations.length,
    };
  } catch (error) {
    throw readFault(error, place);
  } finally {
    await client.end().catch(() => undefined);
  }
}
