import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { hashText } from "@spfunctions/contracts";
import { expect, onTestFinished, test } from "vitest";
import { openSqliteStore, type SqliteStore } from "./open-sqlite-store.ts";

const accountId = "acct_1";
const genesis = hashText("genesis");

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sf-checkpoints-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes records of 8 kB, 20 at a time. */
async function write(store: SqliteStore, count: number): Promise<void> {
  const lease = await store.lease("seg_1", accountId, genesis);
  if (lease.type !== "leased") throw new Error("somebody holds it");
  let { head } = lease;
  for (let written = 0; written < count; written += 20) {
    const records = Array.from({ length: 20 }, (_, at) => {
      const seq = head.seq + 1;
      const text = `${seq} ${"x".repeat(8000)}`;
      const record = { seq, prev: head.hash, hash: hashText(`${seq} ${at}`), text, content: [] };
      head = record;
      return record;
    });
    const append = { stream: "seg_1", epoch: lease.epoch, records };
    await store.commit({ durability: "process", now: 0, appends: [append] });
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await after(5);
}

test("a log is written into the database beside the calls, long before a commit has to do it", async () => {
  const folder = emptyFolder();
  const store = await openSqliteStore({ folder });
  const file = join(folder, "simplefunctions.db");
  // Half of what a commit would begin to write down itself.
  await write(store, 4000);
  expect(statSync(`${file}-wal`).size).toBeLessThan(60 * 2 ** 20);
  await until(() => statSync(file).size > 8 * 2 ** 20);
  await Promise.all([store.close(), store.close()]);
  expect(existsSync(`${file}-wal`)).toBe(false);
  const again = await openSqliteStore({ folder });
  expect(await again.readStream({ stream: "seg_1", accountId, from: 4000, limit: 5 })).toMatchObject([
    { seq: 4000 },
  ]);
  await again.close();
});

test("a commit that comes while the store closes is written, or refused", async () => {
  const folder = emptyFolder();
  const store = await openSqliteStore({ folder });
  await write(store, 2000);
  const closing = store.close();
  const key = { kind: "note", accountId, id: "late" } as const;
  const late = store
    .commit({
      durability: "process",
      now: 0,
      documents: [{ type: "keep", ...key, status: "kept", body: "{}" }],
    })
    .then(
      () => "written",
      () => "refused",
    );
  await closing;
  const again = await openSqliteStore({ folder });
  expect(await again.document(key)).toStrictEqual(
    (await late) === "written" ? { ...key, status: "kept", revision: 1, body: "{}" } : undefined,
  );
  await again.close();
});

test("a store whose file is gone does not get a new one from its thread", async () => {
  const folder = emptyFolder();
  const store = await openSqliteStore({ folder });
  rmSync(join(folder, "simplefunctions.db"));
  await write(store, 2000).catch(() => undefined);
  await store.close();
  expect(existsSync(join(folder, "simplefunctions.db"))).toBe(false);
});
