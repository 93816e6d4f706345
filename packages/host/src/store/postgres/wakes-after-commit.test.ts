// Wakes are sent after the commit, gathered: no commit waits for the lock of the whole database that a notification takes.
import { expect, onTestFinished, test } from "vitest";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { startStoreProcess } from "../../../test/start-store-process.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const committed = { type: "committed" };

const put = (id: string) =>
  ({
    durability: "process",
    now: 1,
    documents: [{ kind: "k", accountId: "a", id, type: "put", expects: 0, status: "s", body: "b" }],
    wakes: [id],
  }) as const;

describePostgres(
  "wakes on PostgreSQL",
  (postgres) => {
    const open = async (url: string) => {
      const store = await openPostgresStore({ url });
      onTestFinished(() => store.close());
      return store;
    };

    /** A transaction that has the lock of notifications: its commit waits for a standby server that does not exist. */
    const holdNotifications = async (ask: (sql: string) => Promise<unknown>) => {
      const standby = async (name: string) => {
        await ask(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
        await ask("SELECT pg_reload_conf()");
        await expect
          .poll(() => ask("SHOW synchronous_standby_names"))
          .toStrictEqual([{ synchronous_standby_names: name }]);
      };
      await standby("nobody");
      const held = ask("CREATE TABLE held (); NOTIFY elsewhere");
      await expect
        .poll(() => ask("SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'"))
        .toHaveLength(1);
      return async () => {
        await standby("");
        await held;
      };
    };

    const notifying = () =>
      postgres()
        .log()
        .split("\n")
        .filter((line) => /LOG: .*pg_notify/.test(line)).length;

    test("a commit with wakes is written while another transaction has the lock of notifications, and all its wakes are sent later, gathered", async () => {
      const { url, ask } = await postgres().newDatabase();
      const store = await open(url);
      const beside = await open(url);
      const heard = new Set<string | undefined>();
      onTestFinished(beside.listen((key) => heard.add(key)));
      const letGo = await holdNotifications(ask);
      onTestFinished(letGo);
      const ids = Array.from({ length: 300 }, (_, at) => `document-${at}`);
      const first = await store.commit(put("first"));
      const results = await Promise.all(ids.map((id) => store.commit(put(id))));
      expect([first, ...results]).toStrictEqual(Array.from({ length: 301 }, () => committed));
      expect(await beside.documents({ kind: "k", accountId: "a", limit: 999 })).toHaveLength(301);
      const before = notifying();
      await letGo();
      await expect.poll(() => heard).toStrictEqual(new Set(["first", ...ids]));
      expect(notifying() - before).toBeLessThanOrEqual(2);
    });

    test("a wake that is committed just before the store is closed is sent all the same", async () => {
      const { url } = await postgres().newDatabase();
      const beside = await open(url);
      const heard: (string | undefined)[] = [];
      onTestFinished(beside.listen((key) => heard.push(key)));
      const other = startStoreProcess();
      onTestFinished(() => other.end());
      await other.open({ url });
      await Promise.all([other.call("commit", put("last")), other.call("close")]);
      await expect.poll(() => heard).toStrictEqual(["last"]);
    });
  },
  { log_statement: "all" },
);
