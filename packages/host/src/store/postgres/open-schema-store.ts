import { Listeners } from "@spfunctions/kernel";
import { Pool } from "pg";
import { connectionSettings } from "./connection-settings.ts";
import { HolderSession } from "./holder-session.ts";
import { backendOf, LostBackends } from "./lost-backends.ts";
import { migrate } from "./migrate.ts";
import type { Migration } from "./migrations.ts";
import { readFault } from "./postgres-faults.ts";
import type { PostgresStore, PostgresStoreOptions } from "./postgres-store.ts";
import { prepareConnection } from "./prepare-connection.ts";
import { requireOwnSessions } from "./require-own-sessions.ts";
import { schemaName } from "./schema-name.ts";
import { SchemaStore } from "./schema-store.ts";
import { defaultLeaseMs, defaultRenewMs } from "../lease-limits.ts";
import { Sockets } from "./sockets.ts";

/**
 * Connections to the database at once.
 * @limit store.poolSize | others wait for one | `poolSize` of `openPostgresStore`
 */
const defaultPoolSize = 10;

/**
 * How long the database may take for one statement.
 * @limit store.answerMs | `journal_append_failed`, or `host_configuration_needed` where something is only read | `answerMs` of `openPostgresStore`
 */
const defaultAnswerMs = 30_000;

/** Opens a store as a program does that knows these migrations. */
export async function openSchemaStore(
  options: PostgresStoreOptions,
  migrations: readonly Migration[],
): Promise<PostgresStore> {
  const {
    leaseMs = defaultLeaseMs,
    renewMs = defaultRenewMs,
    poolSize = defaultPoolSize,
    answerMs = defaultAnswerMs,
  } = options;
  const schema = schemaName(options.schema ?? "simplefunctions");
  const { config, place } = connectionSettings(options.url, answerMs);
  const sockets = new Sockets();
  const lost = new LostBackends(answerMs);
  const pool = new Pool({
    ...config,
    stream: sockets.make,
    // Whoever writes keeps one while there is more to write; whoever reads needs another.
    max: Math.max(poolSize, 2),
    allowExitOnIdle: true,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it
    onConnect: async (client) => {
      await prepareConnection(client, answerMs);
      lost.know(client, await backendOf(client));
    },
  });
  // A connection that is lost while nobody uses it is left out; whoever needs one opens another.
  pool.on("error", () => undefined);
  const listeners = new Listeners();
  try {
    await requireOwnSessions(config, place);
    await migrate(pool, schema, migrations, place);
    const session = await HolderSession.open({ config, schema, place, leaseMs, renewMs, listeners });
    return new SchemaStore({ pool, lost, sockets, session, schema, listeners, place });
  } catch (error) {
    await sockets.end(() => pool.end());
    throw readFault(error, place);
  }
}
