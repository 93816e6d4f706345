import { expect, onTestFinished, test } from "vitest";
import { chainWriter, textsIn } from "../../../test/chain-writer.ts";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { startStoreProcess } from "../../../test/start-store-process.ts";
import { wayToPostgres } from "../../../test/way-to-postgres.ts";
import { type Migration, migrations } from "./migrations.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { openSchemaStore } from "./open-schema-store.ts";
import type { PostgresStoreOptions } from "./postgres-store.ts";

const known = migrations.length;
const first = migrations.slice(0, 1);
const second: readonly Migration[] = [
  ...first,
  ({ quoted }) =>
    `ALTER TABLE ${quoted}.streams ADD COLUMN note text; CREATE TABLE ${quoted}.notes (id integer)`,
];
const third: readonly Migration[] = [...second, ({ quoted }) => `INSERT INTO ${quoted}.notes VALUES (7)`];

async function open(options: PostgresStoreOptions, steps: readonly Migration[]) {
  const store = await openSchemaStore(options, steps);
  onTestFinished(() => store.close());
  return store;
}

describePostgres("the schema on PostgreSQL", (postgres) => {
  test("ten processes that start at once on an empty database all open it, and each step is taken once", async () => {
    const { url, ask } = await postgres().newDatabase();
    const processes = Array.from({ length: 4 }, startStoreProcess);
    onTestFinished(async () => {
      await Promise.all(processes.map((one) => one.end()));
    });
    // A first answer, so that all of them are up before the race.
    await Promise.all(processes.map((one) => one.open({ url: "postgres://nobody@127.0.0.1:1/none" })));
    const opened = await Promise.all([
      ...processes.map((one) => one.open({ url })),
      ...Array.from({ length: 6 }, async () => {
        const store = await openPostgresStore({ url });
        onTestFinished(() => store.close());
        return { value: process.pid };
      }),
    ]);
    const pids = [
      ...processes.map(({ child }) => child.pid),
      ...Array.from({ length: 6 }, () => process.pid),
    ];
    expect(opened).toStrictEqual(pids.map((value) => ({ value })));
    expect(await ask("SELECT version FROM simplefunctions.simplefunctions_version")).toStrictEqual([
      { version: known },
    ]);
    const ids = await ask("SELECT id FROM simplefunctions.holders ORDER BY id");
    expect(ids).toStrictEqual(pids.map((_, at) => ({ id: at + 1 })));
  });

  test("an older schema is brought forward step by step, once, with everything in it", async () => {
    const { url, ask } = await postgres().newDatabase();
    const before = await open({ url }, first);
    const writer = await chainWriter(before, "run-1");
    await before.commit(writer.next("first", "power"));
    await before.close();
    const [store] = await Promise.all([open({ url }, third), open({ url }, third), open({ url }, third)]);
    expect(await textsIn(store, "run-1")).toStrictEqual(["first"]);
    expect((await chainWriter(store, "run-1")).head()).toStrictEqual(writer.head());
    expect(await ask("SELECT id FROM simplefunctions.notes")).toStrictEqual([{ id: 7 }]);
    expect(await ask("SELECT version FROM simplefunctions.simplefunctions_version")).toStrictEqual([
      { version: 3 },
    ]);
  });

  test("a step that fails leaves the version before it, and the schema to whoever comes next", async () => {
    const { url, ask } = await postgres().newDatabase();
    const broken: readonly Migration[] = [
      ...second,
      ({ quoted }) => `INSERT INTO ${quoted}.notes VALUES (1); INSERT INTO ${quoted}.nowhere VALUES (1)`,
    ];
    await expect(openSchemaStore({ url }, broken)).rejects.toMatchObject({
      code: "host_configuration_needed",
      message: expect.stringContaining("nowhere"),
    });
    expect(await ask("SELECT version FROM simplefunctions.simplefunctions_version")).toStrictEqual([
      { version: 2 },
    ]);
    expect(await ask("SELECT id FROM simplefunctions.notes")).toStrictEqual([]);
    await open({ url }, third);
    expect(await ask("SELECT id FROM simplefunctions.notes")).toStrictEqual([{ id: 7 }]);
  });

  test("a schema of a newer program is refused and not changed", async () => {
    const { url, ask } = await postgres().newDatabase();
    await (await open({ url }, third)).close();
    const before = await ask("SELECT * FROM simplefunctions.sessions");
    await expect(openSchemaStore({ url }, second)).rejects.toMatchObject({
      code: "host_configuration_needed",
      message: expect.stringMatching(
        /the schema simplefunctions in the database .* has version 3 and this program knows versions up to 2.*Update this program/,
      ),
      details: { reason: "newer_schema", version: 3, known: 2 },
    });
    expect(await ask("SELECT * FROM simplefunctions.sessions")).toStrictEqual(before);
  });

  test("a program that was there before a function changed its meaning writes no more, and says what to do", async () => {
    const { url } = await postgres().newDatabase();
    const old = await open({ url }, first);
    const writer = await chainWriter(old, "run-1");
    const renamed: readonly Migration[] = [
      ...first,
      ({ quoted }) => `ALTER FUNCTION ${quoted}.commit_units RENAME TO commit_units_2`,
    ];
    await open({ url }, renamed);
    await expect(old.commit(writer.next("late"))).rejects.toMatchObject({
      code: "journal_append_failed",
      message: expect.stringContaining("a newer program has changed it: update this program"),
      details: { reason: "not_written", sqlState: "42883" },
    });
    expect(await textsIn(old, "run-1")).toStrictEqual([]);
  });

  test("a schema in which another program has a table of the same name is refused and left as it is", async () => {
    const { url, ask } = await postgres().newDatabase();
    await ask("CREATE SCHEMA simplefunctions; CREATE TABLE simplefunctions.documents (id integer)");
    await expect(openPostgresStore({ url })).rejects.toMatchObject({
      code: "host_configuration_needed",
      details: { sqlState: "42P07" },
    });
    const tables = await ask("SELECT tablename FROM pg_tables WHERE schemaname = 'simplefunctions'");
    expect(tables).toStrictEqual([{ tablename: "documents" }]);
  });

  test("a server that is too old is refused before anything is made", async () => {
    const { name, ask } = await postgres().newDatabase();
    const [{ server_version_num: version }] = (await ask("SHOW server_version_num")) as [
      Record<string, string>,
    ];
    const way = await wayToPostgres(postgres(), (bytes) =>
      Buffer.from(bytes.toString("latin1").replace(version ?? "", "110022"), "latin1"),
    );
    const url = `postgres://postgres@127.0.0.1:${way.port}/${name}`;
    await expect(openPostgresStore({ url })).rejects.toMatchObject({
      code: "host_configuration_needed",
      message: expect.stringContaining(
        "is on PostgreSQL 11, and version 12 is the oldest that can be used; update the server",
      ),
      details: { reason: "old_server", version: 110_022 },
    });
    expect(await ask("SELECT FROM pg_namespace WHERE nspname = 'simplefunctions'")).toStrictEqual([]);
  });
});
