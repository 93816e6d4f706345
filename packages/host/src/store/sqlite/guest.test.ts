// B25: guests read everything beside the driver and write nothing but answers.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { hashText } from "@spfunctions/contracts";
import type { Unit } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { databaseIn, dataFolder } from "../../../test/data-folder.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { startStoreProcess } from "../../../test/start-store-process.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./open-sqlite-store.ts";

const answer = { kind: "inbox", accountId: "a", id: "answer-1" };
const left = { ...answer, type: "put", expects: 0, status: "new", body: "yes" } as const;
const unit = (parts: Partial<Unit>): Unit => ({ durability: "power", now: 1, ...parts });
const genesis = hashText("the beginning");

async function open(options: SqliteStoreOptions) {
  const store = await openSqliteStore(options);
  onTestFinished(() => store.close());
  return store;
}

test("a guest in another process reads what the driver commits, and the driver what the guest answers", async () => {
  const folder = dataFolder();
  const driver = await open({ folder });
  const guest = startStoreProcess();
  onTestFinished(() => guest.end());
  expect(await guest.open({ folder, role: "guest" })).toStrictEqual({ value: guest.child.pid });
  const lease = await driver.lease("run-1", "a", genesis);
  const record = { seq: 1, prev: genesis, hash: hashText("first"), text: "first", content: [] };
  const epoch = lease.type === "leased" ? lease.epoch : 0;
  await driver.commit(unit({ appends: [{ stream: "run-1", epoch, records: [record] }] }));
  const { prev: _, ...found } = record;
  expect(await guest.call("readStream", { stream: "run-1", accountId: "a", limit: 9 })).toStrictEqual([
    found,
  ]);
  expect(await guest.call("commit", unit({ documents: [left] }))).toStrictEqual({ type: "committed" });
  await expect(driver.document(answer)).resolves.toMatchObject({ revision: 1, body: "yes" });
  const conflict = { type: "conflict", on: "document", key: answer, revision: 1 };
  expect(await guest.call("commit", unit({ documents: [left] }))).toStrictEqual(conflict);
});

test("both write at once and wait for each other", async () => {
  const folder = dataFolder();
  const driver = await open({ folder });
  const guest = startStoreProcess();
  onTestFinished(() => guest.end());
  await guest.open({ folder, role: "guest" });
  const ids = Array.from({ length: 100 }, (_, at) => `${at}`);
  const under = ids.map((id) => guest.call("commit", unit({ documents: [{ ...left, id: `guest-${id}` }] })));
  await inTurn(ids, (id) => driver.commit(unit({ documents: [{ ...left, id: `driver-${id}` }] })));
  await Promise.all(under);
  const all = await driver.documents({ kind: "inbox", accountId: "a", limit: 1_000 });
  expect(all.length).toBe(200);
});

test("a guest can write nothing but the inbox, lease nothing, and is told what to do instead", async () => {
  const folder = dataFolder();
  await open({ folder });
  const guest = await open({ folder, role: "guest" });
  expect([guest.role, guest.folder]).toStrictEqual(["guest", folder]);
  const claim = { accountId: "a", scope: "s", key: "k", digest: "d", expiresAt: 9, ref: "r" };
  const refused: Partial<Unit>[] = [
    { documents: [{ ...left, kind: "approval" }] },
    { documents: [left, { ...left, kind: "Inbox" }] },
    { documents: [left], appends: [{ stream: "run-1", epoch: 1, records: [] }] },
    { documents: [left], claims: [{ ...claim, type: "take" }] },
    { documents: [left], erasures: [{ stream: "run-1", accountId: "a", seq: 1, ref: "content_1" }] },
  ];
  const fault = { code: "host_configuration_needed", details: { reason: "guest" } };
  await inTurn(refused, (parts) => expect(guest.commit(unit(parts))).rejects.toMatchObject(fault));
  await expect(guest.lease("run-1", "a", genesis)).rejects.toMatchObject(fault);
  await expect(guest.document(answer)).resolves.toBeUndefined();
  await expect(guest.release("run-1", 1)).resolves.toBeUndefined();
});

test("a guest stays when the driver goes, is no driver for that, and is closed as any store", async () => {
  const folder = dataFolder();
  const first = await open({ folder });
  const guest = await open({ folder, role: "guest" });
  await first.close();
  await expect(guest.commit(unit({ documents: [left] }))).resolves.toStrictEqual({ type: "committed" });
  const second = await open({ folder });
  await expect(second.document(answer)).resolves.toMatchObject({ body: "yes" });
  await guest.close();
  await guest.close();
  await expect(guest.document(answer)).rejects.toMatchObject({ code: "lease_lost" });
  await expect(guest.commit(unit({}))).rejects.toMatchObject({ code: "lease_lost" });
});

test("a folder without a store is not made by a guest", async () => {
  const missing = join(dataFolder(), "missing");
  const empty = dataFolder();
  mkdirSync(join(empty, "other"));
  await inTurn([missing, empty], async (folder) => {
    await expect(openSqliteStore({ folder, role: "guest" })).rejects.toMatchObject({
      code: "host_configuration_needed",
      details: { reason: "no_store" },
    });
    expect(existsSync(databaseIn(folder))).toBe(false);
  });
  expect(existsSync(missing)).toBe(false);
});
