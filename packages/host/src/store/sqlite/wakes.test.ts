import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { databaseIn, dataFolder } from "../../../test/data-folder.ts";
import { startStoreProcess } from "../../../test/start-store-process.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./open-sqlite-store.ts";

const wake = (...wakes: readonly string[]) => ({ durability: "process", now: 1, wakes }) as const;
const letter = { kind: "inbox", accountId: "a", id: "i", type: "keep", status: "s", body: "b" } as const;

async function listening(options: SqliteStoreOptions) {
  // Never renewed, so that whatever is heard was committed by somebody.
  const store = await openSqliteStore({ renewMs: 3_600_000, ...options });
  onTestFinished(() => store.close());
  const heard: (string | undefined)[] = [];
  const stop = store.listen((key) => heard.push(key));
  onTestFinished(stop);
  return { store, heard, stop };
}

test("what another process commits is told as something missed, to a driver and to a guest", async () => {
  const folder = dataFolder();
  const driver = await listening({ folder });
  const other = startStoreProcess();
  onTestFinished(() => other.end());
  await other.open({ folder, role: "guest" });
  await other.call("commit", { ...wake("theirs"), documents: [letter] });
  await expect.poll(() => driver.heard).toStrictEqual([undefined]);
  const guest = await listening({ folder, role: "guest" });
  await driver.store.commit(wake("mine"));
  await expect.poll(() => guest.heard).toStrictEqual([undefined]);
  expect(driver.heard).toStrictEqual([undefined, "mine"]);
});

test("a committed unit that changes nothing is seen by others all the same", async () => {
  const folder = dataFolder();
  const driver = await listening({ folder });
  const guest = await listening({ folder, role: "guest" });
  await driver.store.commit({ ...wake(), documents: [letter] });
  await expect.poll(() => guest.heard.length).toBe(1);
  await driver.store.commit({ ...wake("again"), documents: [letter] });
  await expect.poll(() => guest.heard.length).toBe(2);
  const units = [
    wake("beside"),
    { ...wake("lost"), documents: [letter, { ...letter, type: "put", expects: 9 }] } as const,
  ];
  await Promise.all(units.map((unit) => driver.store.commit(unit)));
  await expect.poll(() => guest.heard.length).toBe(3);
  expect(driver.heard).toStrictEqual(["again", "beside"]);
});

test("the database is asked by nobody while nobody listens, and once however many listen", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const store = await openSqliteStore({ folder: dataFolder() });
  const renewals = vi.getTimerCount();
  const stops = [store.listen(() => undefined), store.listen(() => undefined)];
  expect(vi.getTimerCount()).toBe(renewals + 1);
  stops[0]?.();
  stops[0]?.();
  expect(vi.getTimerCount()).toBe(renewals + 1);
  stops[1]?.();
  expect(vi.getTimerCount()).toBe(renewals);
  store.listen(() => undefined);
  expect(vi.getTimerCount()).toBe(renewals + 1);
  await store.close();
  store.listen(() => undefined);
  expect(vi.getTimerCount()).toBe(0);
});

test("what was written before somebody listens is not told", async () => {
  const folder = dataFolder();
  const first = await openSqliteStore({ folder, renewMs: 3_600_000 });
  onTestFinished(() => first.close());
  const guest = await openSqliteStore({ folder, role: "guest" });
  onTestFinished(() => guest.close());
  await guest.document(letter);
  await first.commit(wake("before"));
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const heard: unknown[] = [];
  onTestFinished(guest.listen((key) => heard.push(key)));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(heard).toStrictEqual([]);
  const past = new DatabaseSync(databaseIn(folder), { timeout: 5_000 });
  past.exec("UPDATE driver SET expires_at = 1");
  past.close();
  await vi.advanceTimersByTimeAsync(250);
  expect(heard).toStrictEqual([undefined]);
});
