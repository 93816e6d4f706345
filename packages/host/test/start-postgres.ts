// A PostgreSQL cluster of its own for one test file: on a socket in a folder of its own and on a loopback port, gone afterwards
// with everything in it, also where the tests were killed.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chownSync,
  closeSync,
  existsSync,
  globSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { Client } from "pg";

export type TestPostgres = {
  readonly folder: string;
  readonly port: number;
  /** An empty database of its own, with these options. */
  readonly newDatabase: (options?: string) => Promise<TestDatabase>;
  /** Everything that the server has logged. */
  readonly log: () => string;
  readonly stop: (how?: "fast" | "immediate") => Promise<void>;
  readonly start: () => Promise<void>;
  readonly remove: () => Promise<void>;
};

export type TestDatabase = {
  readonly name: string;
  /** Through the socket, as the superuser. */
  readonly url: string;
  /** One statement, past any store. */
  readonly ask: (sql: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;
};

/** The folder of the server's programs, or why there is none. */
export function findPostgres(): { readonly bin: string } | { readonly missing: string } {
  const told = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" });
  const folders = [
    ...(told.status === 0 ? [told.stdout.trim()] : []),
    ...globSync("/usr/lib/postgresql/*/bin").toSorted().toReversed(),
  ];
  const bin = folders.find(
    (folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")),
  );
  if (bin === undefined)
    return { missing: "no PostgreSQL server is installed here (the Debian package is called postgresql)" };
  if (process.getuid?.() === 0 && idOf("u") === undefined)
    return { missing: "PostgreSQL does not run as root, and there is no user postgres" };
  return { bin };
}

/** Starts a cluster with these settings besides the server's own. */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<TestPostgres> {
  const found = findPostgres();
  if ("missing" in found) throw new Error(found.missing);
  const { bin } = found;
  // The path of a socket can have a hundred characters.
  const folder = mkdtempSync(join(tmpdir(), "sf-pg-"));
  const owner = serverOwner();
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, "data");
  const log = join(folder, "log");
  execFileSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-N"],
    { ...owner, stdio: "ignore", cwd: folder },
  );
  const port = await freePort();
  writeFileSync(
    join(data, "pg_hba.conf"),
    "local all all trust\nhost all postgres all trust\nhost all all all scram-sha-256\n",
  );
  appendFileSync(
    join(data, "postgresql.conf"),
    Object.entries({
      port: `${port}`,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: folder,
      shared_buffers: "16MB",
      ...settings,
    })
      .map(([name, value]) => `${name} = '${value}'\n`)
      .join(""),
  );
  const reach = (database: string) => `postgres://postgres@/${database}?host=${folder}&port=${port}`;
  let server: ChildProcess | undefined;
  let databases = 0;

  const start = async () => {
    const logged = openSync(log, "a");
    server = spawn(join(bin, "postgres"), ["-D", data], {
      ...owner,
      stdio: ["ignore", logged, logged],
      cwd: folder,
    });
    closeSync(logged);
    endWith(server, folder);
    await whenReady(reach("postgres"), log);
  };
  const stop = async (how: "fast" | "immediate" = "fast") => {
    if (server === undefined || server.exitCode !== null) return;
    const ended = once(server, "exit");
    server.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
    await ended;
  };
  await start();
  return {
    folder,
    port,
    start,
    stop,
    log: () => readFileSync(log, "utf8"),
    remove: async () => {
      await stop("immediate");
      rmSync(folder, { recursive: true, force: true });
    },
    newDatabase: async (options = "") => {
      databases += 1;
      const name = `test_${databases}`;
      await askOnce(reach("postgres"), `CREATE DATABASE ${name} TEMPLATE template0 ${options}`);
      const url = reach(name);
      return { name, url, ask: (sql, values) => askOnce(url, sql, values) };
    },
  };
}

/** Ends the server and removes its folder should this process end without having done so: then the input of the shell ends. */
function endWith(server: ChildProcess, folder: string): void {
  const script = 'read -r _; kill -QUIT "$1" && sleep 1; rm -rf "$2"';
  const watch = spawn("sh", ["-c", script, "sh", `${server.pid}`, folder], {
    stdio: ["pipe", "ignore", "ignore"],
    // What is sent to the tests' whole group, such as an interrupt, is not for it.
    detached: true,
  });
  watch.unref();
  server.once("exit", () => watch.kill("SIGKILL"));
}

async function askOnce(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(sql, [...values]);
    return rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

async function whenReady(url: string, log: string): Promise<void> {
  const until = performance.now() + 30_000;
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop
      await askOnce(url, "SELECT 1");
      return;
    } catch (error) {
      if (performance.now() > until)
        throw new Error(`PostgreSQL did not start: ${readFileSync(log, "utf8")}`, { cause: error });
    }
    // oxlint-disable-next-line no-await-in-loop
    await after(20);
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

/** Who runs the server: not root, which it refuses. */
export function serverOwner() {
  return process.getuid?.() === 0 ? { uid: idOf("u") ?? 0, gid: idOf("g") ?? 0 } : {};
}

function idOf(kind: "u" | "g"): number | undefined {
  const told = spawnSync("id", [`-${kind}`, "postgres"], { encoding: "utf8" });
  return told.status === 0 ? Number(told.stdout) : undefined;
}
