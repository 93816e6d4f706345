import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { hashText } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { databaseIn, dataFolder } from "../../../test/data-folder.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { backUpSqliteStore } from "./back-up-sqlite-store.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

const stream = "run-1";
const accountId = "a";

/** Writes without an end, each time a record and how many there are; returns once it has begun, with what ends it. */
async function writing(folder: string): Promise<() => Promise<void>> {
  const store = await openSqliteStore({ folder });
  const lease = await store.lease(stream, accountId, hashText("the beginning"));
  if (lease.type !== "leased") throw new Error("the stream is held");
  let { head } = lease;
  const write = async () => {
    const [before, seq, text] = [head.seq, head.seq + 1, "x".repeat(3_000)];
    const record = { seq, prev: head.hash, hash: hashText(`${head.hash}\n${text}`), text, content: [] };
    head = record;
    const count = { kind: "count", accountId, id: stream, type: "put", status: "open" } as const;
    await store.commit({
      durability: "process",
      now: 1,
      appends: [{ stream, epoch: lease.epoch, records: [record] }],
      documents: [{ ...count, expects: before, body: `${seq}` }],
    });
  };
  await write();
  let isOver = false;
  const all = (async () => {
    // oxlint-disable-next-line no-unmodified-loop-condition -- until it is told
    while (!isOver) await write().then(setImmediate);
  })();
  return async () => {
    isOver = true;
    await all;
    await store.close();
  };
}

test("copies that are made while somebody writes are whole, each of its moment, and can be driven at once", async () => {
  const folder = join(dataFolder(), "data");
  const stop = await writing(folder);
  const kept: number[] = [];
  await inTurn([1, 2, 3], async (number) => {
    const to = join(dataFolder(), "deep", `copy-${number}`);
    const { bytes } = await backUpSqliteStore({ folder, to });
    expect(readdirSync(to)).toStrictEqual(["simplefunctions.db"]);
    expect([to, databaseIn(to)].map((path) => statSync(path).mode & 0o777)).toStrictEqual([0o700, 0o600]);
    expect(bytes).toBe(statSync(databaseIn(to)).size);
    const copy = await openSqliteStore({ folder: to });
    const records = await copy.readStream({ stream, accountId, limit: 1_000_000 });
    let prev = hashText("the beginning");
    for (const [at, { seq, hash, text }] of records.entries()) {
      expect([seq, hash]).toStrictEqual([at + 1, hashText(`${prev}\n${text}`)]);
      prev = hash;
    }
    const count = await copy.document({ kind: "count", accountId, id: stream });
    expect(count?.body).toBe(`${records.length}`);
    kept.push(records.length);
    await copy.close();
  });
  await stop();
  expect(kept).toStrictEqual(kept.toSorted((one, next) => one - next));
});

test("nothing is written over, and what failed leaves nothing behind", async () => {
  const [folder, above] = [join(dataFolder(), "data"), dataFolder()];
  await (await openSqliteStore({ folder })).close();
  mkdirSync(join(above, "there"));
  await expect(backUpSqliteStore({ folder, to: join(above, "there") })).rejects.toMatchObject({
    code: "host_configuration_needed",
    message: `${join(above, "there")} is already there, and nothing is overwritten; name a folder that is not there yet`,
  });
  await expect(backUpSqliteStore({ folder: above, to: join(above, "copy") })).rejects.toMatchObject({
    details: { reason: "no_store" },
  });
  writeFileSync(join(above, "file"), "");
  await expect(backUpSqliteStore({ folder, to: join(above, "file", "copy") })).rejects.toMatchObject({
    code: "host_configuration_needed",
  });
  expect(readdirSync(above).toSorted()).toStrictEqual(["file", "there"]);
});

test("what is damaged is not taken for a backup", async () => {
  const [folder, to] = [join(dataFolder(), "data"), join(dataFolder(), "copy")];
  const store = await openSqliteStore({ folder });
  const documents = Array.from({ length: 60 }, (_, at) => ({
    kind: "k",
    accountId,
    id: `${at}`,
    type: "put" as const,
    expects: 0,
    status: "s",
    body: "x".repeat(3_000),
  }));
  await store.commit({ durability: "power", now: 1, documents });
  await store.close();
  const bytes = readFileSync(databaseIn(folder));
  const at = bytes.indexOf("x".repeat(2_000), bytes.length / 2);
  bytes.fill(0xa5, at - (at % 8_192), at - (at % 8_192) + 8_192);
  writeFileSync(databaseIn(folder), bytes);
  await expect(backUpSqliteStore({ folder, to })).rejects.toMatchObject({
    code: "journal_corrupt",
    message: expect.stringContaining(`${databaseIn(folder)} is damaged`),
  });
  expect(existsSync(to)).toBe(false);
});
