// A pooler that gives a transaction to any session of the server is refused at the start; one that keeps sessions apart works.
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { chainWriter, textsIn } from "../../../test/chain-writer.ts";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { missingPgbouncer, type PoolMode, startPgbouncer } from "../../../test/start-pgbouncer.ts";
import { lookAtPostgres } from "./look-at-postgres.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import type { PostgresStoreOptions } from "./postgres-store.ts";

const missing = missingPgbouncer();
const isSkipped = missing !== undefined && process.env.CI === undefined;

const refused = {
  code: "host_configuration_needed",
  message: expect.stringMatching(/pooler.*Connect to the server directly.*pool_mode = session/),
  details: { reason: "pooler" },
};

describePostgres(`poolers in front of PostgreSQL${isSkipped ? ` (${missing})` : ""}`, (postgres) => {
  const behind = async (mode: PoolMode, settings = {}) => {
    const { name, ask } = await postgres().newDatabase();
    const pooler = await startPgbouncer(postgres(), mode, settings);
    onTestFinished(() => pooler.remove());
    return { pooler, ask, url: pooler.urlOf(name) };
  };
  const open = async (options: PostgresStoreOptions) => {
    const store = await openPostgresStore(options);
    onTestFinished(() => store.close());
    return store;
  };

  test.skipIf(isSkipped).each([
    ["transaction", {}],
    ["transaction", { default_pool_size: 1 }],
    ["transaction", { server_round_robin: 1 }],
    ["statement", {}],
  ] as const)(
    "a pooler in %s mode with %o is detected at the start, refused in plain words, and nothing is made",
    async (mode, settings) => {
      const { url, ask } = await behind(mode, settings);
      await expect(openPostgresStore({ url })).rejects.toMatchObject(refused);
      await expect(lookAtPostgres({ url })).rejects.toMatchObject(refused);
      expect(await ask("SELECT FROM pg_namespace WHERE nspname = 'simplefunctions'")).toHaveLength(0);
    },
  );

  test.skipIf(isSkipped)(
    "a pooler in transaction mode with several sessions at the server, used in turn, is detected",
    async () => {
      const { url } = await behind("transaction", { server_round_robin: 1 });
      const busy = await Promise.all(
        [1, 2, 3].map(async () => {
          const client = new Client({ connectionString: url });
          await client.connect();
          onTestFinished(() => client.end());
          return client;
        }),
      );
      // At the same time, so that each has a session of its own.
      await Promise.all(busy.map((client) => client.query("SELECT pg_sleep(0.3)")));
      await expect(openPostgresStore({ url })).rejects.toMatchObject(refused);
    },
  );

  test.skipIf(isSkipped)("a pooler in session mode works: leases, wakes, commits and reads", async () => {
    const { url } = await behind("session");
    const [store, beside] = [await open({ url }), await open({ url })];
    const heard: (string | undefined)[] = [];
    onTestFinished(beside.listen((key) => heard.push(key)));
    const writer = await chainWriter(store, "run-1");
    await store.commit({ ...writer.next("first"), wakes: ["first"] });
    await expect.poll(() => heard).toStrictEqual(["first"]);
    expect(await textsIn(beside, "run-1")).toStrictEqual(["first"]);
    expect((await lookAtPostgres({ url })).version).toBeGreaterThan(0);
  });

  test.skipIf(isSkipped)(
    "a pooler whose mode is changed while a store is open is told of, and works again once it is changed back",
    async () => {
      const { url, ask, pooler } = await behind("session");
      const store = await open({ url, renewMs: 50 });
      await pooler.setMode("transaction");
      // The pooler takes the new mode on with the next connections.
      await ask(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      );
      const key = { kind: "k", accountId: "a", id: "i" };
      const asked = () =>
        store.document(key).then(
          () => "answered",
          (error: unknown) => error,
        );
      await expect.poll(asked, { timeout: 30_000 }).toMatchObject(refused);
      await pooler.setMode("session");
      await expect.poll(asked, { timeout: 30_000 }).toBe("answered");
    },
  );

  test.skipIf(isSkipped)("a pooler in session mode that has too few sessions is told of", async () => {
    const { url } = await behind("session", { default_pool_size: 1, query_wait_timeout: 1 });
    await expect(openPostgresStore({ url })).rejects.toMatchObject({
      code: "host_configuration_needed",
      message: expect.stringMatching(/no second session.*default_pool_size/),
      details: { reason: "pooler_size" },
    });
  });
});
