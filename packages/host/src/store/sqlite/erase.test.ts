// What was erased is nowhere in the files of the store.
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { hashText } from "@spfunctions/contracts";
import type { SealedRecord, Unit } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { databaseIn, dataFolder } from "../../../test/data-folder.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { startStoreProcess } from "../../../test/start-store-process.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

const accountId = "a";
const stream = "run-1";
const genesis = hashText("the beginning");
const unit = (parts: Partial<Unit>): Unit => ({ durability: "process", now: 1, ...parts });
const secretOf = (seq: number) => `PRIVATE-${String(seq).padStart(4, "0")};`;

/** Which secrets can be found in any file of a folder. */
function secretsIn(folder: string): Set<number> {
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  return new Set([...texts.join("").matchAll(/PRIVATE-(\d{4})/g)].map(([, seq]) => Number(seq)));
}

function records(count: number, sizeOf: (seq: number) => number): SealedRecord[] {
  const made: SealedRecord[] = [];
  for (let seq = 1; seq <= count; seq += 1) {
    const prev = made.at(-1)?.hash ?? genesis;
    const text = `record ${seq}`;
    const content = [
      { ref: `content_${seq}`, salt: `SALT ${secretOf(seq)}`, text: secretOf(seq).repeat(sizeOf(seq)) },
    ];
    made.push({ seq, prev, hash: hashText(`${prev}\n${text}`), text, content: content as never });
  }
  return made;
}

async function openWith(folder: string, all: readonly SealedRecord[], renewMs = 5_000) {
  const store = await openSqliteStore({ folder, renewMs });
  onTestFinished(() => store.close());
  const lease = await store.lease(stream, accountId, genesis);
  const epoch = lease.type === "leased" ? lease.epoch : 0;
  const commits = all.map((record) =>
    store.commit(unit({ appends: [{ stream, epoch, records: [record] }] })),
  );
  for (const result of await Promise.all(commits)) expect(result).toStrictEqual({ type: "committed" });
  return store;
}

const erasureOf = (seq: number) => ({ stream, accountId, seq, ref: `content_${seq}` });

test("erased text and salt are in no file once the commit is answered, and nothing else is gone", async () => {
  const folder = dataFolder();
  // From a few bytes to more than fits on a page, so that overflow pages are among them.
  const all = records(150, (seq) => 1 + ((seq * seq * 7) % 900));
  const store = await openWith(folder, all);
  expect(secretsIn(folder).size).toBe(150);
  const left = new Set(all.map(({ seq }) => seq));
  const order = all.map(({ seq }) => seq).toSorted((a, b) => ((a * 71) % 151) - ((b * 71) % 151));
  await inTurn(order, async (seq) => {
    left.delete(seq);
    const result = await store.commit(unit({ erasures: [erasureOf(seq)] }));
    expect(result).toStrictEqual({ type: "committed" });
    expect(secretsIn(folder)).toStrictEqual(left);
  });
  const kept = await store.readStream({ stream, accountId, limit: 1_000 });
  expect(kept).toStrictEqual(
    all.map(({ seq, hash, text }) => ({
      seq,
      hash,
      text,
      content: [{ ref: `content_${seq}`, erased: true }],
    })),
  );
});

test("erased text is gone also while a guest has the folder open", async () => {
  const folder = dataFolder();
  const store = await openWith(
    folder,
    records(3, () => 100),
  );
  const guest = startStoreProcess();
  onTestFinished(() => guest.end());
  await guest.open({ folder, role: "guest" });
  await guest.call("readStream", { stream, accountId, limit: 9 });
  await store.commit(unit({ erasures: [erasureOf(2)] }));
  expect(secretsIn(folder)).toStrictEqual(new Set([1, 3]));
});

test("where a reader holds the old pages, the erased text goes as soon as the reader does", async () => {
  const folder = dataFolder();
  const store = await openWith(
    folder,
    records(3, () => 100),
    5,
  );
  const reader = holdPages(folder);
  await expect(store.commit(unit({ erasures: [erasureOf(2)] }))).resolves.toStrictEqual({
    type: "committed",
  });
  expect(secretsIn(folder)).toStrictEqual(new Set([1, 2, 3]));
  reader.close();
  await expect.poll(() => secretsIn(folder)).toStrictEqual(new Set([1, 3]));
});

test("what could not be wiped before the end of the process is wiped when the folder is opened next", async () => {
  const folder = dataFolder();
  const store = await openWith(
    folder,
    records(3, () => 100),
  );
  const reader = holdPages(folder);
  await store.commit(unit({ erasures: [erasureOf(2)] }));
  // The files as a kill at this moment leaves them; whoever closes a database in peace empties its log.
  const left = dataFolder();
  for (const suffix of ["", "-wal"]) copyFileSync(databaseIn(folder) + suffix, databaseIn(left) + suffix);
  reader.close();
  await store.close();
  expect(secretsIn(left)).toStrictEqual(new Set([1, 2, 3]));
  const next = await openSqliteStore({ folder: left, clock: () => Date.now() + 60_000 });
  onTestFinished(() => next.close());
  expect(secretsIn(left)).toStrictEqual(new Set([1, 3]));
});

/** A reader of another program that stays with what it saw first. */
function holdPages(folder: string): DatabaseSync {
  const reader = new DatabaseSync(databaseIn(folder));
  reader.exec("BEGIN; SELECT count(*) FROM records");
  return reader;
}
