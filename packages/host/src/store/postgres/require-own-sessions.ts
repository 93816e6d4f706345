// A store needs sessions of the server for itself: for the lock by which it shows that it lives, for LISTEN, for prepared
// statements, and for the settings of its connections. A pooler that gives each transaction to another session has none for it.
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { Client, type ClientConfig } from "pg";

/** Whoever opens a store does not wait longer for a session that a pooler does not have. */
const answerMs = 10_000;

/** Chance alone, among others who use the pooler at the same time, does not pass so many. */
const rounds = 8;

/**
 * Refuses a pooler that does not keep sessions apart: one connection is served by different processes of the server, or two
 * connections by the same one. Directly at the server it asks one question.
 */
export async function requireOwnSessions(config: ClientConfig, place: string): Promise<void> {
  await withClient(config, async (first) => {
    const pid = await pidOf(first);
    // A pooler tells its clients numbers of its own.
    if ("processID" in first && first.processID === pid) return;
    await withClient(config, async (second) => {
      const other = await pidOf(second).catch((error: unknown) => {
        throw tooFewSessions(place, error);
      });
      /* oxlint-disable no-await-in-loop -- one after the other: a pooler gives a session to whoever asks next */
      for (let round = 0; round < rounds; round++) {
        const pids = [await pidOf(first), await pidOf(first), await pidOf(second)];
        if (pid === other || pids.join() !== [pid, pid, other].join()) throw sharedSessions(place);
      }
      /* oxlint-enable no-await-in-loop */
    });
  });
}

/** A pooler was found that does not keep the sessions of its clients apart. */
function sharedSessions(place: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(
    `${place} is reached through a pooler that lends the server's sessions for a transaction or a statement at a time, and a store needs sessions for itself: for the lock by which it shows that it lives, for LISTEN and for prepared statements. Connect to the server directly, or let the pooler keep a session for each client (pgbouncer: pool_mode = session)`,
    { details: { reason: "pooler" } },
  );
}

export function isSharedSessions(error: unknown): error is HostConfigurationNeededError {
  return error instanceof HostConfigurationNeededError && error.details?.["reason"] === "pooler";
}

function tooFewSessions(place: string, error: unknown): HostConfigurationNeededError {
  const words = error instanceof Error ? error.message : "no answer";
  return new HostConfigurationNeededError(
    `${place} is reached through a pooler that gave no second session: ${words}. Let it have as many sessions for this database as its clients' stores have connections, poolSize and one more for each (pgbouncer: default_pool_size), or connect to the server directly`,
    { details: { reason: "pooler_size" } },
  );
}

async function withClient(config: ClientConfig, use: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ ...config, query_timeout: answerMs });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function pidOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: string }>("SELECT pg_catalog.pg_backend_pid() AS pid");
  return Number(rows[0]?.pid);
}
