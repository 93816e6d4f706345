import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SearchEntry, SearchIndex } from "@spfunctions/kernel";
import { searchConformance } from "@spfunctions/kernel/conformance";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteSearchIndex, type SqliteSearchIndex } from "./open-sqlite-search-index.ts";

let folder: string;
let opened: SqliteSearchIndex[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "search-"));
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((index) => index.close()));
  rmSync(folder, { recursive: true });
});

async function open(): Promise<SqliteSearchIndex> {
  const index = await openSqliteSearchIndex({ folder });
  opened.push(index);
  return index;
}

const entry = (id: string, text: string, accountId = "one"): SearchEntry => ({ accountId, id, text });
const ask = (index: SearchIndex, accountId = "one") =>
  index.query({ accountId, text: "rain wind", limit: 10_000 });
const ids = async (index: SearchIndex, accountId?: string) =>
  (await ask(index, accountId)).map(({ id }) => id).toSorted();

/** Gives so many entries that some of them have been written, then does something, then gives one more. */
async function* thenDo(act: () => unknown) {
  yield* Array.from({ length: 1000 }, (_, i) => entry(`half${i}`, "rain"));
  await act();
  yield entry("last", "rain");
}

describe("the SQLite index keeps what every search index promises", () => {
  test.each(searchConformance(async () => ({ index: await open(), dispose: () => Promise.resolve() })))(
    "$name",
    async ({ run }) => {
      await expect(run()).resolves.toBeUndefined();
    },
  );
});

describe("an index that is opened again", () => {
  test("answers as before, with the same scores, and goes on from there", async () => {
    const first = await open();
    await first.put([entry("a", "rain"), entry("b", "rain and wind"), entry("c", "rain", "two")]);
    await first.remove("one", ["a"]);
    await first.put([entry("d", "wind wind rain")]);
    const before = await ask(first);
    await first.close();
    const second = await open();
    expect(await ask(second)).toEqual(before);
    expect(await ids(second, "two")).toEqual(["c"]);
    await second.put([entry("b", "snow"), entry("a", "rain")]);
    expect(await ids(second)).toEqual(["a", "d"]);
  });

  test("needs a rebuild until one has been finished, and then no more", async () => {
    const first = await open();
    expect(first.rebuildNeeded).toBe(true);
    await first.put([entry("a", "rain")]);
    await first.close();
    const second = await open();
    expect(second.rebuildNeeded).toBe(true);
    await expect(second.rebuild(thenDo(() => Promise.reject(new Error("broke"))))).rejects.toThrow("broke");
    expect(second.rebuildNeeded).toBe(true);
    await second.rebuild([entry("b", "rain")]);
    expect(second.rebuildNeeded).toBe(false);
    await second.close();
    const third = await open();
    expect(third.rebuildNeeded).toBe(false);
    expect(await ids(third)).toEqual(["b"]);
  });
});

describe("a rebuild that is cut off by closing", () => {
  test("fails, leaves what was there, and leaves nothing behind once another one is through", async () => {
    const first = await open();
    await first.rebuild([entry("a", "rain")]);
    await expect(first.rebuild(thenDo(() => first.close()))).rejects.toThrow("not open");
    const second = await open();
    expect(second.rebuildNeeded).toBe(false);
    expect(await ids(second)).toEqual(["a"]);
    await second.rebuild([entry("b", "rain")]);
    expect(await ids(second)).toEqual(["b"]);
    await second.close();
    const db = new DatabaseSync(join(folder, "search.db"));
    const generations = db.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'accounts_*'").all();
    db.close();
    expect(generations.length).toBe(1);
  });

  test("closing twice is closing, and a closed index refuses to answer", async () => {
    const index = await open();
    await index.close();
    await index.close();
    await expect(ask(index)).rejects.toThrow("not open");
    await expect(index.put([entry("a", "rain")])).rejects.toThrow("not open");
  });
});

test("another one that has the file open sees what is put, and never half of a rebuild", async () => {
  const driver = await open();
  const guest = await open();
  await driver.put([entry("a", "rain")]);
  expect(await ids(guest)).toEqual(["a"]);
  const during: string[][] = [];
  await driver.rebuild(thenDo(async () => during.push(await ids(guest))));
  expect(during).toEqual([["a"]]);
  expect((await ids(guest)).length).toBe(1001);
});

test("a put that fails in the middle has put nothing", async () => {
  const index = await open();
  await index.put([entry("a", "rain")]);
  const unreadable = { ...entry("c", ""), text: undefined as unknown as string };
  await expect(index.put([entry("b", "rain"), entry("a", "snow"), unreadable])).rejects.toThrow(TypeError);
  expect(await ids(index)).toEqual(["a"]);
  await index.put([entry("b", "rain")]);
  expect(await ids(index)).toEqual(["a", "b"]);
});

test("I1: the words of one account cannot be reached from another by what stands in the file", async () => {
  const index = await open();
  await index.put([entry("a", "rain"), entry("b", "secret", "two"), entry("c", "2 secret", "three")]);
  const found = async (text: string) => index.query({ accountId: "one", text, limit: 10 });
  const attempts = ["2·secret·1", "secret", "2·secret", "·2·secret", "2 secret", "1·rain·1 2·secret·1¸"];
  const answers = await Promise.all(attempts.map(found));
  expect(answers.map((hits) => hits.map(({ id }) => id))).toEqual([[], [], [], [], [], ["a"]]);
});

test("everything lies in one file beside its log", async () => {
  const index = await open();
  await index.rebuild([entry("a", "rain")]);
  expect(readdirSync(folder).toSorted()).toEqual(["search.db", "search.db-shm", "search.db-wal"]);
  await index.close();
  expect(readdirSync(folder)).toEqual(["search.db"]);
});

test("what was removed is in no byte of the file after a rebuild", async () => {
  const index = await open();
  await index.put([entry("kept", "zither"), entry("forgotten", "xylophone")]);
  await index.remove("one", ["forgotten"]);
  await index.rebuild([entry("kept", "zither")]);
  await index.close();
  const bytes = readFileSync(join(folder, "search.db"));
  const has = (word: string, id: string) => [
    bytes.includes(word),
    bytes.includes(Buffer.from(id, "utf16le").swap16()),
  ];
  expect(has("zither", "kept")).toEqual([true, true]);
  expect(has("xylophone", "forgotten")).toEqual([false, false]);
});
