import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openInProcesses } from "../../../test/open-in-processes.ts";
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
  const index = await openSqliteSearchIndex({ folder });
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

/** All that is in the folder, byte for byte. */
function everything(): ReadonlyMap<string, string> {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}

const spoiled: readonly (readonly [how: string, spoil: () => void])[] = [
  ["lost its second half", () => truncateSync(path, Math.floor(readFileSync(path).length / 2))],
  ["has nothing but its header", () => truncateSync(path, 100)],
  ["was overwritten in the middle", () => overwrite(0.4, 0.6, 0xff)],
  ["was zeroed from the second page on", () => overwrite(0.1, 1, 0)],
  ["lost the index of its words", () => withFile("DELETE FROM terms_2_data WHERE id > 10")],
  ["is of no version", () => withFile("PRAGMA user_version = 0")],
  [
    "is damaged, with a log that belongs to it",
    () => {
      overwrite(0.1, 1, 0);
      writeFileSync(`${path}-wal`, "y".repeat(8192));
      writeFileSync(`${path}-shm`, "z".repeat(32768));
    },
  ],
];

describe("an index of ours that cannot be trusted is begun anew, and says so", () => {
  test.each(spoiled)("when it %s", async (_, spoil) => {
    await makeIndex();
    spoil();
    const index = await openSqliteSearchIndex({ folder });
    expect(index.rebuildNeeded).toBe(true);
    expect(await index.query(rain)).toEqual([]);
    await index.put([{ accountId: "one", id: "new", text: "rain" }]);
    await index.rebuild([{ accountId: "one", id: "rebuilt", text: "rain" }]);
    await index.close();
    const again = await openSqliteSearchIndex({ folder });
    expect(again.rebuildNeeded).toBe(false);
    expect((await again.query(rain)).map(({ id }) => id)).toEqual(["rebuilt"]);
    await again.close();
    expect(readdirSync(folder)).toEqual(["search.db", "search.db.lock"]);
  });

  test("while another has it open, and nothing is found of what that one wrote to the log", async () => {
    await makeIndex();
    const before = await openSqliteSearchIndex({ folder });
    await before.put([{ accountId: "one", id: "ghost", text: "rain" }]);
    overwrite(0.1, 1, 0);
    const index = await openSqliteSearchIndex({ folder });
    expect(index.rebuildNeeded).toBe(true);
    expect(await index.query(rain)).toEqual([]);
    await before.close();
    await index.put([{ accountId: "one", id: "new", text: "rain" }]);
    expect((await index.query(rain)).map(({ id }) => id)).toEqual(["new"]);
    await index.close();
  });

  test("where a link shows it, the file is replaced and the link stays", async () => {
    await makeIndex();
    overwrite(0.1, 1, 0);
    renameSync(path, join(folder, "elsewhere.db"));
    symlinkSync("elsewhere.db", path);
    const index = await openSqliteSearchIndex({ folder });
    expect(index.rebuildNeeded).toBe(true);
    await index.close();
    expect(readdirSync(folder)).toEqual(["elsewhere.db", "elsewhere.db.lock", "search.db"]);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });
});

const strangers: readonly (readonly [what: string, put: () => void])[] = [
  ["text", () => writeFileSync(path, "notes of somebody\n".repeat(1000))],
  ["one byte", () => writeFileSync(path, "x")],
  ["the first bytes of a database", () => writeFileSync(path, "SQLite format 3\0zzzz")],
  ["another program's database", () => withFile("CREATE TABLE state (other TEXT)")],
  ["another program's empty database", () => withFile("PRAGMA application_id = 7")],
  [
    "a link to another program's database",
    () => {
      withFile("CREATE TABLE state (other TEXT)");
      renameSync(path, join(folder, "theirs.db"));
      symlinkSync("theirs.db", path);
    },
  ],
  ["a log without its database", () => writeFileSync(`${path}-wal`, "frames")],
  [
    "an empty file beside a log",
    () => {
      writeFileSync(path, "");
      writeFileSync(`${path}-wal`, "frames");
    },
  ],
];

describe("what is not ours is refused, left byte for byte, and the fault says what to do", () => {
  test.each(strangers)("%s", async (_, put) => {
    put();
    const before = everything();
    await expect(openSqliteSearchIndex({ folder })).rejects.toMatchObject({
      code: "host_configuration_needed",
      message: expect.stringMatching(/search\.db .*left as it is; give another folder, or move it away/),
      details: { reason: "foreign_index" },
    });
    expect(everything()).toEqual(before);
  });

  test("an index of a later version", async () => {
    await makeIndex();
    withFile("PRAGMA journal_mode = DELETE; PRAGMA user_version = 3");
    const before = everything();
    await expect(openSqliteSearchIndex({ folder })).rejects.toMatchObject({
      code: "host_configuration_needed",
      message: expect.stringMatching(/has schema version 3 .* left as it is\. Update this program/),
      details: { reason: "newer_schema", version: 3, known: 2 },
    });
    expect(everything()).toEqual(before);
  });

  test("a folder to which everybody can write", async () => {
    chmodSync(folder, 0o777);
    await expect(openSqliteSearchIndex({ folder })).rejects.toMatchObject({
      details: { reason: "shared_folder" },
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("an index that is open notices that its file is another one now", () => {
  const replacements: readonly (readonly [how: string, replace: () => Promise<void>])[] = [
    ["deleted", async () => rmSync(path)],
    ["moved", async () => renameSync(path, `${path}.moved`)],
    [
      "damaged, and replaced by whoever opened it next",
      async () => {
        overwrite(0.1, 1, 0);
        await (await openSqliteSearchIndex({ folder })).close();
      },
    ],
  ];

  test.each(replacements)("when it was %s", async (_, replace) => {
    await makeIndex();
    const index = await openSqliteSearchIndex({ folder });
    await replace();
    const refused = {
      code: "host_configuration_needed",
      message: expect.stringMatching(
        /search\.db was moved, deleted or replaced while it was open.*open it again/,
      ),
      details: { reason: "replaced_index" },
    };
    await expect(index.put([{ accountId: "one", id: "lost", text: "rain" }])).rejects.toMatchObject(refused);
    await expect(index.query(rain)).rejects.toMatchObject(refused);
    await expect(index.rebuild([])).rejects.toMatchObject(refused);
    await index.close();
  });

  test("also at the end of a rebuild", async () => {
    const index = await openSqliteSearchIndex({ folder });
    const source = (function* () {
      yield { accountId: "one", id: "lost", text: "rain" };
      rmSync(path);
    })();
    await expect(index.rebuild(source)).rejects.toMatchObject({ details: { reason: "replaced_index" } });
    expect(index.rebuildNeeded).toBe(true);
    await index.close();
  });
});

test("the file and its log are for their owner alone", async () => {
  const index = await openSqliteSearchIndex({ folder });
  await index.put([{ accountId: "one", id: "a", text: "rain" }]);
  const modes = ["", "-wal", "-shm"].map((suffix) => statSync(path + suffix).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600, 0o600]);
  await index.close();
  overwrite(0.1, 1, 0);
  await (await openSqliteSearchIndex({ folder })).close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("where SQLite turns an opener away without letting it wait, it tries again", async () => {
  await makeIndex();
  withFile("PRAGMA journal_mode = DELETE");
  const writer = new DatabaseSync(path);
  writer.exec("BEGIN IMMEDIATE");
  const opening = openSqliteSearchIndex({ folder });
  writer.close();
  const index = await opening;
  expect(index.rebuildNeeded).toBe(false);
  await index.close();
});

test.each(["new", "damaged"])(
  "processes that open a %s index at once all open the same one",
  async (state) => {
    const folders = Array.from({ length: 15 }, (_, round) => join(folder, `${round}`));
    if (state === "damaged") {
      await makeIndex();
      overwrite(0.1, 1, 0);
    }
    for (const one of folders) {
      mkdirSync(one);
      if (state === "damaged") copyFileSync(path, join(one, "search.db"));
    }
    const all = ["0", "1", "2", "3"];
    expect(await openInProcesses(4, folders)).toEqual(folders.map(() => [all, all, all, all]));
  },
);

describe("a file that is missing or empty is a new index, which needs a rebuild", () => {
  test.each([
    ["missing", () => rmSync(path)],
    ["empty", () => writeFileSync(path, "")],
  ])("when it is %s", async (_, spoil) => {
    await makeIndex();
    spoil();
    const index = await openSqliteSearchIndex({ folder });
    expect(index.rebuildNeeded).toBe(true);
    expect(await index.query(rain)).toEqual([]);
    await index.close();
  });
});

test("a sound file is not started anew", async () => {
  await makeIndex();
  const index = await openSqliteSearchIndex({ folder });
  expect(index.rebuildNeeded).toBe(false);
  expect((await index.query({ ...rain, limit: 5000 })).length).toBe(2000);
  await index.close();
});

describe("where no file can be, the fault says what to do, and nothing is deleted", () => {
  test("in a folder that does not exist", async () => {
    await expect(openSqliteSearchIndex({ folder: join(folder, "nowhere") })).rejects.toThrow(
      /nowhere.*give a folder that exists and can be written/,
    );
  });

  test("where something else has its name", async () => {
    mkdirSync(path);
    writeFileSync(join(path, "kept"), "kept");
    await expect(openSqliteSearchIndex({ folder })).rejects.toThrow(HostConfigurationNeededError);
    expect(readFileSync(join(path, "kept"), "utf8")).toBe("kept");
  });

  test("a fault that is no damage leaves a sound file alone", async () => {
    await makeIndex();
    const before = readFileSync(path);
    mkdirSync(`${path}-wal`);
    await expect(openSqliteSearchIndex({ folder })).rejects.toThrow(HostConfigurationNeededError);
    expect(readFileSync(path).equals(before)).toBe(true);
    rmSync(`${path}-wal`, { recursive: true });
    const index = await openSqliteSearchIndex({ folder });
    expect(index.rebuildNeeded).toBe(false);
    await index.close();
  });
});

test("J3: an index that has more than one hard link is opened by neither name, until the other is removed", async () => {
  await makeIndex();
  const other = mkdtempSync(join(tmpdir(), "search-"));
  linkSync(path, join(other, "search.db"));
  for (const named of [folder, other])
    await expect(openSqliteSearchIndex({ folder: named })).rejects.toMatchObject({
      code: "host_configuration_needed",
      message: expect.stringContaining(`find / -samefile ${join(named, "search.db")}`),
      details: { reason: "linked", names: 2 },
    });
  rmSync(other, { recursive: true });
  const index = await openSqliteSearchIndex({ folder });
  expect(await index.query(rain)).toHaveLength(10);
  await index.close();
});
