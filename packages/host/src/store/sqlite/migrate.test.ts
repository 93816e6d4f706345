import { readFileSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { hashText } from "@spfunctions/contracts";
import { expect, onTestFinished, test } from "vitest";
import { databaseIn, dataFolder } from "../../../test/data-folder.ts";
import { startStoreProcess } from "../../../test/start-store-process.ts";
import { migrations } from "./migrations.ts";
import { openAt, openSqliteStore, type SqliteStoreOptions } from "./open-sqlite-store.ts";

const roles = ["driver", "guest"] as const;
const known = migrations.length;
const first = migrations.slice(0, 1);
const second = [
  ...first,
  "ALTER TABLE streams ADD COLUMN note TEXT; CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT",
];
const third = [...second, "INSERT INTO notes VALUES (7)"];
const genesis = hashText("the beginning");
const record = { seq: 1, prev: genesis, hash: hashText("first"), text: "first", content: [] };

async function open(options: SqliteStoreOptions, steps: readonly string[]) {
  const store = await openAt(options, steps);
  onTestFinished(() => store.close());
  return store;
}

/** A folder as a program that knew these steps left it. */
async function folderOf(steps: readonly string[]): Promise<string> {
  const folder = dataFolder();
  const store = await open({ folder }, steps);
  const lease = await store.lease("run-1", "a", genesis);
  const epoch = lease.type === "leased" ? lease.epoch : 0;
  const appends = [{ stream: "run-1", epoch, records: [record] }];
  expect(await store.commit({ durability: "power", now: 1, appends })).toStrictEqual({ type: "committed" });
  await store.close();
  return folder;
}

function ask(folder: string, sql: string): unknown {
  const database = new DatabaseSync(databaseIn(folder));
  const row = database.prepare(sql).get();
  database.close();
  return Object.values(row ?? {})[0];
}

test("a new database has the newest version, and is marked as ours", async () => {
  const folder = dataFolder();
  await (await openSqliteStore({ folder })).close();
  expect(ask(folder, "PRAGMA user_version")).toBe(known);
  expect(ask(folder, "PRAGMA application_id")).toBe(Buffer.from("SFN1").readUInt32BE());
});

test("an older database is brought forward step by step, with everything in it", async () => {
  const folder = await folderOf(first);
  const store = await open({ folder }, third);
  const { prev: _, ...found } = record;
  expect(await store.readStream({ stream: "run-1", accountId: "a", limit: 9 })).toStrictEqual([found]);
  expect(await store.lease("run-1", "a", genesis)).toStrictEqual({
    type: "leased",
    epoch: 2,
    head: { seq: 1, hash: record.hash },
  });
  await store.close();
  expect(ask(folder, "PRAGMA user_version")).toBe(3);
  expect(ask(folder, "SELECT id FROM notes")).toBe(7);
});

test("steps that were taken are not taken again", async () => {
  const folder = await folderOf(third);
  await (await open({ folder }, third)).close();
  expect(ask(folder, "SELECT count(*) FROM notes")).toBe(1);
});

test("a step that fails leaves the version before it, and the folder to whoever comes next", async () => {
  const folder = await folderOf(first);
  const broken = [...second, "INSERT INTO notes VALUES (1); INSERT INTO nowhere VALUES (1)"];
  await expect(openAt({ folder }, broken)).rejects.toMatchObject({
    code: "host_configuration_needed",
    message: expect.stringContaining("no such table: nowhere"),
  });
  expect(ask(folder, "PRAGMA user_version")).toBe(2);
  expect(ask(folder, "SELECT count(*) FROM notes")).toBe(0);
  await (await open({ folder }, third)).close();
});

test.each(roles)("a database of a newer program is refused to a %s, and not changed", async (role) => {
  const folder = await folderOf(third);
  const before = readFileSync(databaseIn(folder));
  await expect(openAt({ folder, role }, second)).rejects.toMatchObject({
    code: "host_configuration_needed",
    message: expect.stringMatching(
      /has schema version 3 and this program knows versions up to 2.*Update this program/,
    ),
    details: { reason: "newer_schema", version: 3, known: 2 },
  });
  expect(readFileSync(databaseIn(folder)).equals(before)).toBe(true);
});

test("a guest never brings a database forward", async () => {
  const folder = await folderOf(first);
  await expect(openAt({ folder, role: "guest" }, second)).rejects.toMatchObject({
    code: "host_configuration_needed",
    message: expect.stringMatching(
      /has schema version 1 and this program needs 2; start this program once as the driver/,
    ),
    details: { reason: "older_schema", version: 1, known: 2 },
  });
  expect(ask(folder, "PRAGMA user_version")).toBe(1);
});

test("B25: a database is not brought forward under a living driver", async () => {
  const folder = dataFolder();
  const other = startStoreProcess();
  onTestFinished(() => other.end());
  await other.open({ folder });
  const newer = [...migrations, "CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT"];
  await expect(openAt({ folder }, newer)).rejects.toMatchObject({ details: { reason: "driven_by_another" } });
  expect(ask(folder, "PRAGMA user_version")).toBe(known);
});

test("a guest that was there before the database went forward writes no more", async () => {
  const folder = await folderOf(first);
  const guest = await open({ folder, role: "guest" }, first);
  await open({ folder }, second);
  const documents = [
    { kind: "inbox", accountId: "a", id: "i", type: "put", expects: 0, status: "s", body: "b" },
  ] as const;
  await expect(guest.commit({ durability: "process", now: 1, documents })).rejects.toMatchObject({
    details: { reason: "newer_schema" },
  });
});

test.each(roles)("another program's database is refused to a %s, and not touched", async (role) => {
  const folder = dataFolder();
  const file = databaseIn(folder);
  const foreign = new DatabaseSync(file);
  foreign.exec("PRAGMA journal_mode = WAL; CREATE TABLE theirs (id INTEGER); INSERT INTO theirs VALUES (1)");
  const bytes = () =>
    [file, `${file}-wal`].map((path) => [readFileSync(path).toString("hex"), statSync(path).mtimeMs]);
  const before = bytes();
  const refused = { code: "host_configuration_needed", details: { reason: "foreign_database" } };
  await expect(openSqliteStore({ folder, role })).rejects.toMatchObject(refused);
  expect(bytes()).toStrictEqual(before);
  foreign.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA application_id = 7");
  foreign.close();
  await expect(openSqliteStore({ folder, role })).rejects.toMatchObject(refused);
});

test("an empty database that nobody has marked becomes ours", async () => {
  const folder = dataFolder();
  const empty = new DatabaseSync(databaseIn(folder));
  empty.exec("CREATE TABLE t (id INTEGER); DROP TABLE t");
  empty.close();
  await (await openSqliteStore({ folder })).close();
  expect(ask(folder, "PRAGMA user_version")).toBe(known);
});
