import { Client, type ClientConfig } from "pg";
import { prepareConnection } from "./prepare-connection.ts";
import type { SchemaName } from "./schema-name.ts";
import type { Sockets } from "./sockets.ts";

export type Session = {
  readonly client: Client;
  readonly id: number;
  readonly holder: number;
  /** The process of the server that serves it. */
  readonly pid: string;
  /** When the server was last asked to renew the lease, and did. */
  readonly aliveAt: { readonly now: number; readonly elapsed: number };
};

export function momentNow(): Session["aliveAt"] {
  return { now: Date.now(), elapsed: performance.now() };
}

export type BeginTerms = {
  readonly config: ClientConfig;
  readonly schema: SchemaName;
  readonly leaseMs: number;
};

/** A new connection that has the lock of a session of its own, and listens. A new holder's where none is given. */
export async function beginSession(
  { config, schema, leaseMs }: BeginTerms,
  sockets: Sockets,
  holder: number | null,
): Promise<Session> {
  const client = new Client({ ...config, stream: sockets.make, query_timeout: leaseMs });
  try {
    // Before it is connected: what fails then is an event too.
    client.on("error", () => undefined);
    await client.connect();
    await prepareConnection(client, leaseMs);
    await client.query(`LISTEN ${schema.quoted}`);
    const aliveAt = momentNow();
    const { rows } = await client.query<{ holder_id: string; session_id: string; pid: string }>(
      `SELECT *, pg_backend_pid() AS pid FROM ${schema.quoted}.begin_session($1, $2)`,
      [holder, leaseMs],
    );
    const [row] = rows;
    if (row === undefined) throw new Error("the server gave no session");
    // That it lives need not survive a hard stop of the server; its number must, which nobody else may be given.
    await client.query("SET synchronous_commit = off");
    sockets.unref();
    return { client, id: Number(row.session_id), holder: Number(row.holder_id), pid: row.pid, aliveAt };
  } catch (error) {
    sockets.cut();
    throw error;
  }
}
