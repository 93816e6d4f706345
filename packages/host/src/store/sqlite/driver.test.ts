// B25: one process drives a data folder, whatever becomes of the others.
import { renameSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { hashText } from "@spfunctions/contracts";
import { expect, onTestFinished, test } from "vitest";
import { databaseIn, dataFolder } from "../../../test/data-folder.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { type StoreProcess, startStoreProcess } from "../../../test/start-store-process.ts";
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from "./open-sqlite-store.ts";

const genesis = hashText("the beginning");
const put = { kind: "k", accountId: "a", id: "i", type: "put", status: "s", body: "b" } as const;
const unit = (expects: number) =>
  ({ durability: "process", now: 1, documents: [{ ...put, expects }] }) as const;

async function open(options: SqliteStoreOptions): Promise<SqliteStore> {
  const store = await openSqliteStore(options);
  onTestFinished(() => store.close());
  return store;
}

function start(): StoreProcess {
  const other = startStoreProcess();
  onTestFinished(() => other.end());
  return other;
}

/** The row in which the driver is written down. */
function driverOf(folder: string): { epoch: number; holder: string | null; expires_at: number } {
  const database = new DatabaseSync(databaseIn(folder), { timeout: 5_000 });
  const row = database.prepare("SELECT epoch, holder, expires_at FROM driver").get();
  database.close();
  return { ...row } as never;
}

test("B25: a second process cannot drive the folder, and is told which process does and what to do", async () => {
  const folder = dataFolder();
  const other = start();
  const { value: pid } = (await other.open({ folder })) as { value: number };
  await expect(openSqliteStore({ folder })).rejects.toMatchObject({
    code: "host_configuration_needed",
    message: expect.stringMatching(
      new RegExp(`driven by process ${pid}\\. Talk to that one, stop it, or open the folder as a guest`),
    ),
    details: { reason: "driven_by_another", pid },
  });
  await other.call("close");
  await expect(open({ folder })).resolves.toMatchObject({ role: "driver", folder });
});

test("B25: the same process cannot drive a folder twice", async () => {
  const folder = dataFolder();
  const store = await open({ folder });
  await expect(openSqliteStore({ folder })).rejects.toMatchObject({
    code: "host_configuration_needed",
    details: { reason: "driven_by_another", pid: process.pid },
  });
  await expect(store.commit(unit(0))).resolves.toStrictEqual({ type: "committed" });
});

test("B25: of many processes that open a new folder at once exactly one drives it", async () => {
  const others = Array.from({ length: 4 }, start);
  // A first answer, so that all of them are up before the race.
  await Promise.all(others.map((other) => other.open({ folder: "/dev/null/none" })));
  const refused = {
    fault: expect.objectContaining({ details: expect.objectContaining({ reason: "driven_by_another" }) }),
  };
  const folders = Array.from({ length: 10 }, () => join(dataFolder(), "new"));
  await inTurn(folders, async (folder) => {
    const answers = await Promise.all(others.map((other) => other.open({ folder })));
    const drivers = others.filter((_, at) => "value" in (answers[at] ?? {}));
    expect(drivers.length).toBe(1);
    expect(answers.filter((said) => "fault" in said)).toStrictEqual([refused, refused, refused]);
    await drivers[0]?.call("close");
  });
});

test("a driver that was killed is succeeded at once, with everything that it committed", async () => {
  const folder = dataFolder();
  const other = start();
  await other.open({ folder });
  await other.call("commit", unit(0));
  await other.call("lease", "run-1", "a", genesis);
  await other.end("SIGKILL");
  expect(driverOf(folder).expires_at).toBeGreaterThan(Date.now());
  const store = await open({ folder });
  expect(driverOf(folder).epoch).toBe(2);
  await expect(store.document(put)).resolves.toMatchObject({ revision: 1 });
  await expect(store.lease("run-1", "a", genesis)).resolves.toMatchObject({ type: "leased", epoch: 2 });
});

test("J3: a driver that hangs is succeeded when its lease has run out, and writes no more when it wakes", async () => {
  const folder = dataFolder();
  const other = start();
  await other.open({ folder, leaseMs: 60_000 });
  await other.call("commit", unit(0));
  other.child.kill("SIGSTOP");
  const early = { folder, clock: () => Date.now() + 30_000 };
  await expect(openSqliteStore(early)).rejects.toMatchObject({ details: { reason: "driven_by_another" } });
  const store = await open({ folder, clock: () => Date.now() + 61_000 });
  await expect(store.commit(unit(1))).resolves.toStrictEqual({ type: "committed" });
  other.child.kill("SIGCONT");
  const late = { fault: expect.objectContaining({ code: "lease_lost", details: { reason: "driver_lost" } }) };
  expect(await other.ask({ act: "commit", args: [unit(2)] })).toStrictEqual(late);
  expect(await other.ask({ act: "lease", args: ["run-1", "a", genesis] })).toStrictEqual(late);
  expect(await other.ask({ act: "commit", args: [unit(2)] })).toStrictEqual(late);
  await expect(store.document(put)).resolves.toMatchObject({ revision: 2 });
  const before = driverOf(folder);
  await other.call("close");
  expect(driverOf(folder)).toStrictEqual(before);
});

test("a driver that lives renews its lease, and one that closed has given it up", async () => {
  const folder = dataFolder();
  const store = await open({ folder, leaseMs: 60_000, renewMs: 5 });
  const first = driverOf(folder);
  await expect.poll(() => driverOf(folder).expires_at).toBeGreaterThan(first.expires_at);
  await store.close();
  expect(driverOf(folder)).toStrictEqual({ epoch: 1, holder: null, expires_at: 0 });
  await open({ folder });
});

test("a holder in another pid namespace, or one that cannot be read, is succeeded by expiry alone", async () => {
  const folder = dataFolder();
  await (await open({ folder })).close();
  const elsewhere = JSON.stringify({ pid: 2 ** 22 + 1, pidNamespace: "pid:[1]", token: "t" });
  const named = [
    [elsewhere, "driven by process 4194305 of another container"],
    ["unreadable", "driven by an unknown process"],
  ] as const;
  await inTurn(named, async ([holder, name]) => {
    const database = new DatabaseSync(databaseIn(folder));
    database.prepare("UPDATE driver SET holder = ?, expires_at = 5000").run(holder);
    database.close();
    await expect(openSqliteStore({ folder, clock: () => 4_999 })).rejects.toThrow(name);
    await (await open({ folder, clock: () => 5_000 })).close();
  });
});

test("a clock that jumps, back or forth, stops nobody who drives and lets nobody write twice", async () => {
  const folder = dataFolder();
  let now = 1_000_000;
  const store = await open({ folder, clock: () => now });
  now -= 500_000;
  await expect(store.commit(unit(0))).resolves.toStrictEqual({ type: "committed" });
  await expect(openSqliteStore({ folder, clock: () => now })).rejects.toMatchObject({
    details: { reason: "driven_by_another" },
  });
  now += 9_000_000;
  await expect(store.commit(unit(1))).resolves.toStrictEqual({ type: "committed" });
  const next = await open({ folder, clock: () => now });
  await expect(store.commit(unit(2))).rejects.toMatchObject({ code: "lease_lost" });
  now = 0;
  await expect(store.commit(unit(2))).rejects.toMatchObject({ code: "lease_lost" });
  await expect(next.commit(unit(2))).resolves.toStrictEqual({ type: "committed" });
});

test("B25: after the clock was set back, a dead driver of another container keeps the folder for one lease, not for years", async () => {
  const folder = dataFolder();
  await (await open({ folder })).close();
  const elsewhere = JSON.stringify({ pid: 2 ** 22 + 1, pidNamespace: "pid:[1]", token: "t" });
  const database = new DatabaseSync(databaseIn(folder));
  database.prepare("UPDATE driver SET holder = ?, expires_at = 1e12").run(elsewhere);
  database.close();
  const at = (now: number) => ({ folder, clock: () => now, leaseMs: 15_000 });
  const held = {
    message: expect.stringMatching(/another container.*another process can take over in 15 s/),
    details: { reason: "driven_by_another", pid: 2 ** 22 + 1 },
  };
  await expect(openSqliteStore(at(1_000))).rejects.toMatchObject(held);
  expect(driverOf(folder)).toStrictEqual({ epoch: 1, holder: elsewhere, expires_at: 16_000 });
  // Whoever asks again and again does not put it off.
  await expect(openSqliteStore(at(15_999))).rejects.toMatchObject({ details: held.details });
  expect(driverOf(folder).expires_at).toBe(16_000);
  await expect(open(at(16_000))).resolves.toMatchObject({ role: "driver" });
});

test("a living driver whose lease was cut short renews it, and stays the driver", async () => {
  const folder = dataFolder();
  let now = 1e12;
  const store = await open({ folder, clock: () => now, renewMs: 5 });
  now = 1_000;
  await expect.poll(() => driverOf(folder).expires_at).toBe(16_000);
  const database = new DatabaseSync(databaseIn(folder), { timeout: 5_000 });
  database.exec("UPDATE driver SET expires_at = 1e12");
  database.close();
  await expect(openSqliteStore({ folder, clock: () => now })).rejects.toMatchObject({
    details: { reason: "driven_by_another" },
  });
  now = 20_000;
  await expect.poll(() => driverOf(folder).expires_at).toBe(35_000);
  await expect(store.commit(unit(0))).resolves.toStrictEqual({ type: "committed" });
});

test("a driver whose file was moved away stops writing into nowhere", async () => {
  const folder = dataFolder();
  const store = await open({ folder, renewMs: 5 });
  renameSync(databaseIn(folder), `${databaseIn(folder)}.moved`);
  let expects = 0;
  const outcome = async () => {
    const result = await store.commit(unit(expects)).catch((error: Error) => error);
    if (!(result instanceof Error)) expects += 1;
    return result;
  };
  await expect
    .poll(outcome)
    .toMatchObject({ code: "lease_lost", message: expect.stringContaining("moved or deleted") });
});

test("B25: a driver that was succeeded is told so, once, when it next gives a sign", async () => {
  const folder = dataFolder();
  const told: unknown[] = [];
  const lost = Promise.withResolvers<unknown>();
  const onLost = (error: unknown) => {
    told.push(error);
    lost.resolve(error);
  };
  const store = await open({ folder, renewMs: 10, onLost });
  const database = new DatabaseSync(databaseIn(folder), { timeout: 5_000 });
  database.exec("UPDATE driver SET epoch = epoch + 1");
  database.close();
  expect(await lost.promise).toMatchObject({ code: "lease_lost", details: { reason: "driver_lost" } });
  await expect(store.commit(unit(0))).rejects.toMatchObject({ code: "lease_lost" });
  await store.close();
  expect(told).toHaveLength(1);
});
