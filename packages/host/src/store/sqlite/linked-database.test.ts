// J3: a database with two names has two logs: what is written by one name is lost to the other. Nothing opens one.
import { randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { expect, onTestFinished, test } from "vitest";
import { databaseIn, dataFolder } from "../../../test/data-folder.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { startStoreProcess } from "../../../test/start-store-process.ts";
import { backUpSqliteStore } from "./back-up-sqlite-store.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./open-sqlite-store.ts";

const note = (id: string) =>
  ({ kind: "note", accountId: "a", id, type: "put", expects: 0, status: "kept", body: "kept" }) as const;

async function open(options: SqliteStoreOptions) {
  const store = await openSqliteStore(options);
  onTestFinished(() => store.close());
  return store;
}

/** A folder with a second name of another folder's database. */
function linkedFolder(folder: string): string {
  const other = mkdtempSync(join(tmpdir(), "sf-linked-"));
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  linkSync(databaseIn(folder), databaseIn(other));
  return other;
}

async function refusal(
  opening: Promise<unknown>,
): Promise<{ readonly message: string; readonly reason: unknown }> {
  const error: unknown = await opening.then(
    () => "it was opened",
    (thrown: unknown) => thrown,
  );
  if (!isSimpleFunctionsError(error)) throw new Error(String(error));
  expect(error.code).toBe("host_configuration_needed");
  return { message: error.message, reason: error.details?.["reason"] };
}

test("a database that has more than one hard link is opened by nobody, and it is said which command makes a safe copy", async () => {
  const folder = dataFolder();
  await (await openSqliteStore({ folder })).close();
  const other = linkedFolder(folder);
  for (const named of [folder, other])
    for (const opening of [
      () => openSqliteStore({ folder: named }),
      () => openSqliteStore({ folder: named, role: "guest" }),
      () => backUpSqliteStore({ folder: named, to: `${named}-copy` }),
    ]) {
      const { message, reason } = await refusal(opening());
      expect(reason).toBe("linked");
      expect(message).toContain(`${databaseIn(named)} has 2 names (hard links)`);
      expect(message).toContain(`find / -samefile ${databaseIn(named)}`);
      expect(message).toContain(`sf backup ${named}-copy --data ${named}`);
      expect(existsSync(`${named}-copy`)).toBe(false);
    }
});

test("whoever opens a store by a second name while it is driven is refused, and nothing that was accepted is lost", async () => {
  const folder = dataFolder();
  const driver = await open({ folder });
  const other = linkedFolder(folder);
  const beside = startStoreProcess();
  onTestFinished(() => beside.end());
  expect(await beside.open({ folder: other })).toMatchObject({
    fault: { code: "host_configuration_needed", details: { reason: "linked" } },
  });
  const ids = Array.from({ length: 200 }, (_, at) => `${at}`);
  await inTurn(ids, (id) => driver.commit({ durability: "power", now: 1, documents: [note(id)] }));
  await driver.close();
  rmSync(databaseIn(other));
  const again = await open({ folder });
  expect(await again.documents({ kind: "note", accountId: "a", limit: 1000 })).toHaveLength(200);
});

test("once the other name is removed it opens again, and a copy can be made", async () => {
  const folder = dataFolder();
  await (await openSqliteStore({ folder })).close();
  const other = linkedFolder(folder);
  expect((await refusal(openSqliteStore({ folder }))).reason).toBe("linked");
  rmSync(databaseIn(other));
  await open({ folder });
  rmSync(other, { recursive: true });
  await backUpSqliteStore({ folder, to: other });
  await open({ folder: other });
});

test.each(["-wal", "-shm"])("a log (%s) with two names is as bad", async (suffix) => {
  const folder = dataFolder();
  await open({ folder });
  linkSync(databaseIn(folder) + suffix, join(folder, `kept${suffix}`));
  const { message } = await refusal(openSqliteStore({ folder, role: "guest" }));
  expect(message).toContain(`${databaseIn(folder)}${suffix} has 2 names`);
});

test("the name of a draft, which a process that was killed while it made the database has left, is no other name", async () => {
  const folder = dataFolder();
  await (await openSqliteStore({ folder })).close();
  linkSync(databaseIn(folder), `${databaseIn(folder)}.${randomUUID()}`);
  await (await openSqliteStore({ folder })).close();
  linkSync(databaseIn(folder), join(folder, "simplefunctions.db.mine"));
  expect((await refusal(openSqliteStore({ folder }))).message).toContain("has 2 names");
});

test("a linked folder leads to the same file by the same name, and is driven by one as ever", async () => {
  const folder = dataFolder();
  const driver = await open({ folder });
  const home = dataFolder();
  mkdirSync(join(home, "deep"));
  symlinkSync(folder, join(home, "deep/link"));
  const guest = await open({ folder: join(home, "deep/link"), role: "guest" });
  await driver.commit({ durability: "power", now: 1, documents: [note("one")] });
  expect(await guest.document({ kind: "note", accountId: "a", id: "one" })).toMatchObject({ body: "kept" });
});

test("a linked file has its log beside the file itself, and is driven by one as ever", async () => {
  const folder = dataFolder();
  const driver = await open({ folder });
  const other = dataFolder();
  symlinkSync(databaseIn(folder), databaseIn(other));
  const second = startStoreProcess();
  onTestFinished(() => second.end());
  expect(await second.open({ folder: other })).toMatchObject({
    fault: { details: { reason: "driven_by_another" } },
  });
  const guest = await open({ folder: other, role: "guest" });
  await driver.commit({ durability: "power", now: 1, documents: [note("one")] });
  expect(await guest.document({ kind: "note", accountId: "a", id: "one" })).toMatchObject({ body: "kept" });
});
