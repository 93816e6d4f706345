import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { databaseIn, dataFolder } from "../../../test/data-folder.ts";
import { sqliteSchemaVersion } from "./inspect-database-file.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

test("the version of a store's schema is told by its file, without opening it", async () => {
  const folder = dataFolder();
  expect(sqliteSchemaVersion(databaseIn(folder))).toBeUndefined();
  await (await openSqliteStore({ folder })).close();
  expect(sqliteSchemaVersion(databaseIn(folder))).toBe(1);
});

test("what is no store of ours has none", () => {
  const file = databaseIn(dataFolder());
  writeFileSync(
    file,
    "a letter that somebody has put there, and longer than the header of any database is. ".repeat(2),
  );
  expect(sqliteSchemaVersion(file)).toBeUndefined();
});

test("what is no file is not waited for", () => {
  const file = databaseIn(dataFolder());
  execFileSync("mkfifo", [file]);
  expect(() => sqliteSchemaVersion(file)).toThrow(/is not a file/);
});
