import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteSearchIndex } from "./open-sqlite-search-index.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "search-"));
  path = join(folder, "search.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

const rain = { accountId: "one", text: "rain", limit: 10 };

/** An index that was rebuilt and closed, and whose file has many pages. */
async function makeIndex(): Promise<void> {
  const index = openSqliteSearchIndex({ folder });
  await index.rebuild(
    Array.from({ length: 2000 }, (_, i) => ({ accountId: "one", id: `e${i}`, text: `rain word${i}` })),
  );
  await index.close();
}

function withFile(sql: string): void {
  const db = new DatabaseSync(path, { defensive: false });
  db.exec(sql);
  db.close();
}

function overwrite(from: number, to: number, byte: number): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(byte, Math.floor(bytes.length * from), Math.floor(bytes.length * to)));
}

const spoiled: readonly (readonly [how: string, spoil: () => void])[] = [
  ["is text", () => writeFileSync(path, "this is no database\n".repeat(1000))],
  ["is one byte", () => writeFileSync(path, "x")],
  ["has nothing but the first bytes of a database", () => writeFileSync(path, "SQLite format 3\0zzzz")],
  ["lost its second half", () => truncateSync(path, Math.floor(readFileSync(path).length / 2))],
  ["was overwritten in the middle", () => overwrite(0.4, 0.6, 0xff)],
  ["was zeroed from the second page on", () => overwrite(0.1, 1, 0)],
  ["lost the index of its words", () => withFile("DELETE FROM terms_2_data WHERE id > 10")],
  ["is of a later version", () => withFile("PRAGMA user_version = 2")],
  ["is of no version", () => withFile("PRAGMA user_version = 0")],
  [
    "is another program's database",
    () => {
      rmSync(path);
      withFile("CREATE TABLE state (other TEXT)");
    },
  ],
  [
    "is damaged, with a log that belongs to it",
    () => {
      writeFileSync(path, "x".repeat(8192));
      writeFileSync(`${path}-wal`, "y".repeat(8192));
      writeFileSync(`${path}-shm`, "z".repeat(32768));
    },
  ],
];

describe("a file that cannot be trusted is started anew, and says so", () => {
  test.each(spoiled)("when it %s", async (_, spoil) => {
    await makeIndex();
    spoil();
    const index = openSqliteSearchIndex({ folder });
    expect(index.rebuildNeeded).toBe(true);
    expect(await index.query(rain)).toEqual([]);
    await index.put([{ accountId: "one", id: "new", text: "rain" }]);
    await index.rebuild([{ accountId: "one", id: "rebuilt", text: "rain" }]);
    await index.close();
    const again = openSqliteSearchIndex({ folder });
    expect(again.rebuildNeeded).toBe(false);
    expect((await again.query(rain)).map(({ id }) => id)).toEqual(["rebuilt"]);
    await again.close();
  });
});

describe("a file that is missing or empty is a new index, which needs a rebuild", () => {
  test.each([
    ["missing", () => rmSync(path)],
    ["empty", () => writeFileSync(path, "")],
  ])("when it is %s", async (_, spoil) => {
    await makeIndex();
    spoil();
    const index = openSqliteSearchIndex({ folder });
    expect(index.rebuildNeeded).toBe(true);
    expect(await index.query(rain)).toEqual([]);
    await index.close();
  });
});

test("a sound file is not started anew", async () => {
  await makeIndex();
  const index = openSqliteSearchIndex({ folder });
  expect(index.rebuildNeeded).toBe(false);
  expect((await index.query({ ...rain, limit: 5000 })).length).toBe(2000);
  await index.close();
});

describe("where no file can be, the fault says what to do, and nothing is deleted", () => {
  test("in a folder that does not exist", () => {
    expect(() => openSqliteSearchIndex({ folder: join(folder, "nowhere") })).toThrow(
      /nowhere.*give a folder that exists and can be written/,
    );
  });

  test("where something else has its name", () => {
    mkdirSync(path);
    writeFileSync(join(path, "kept"), "kept");
    expect(() => openSqliteSearchIndex({ folder })).toThrow(HostConfigurationNeededError);
    expect(readFileSync(join(path, "kept"), "utf8")).toBe("kept");
  });

  test("a fault that is no damage leaves a sound file alone", async () => {
    await makeIndex();
    const before = readFileSync(path);
    mkdirSync(`${path}-wal`);
    expect(() => openSqliteSearchIndex({ folder })).toThrow(HostConfigurationNeededError);
    expect(readFileSync(path).equals(before)).toBe(true);
    rmSync(`${path}-wal`, { recursive: true });
    const index = openSqliteSearchIndex({ folder });
    expect(index.rebuildNeeded).toBe(false);
    await index.close();
  });
});
