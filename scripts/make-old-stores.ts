// Makes the data of an old version for `tests/old-stores`: a SQLite folder and a PostgreSQL dump, written by the program of a given commit,
// with what only a crash leaves. `node scripts/make-old-stores.ts [commit]`; the repository must have that commit.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const [commit = "b64ee250"] = process.argv.slice(2);
const root = join(import.meta.dirname, "..");
const target = join(root, "tests/old-stores", commit);
const folder = mkdtempSync(join(tmpdir(), "sf-old-stores-"));
const checkout = join(folder, "checkout");
const run = (command: string, args: readonly string[], cwd = checkout): string =>
  execFileSync(command, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "inherit"],
  });

console.error(`checking out ${commit} and installing what it needs …`);
run("git", ["clone", "--quiet", "--no-checkout", root, checkout], root);
run("git", ["checkout", "--quiet", commit]);
run("npm", ["ci", "--no-fund", "--no-audit", "--silent"]);
const node = join(checkout, "node_modules/.bin/node");
// These two files are written against the interfaces of that commit.
cpSync(join(import.meta.dirname, "old-stores"), join(checkout, "scripts/old-stores"), { recursive: true });

type Facts = Record<string, unknown>;

/** Lets the program of that commit live once; a life that says it is ready is killed. What it has noted is added to the facts. */
async function live(life: string, place: string, facts: Facts): Promise<void> {
  const args = ["--conditions=source", "scripts/old-stores/fill-old-store.ts", life, place];
  const child = spawn(node, args, { cwd: checkout, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === "ready") child.kill("SIGKILL");
    else merge(facts, JSON.parse(line) as Facts);
  }
  const [code, signal] = (await exited) as [number | null, string | null];
  if (code !== 0 && signal !== "SIGKILL") throw new Error(`the life "${life}" ended with ${code ?? signal}`);
}

function merge(facts: Facts, more: Facts): void {
  const { interrupted = {}, ...plain } = more;
  Object.assign(facts, plain);
  facts["interrupted"] = { ...(facts["interrupted"] as object), ...(interrupted as object) };
}

async function liveAll(place: string): Promise<Facts> {
  const facts: Facts = { madeAt: Date.now(), madeBy: commit };
  // The last crash is left as it is.
  for (const life of ["ends", "dies in the past", "settles", "dies"]) {
    console.error(`${place.split(":")[0]}: the life "${life}" …`);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await live(life, place, facts);
  }
  facts["endedAt"] = Date.now();
  return facts;
}

rmSync(target, { recursive: true, force: true });
mkdirSync(join(target, "sqlite"), { recursive: true });

const data = join(folder, "data");
const sqlite = await liveAll(data);
for (const name of readdirSync(data)) {
  // The shared memory of processes that are gone.
  if (name.endsWith("-shm")) continue;
  copyFileSync(join(data, name), join(folder, name));
  writeFileSync(
    join(target, "sqlite", `${name}.gz`),
    gzipSync(readFileSync(join(folder, name)), { level: 9 }),
  );
}

type Cluster = {
  newDatabase: () => Promise<{ url: string; name: string }>;
  port: number;
  remove: () => Promise<void>;
};
const { startPostgres, findPostgres } = (await import(
  pathToFileURL(join(checkout, "packages/host/test/start-postgres.ts")).href
)) as { startPostgres: () => Promise<Cluster>; findPostgres: () => { bin: string } };
const cluster = await startPostgres();
try {
  const { url, name } = await cluster.newDatabase();
  const postgres = await liveAll(url);
  const args = ["--inserts", "--rows-per-insert=100", "--no-owner", "--no-privileges", "-h", "127.0.0.1"];
  const dump = run(join(findPostgres().bin, "pg_dump"), [
    ...args,
    "-p",
    String(cluster.port),
    "-U",
    "postgres",
    name,
  ])
    // Commands of psql; everything else is SQL.
    .replaceAll(/^\\(?:un)?restrict .*$/gm, "");
  writeFileSync(join(target, "postgres.sql.gz"), gzipSync(dump, { level: 9 }));
  writeFileSync(join(target, "facts.json"), `${JSON.stringify({ sqlite, postgres }, null, 2)}\n`);
} finally {
  await cluster.remove();
}
rmSync(folder, { recursive: true });
console.error(`written to ${target}`);
