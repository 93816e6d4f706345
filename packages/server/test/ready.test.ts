// Whether requests are to be sent here: only where the store answers and can be written to.
import { openPostgresStore, openSqliteStore } from "@spfunctions/host/store";
import { JournalAppendFailedError } from "@spfunctions/contracts";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { databaseIn, dataFolder } from "../../host/test/data-folder.ts";
import { describePostgres } from "../../host/test/describe-postgres.ts";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { ask, testPlatform, type TestPlatform } from "../test-data/test-platform.ts";
import { watchedStore } from "../test-data/watched-store.ts";

const ready = { status: 200, body: { ok: true, data: { status: "ready" } } };
const notReady = (code: string) => ({ status: 503, body: { ok: false, error: { code, status: 503 } } });

async function until(platform: TestPlatform, status: number): Promise<void> {
  await expect.poll(async () => (await ask(platform, "/api/ready")).status, { timeout: 30_000 }).toBe(status);
}

describe.each(["socket", "embedded"] as const)("GET /api/ready (%s)", (way) => {
  test("says what is wrong with the store, no more than its code, and again that all is well", async () => {
    const clock = new ManualClock();
    const disk = { isBroken: false };
    const store = watchedStore(() => {
      if (disk.isBroken) throw new JournalAppendFailedError("/var/secret/place cannot be written");
    });
    const platform = await testPlatform(way, { store, clock });
    expect(await ask(platform, "/api/ready")).toMatchObject(ready);
    disk.isBroken = true;
    clock.advance(1000);
    const refused = await ask(platform, "/api/ready");
    expect(refused).toMatchObject(notReady("journal_append_failed"));
    expect(JSON.stringify(refused.body)).not.toContain("secret");
    expect((await ask(platform, "/api/health")).status).toBe(200);
    disk.isBroken = false;
    clock.advance(1000);
    expect(await ask(platform, "/api/ready")).toMatchObject(ready);
  });

  test("asks the store once in readyMs, however many ask", async () => {
    const clock = new ManualClock();
    let commits = 0;
    const platform = await testPlatform(way, { store: watchedStore(() => void commits++), clock });
    commits = 0;
    await Promise.all(Array.from({ length: 20 }, () => ask(platform, "/api/ready")));
    clock.advance(999);
    await ask(platform, "/api/ready");
    expect(commits).toBe(1);
    clock.advance(1);
    await ask(platform, "/api/ready");
    expect(commits).toBe(2);
  });

  test("does not wait for a store that does not answer", async () => {
    const clock = new ManualClock();
    const disk = { ...Promise.withResolvers<void>(), hangs: false };
    const store = watchedStore(() => (disk.hangs ? disk.promise : undefined));
    const platform = await testPlatform(way, { store, clock });
    disk.hangs = true;
    const before = clock.waiting;
    const asked = ask(platform, "/api/ready");
    await expect.poll(() => clock.waiting).toBe(before + 1);
    clock.advance(1000);
    expect(await asked).toMatchObject(notReady("journal_append_failed"));
    disk.resolve();
  });
});

test("it is refused like any request without a key, by the rate of its address", async () => {
  const platform = await testPlatform("socket", { limits: { addressRate: { perSecond: 1, burst: 1 } } });
  expect((await ask(platform, "/api/ready")).status).toBe(200);
  expect((await ask(platform, "/api/ready")).status).toBe(429);
});

test("B25: one whose data folder another process has taken over is not ready, while it is there", async () => {
  const folder = dataFolder();
  const store = await openSqliteStore({ folder });
  onTestFinished(() => store.close());
  const clock = new ManualClock();
  const platform = await testPlatform("embedded", { store, clock });
  expect(await ask(platform, "/api/ready")).toMatchObject(ready);
  const database = new DatabaseSync(databaseIn(folder), { timeout: 5000 });
  database.exec("UPDATE driver SET epoch = epoch + 1");
  database.close();
  clock.advance(1000);
  expect(await ask(platform, "/api/ready")).toMatchObject(notReady("lease_lost"));
  expect((await ask(platform, "/api/health")).status).toBe(200);
});

describePostgres("on PostgreSQL", (postgres) => {
  test("one whose server is gone is not ready, and is once it is back", { timeout: 60_000 }, async () => {
    const { url } = await postgres().newDatabase();
    const store = await openPostgresStore({ url });
    onTestFinished(() => store.close());
    const platform = await testPlatform("embedded", { store });
    expect(await ask(platform, "/api/ready")).toMatchObject(ready);
    await postgres().stop();
    await until(platform, 503);
    await postgres().start();
    await until(platform, 200);
  });
});
