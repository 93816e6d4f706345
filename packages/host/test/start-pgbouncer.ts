// A pgbouncer in front of a test's PostgreSQL, run as the user who runs the server: it does not run as root.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect } from "vitest";
import { freePort, serverOwner, type TestPostgres } from "./start-postgres.ts";

export type PoolMode = "session" | "transaction" | "statement";

export type TestPgbouncer = {
  readonly urlOf: (database: string) => string;
  /** Reads its settings again, with another mode. Connections that are open keep theirs until they end. */
  readonly setMode: (mode: PoolMode) => Promise<void>;
  readonly remove: () => Promise<void>;
};

/** Why there is none here; nothing where there is one. */
export function missingPgbouncer(): string | undefined {
  return spawnSync("pgbouncer", ["--version"]).status === 0
    ? undefined
    : "pgbouncer is not installed here (the Debian package has the same name)";
}

export async function startPgbouncer(
  { folder: socket, port: serverPort }: Pick<TestPostgres, "folder" | "port">,
  mode: PoolMode,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<TestPgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), "sf-pgb-"));
  const owner = serverOwner();
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  const write = (pool_mode: PoolMode) => {
    const all = {
      listen_addr: "127.0.0.1",
      listen_port: port,
      unix_socket_dir: "",
      auth_type: "any",
      admin_users: "admin",
      logfile: join(folder, "log"),
      pool_mode,
      ...settings,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}\n`);
    const place = `host=${socket} port=${serverPort} user=postgres`;
    writeFileSync(file, `[databases]\n* = ${place}\n[pgbouncer]\n${lines.join("")}`);
  };
  write(mode);
  const child = spawn("pgbouncer", ["-q", file], { ...owner, cwd: folder, stdio: "ignore" });
  const admin = async (statement: string) => {
    const client = new Client({ host: "127.0.0.1", port, user: "admin", database: "pgbouncer" });
    try {
      await client.connect();
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await expect
    .poll(() => admin("SHOW VERSION").then(() => "answers"), { timeout: 30_000 })
    .toBe("answers")
    .catch((error: unknown) => {
      throw new Error(`pgbouncer did not start: ${readFileSync(join(folder, "log"), "utf8")}`, {
        cause: error,
      });
    });
  return {
    urlOf: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    setMode: async (other) => {
      write(other);
      await admin("RELOAD");
    },
    remove: async () => {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
