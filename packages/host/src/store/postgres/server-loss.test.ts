// J1, J2: whatever becomes of the server or of the way to it, a commit was written whole or not at all, and says what is known.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Store } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { chainWriter, genesis, textsIn } from "../../../test/chain-writer.ts";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { wayToPostgres } from "../../../test/way-to-postgres.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import type { PostgresStoreOptions } from "./postgres-store.ts";
import { withPackages } from "../../../../../tests/installed/start-installed.ts";

const committed = { type: "committed" };
const put = { kind: "k", accountId: "a", id: "i", type: "put", expects: 0, status: "s", body: "b" } as const;

async function open(options: PostgresStoreOptions) {
  const store = await openPostgresStore(options);
  onTestFinished(() => store.close());
  return store;
}

const answerOf = async (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

type Ask = (text: string) => Promise<unknown[]>;
const waitingAt = (event: string) => `SELECT FROM pg_stat_activity WHERE wait_event = '${event}'`;

/** A session that holds what it takes for as long as it is wanted: nothing gets past it, however slow the machine is. */
async function holding(ask: Ask, taking: string): Promise<{ readonly end: () => Promise<void> }> {
  const held = answerOf(ask(`BEGIN; ${taking}; SELECT pg_sleep(600)`));
  await expect.poll(() => ask(waitingAt("PgSleep"))).toHaveLength(1);
  return {
    end: async () => {
      await ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
      await held;
    },
  };
}

/** What is written there waits for whoever holds the gate. */
async function gateAt(ask: Ask, place: string): Promise<{ readonly end: () => Promise<void> }> {
  await ask(
    "CREATE FUNCTION gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$",
  );
  await ask(`CREATE TRIGGER gate AFTER ${place} FOR EACH ROW EXECUTE FUNCTION gate()`);
  return await holding(ask, "SELECT pg_advisory_xact_lock(7)");
}

/** A store whose way to the server can be cut: one record is written, and the next waits at a gate. */
async function atTheGate(server: Parameters<typeof wayToPostgres>[0]) {
  const { name, ask } = await server.newDatabase();
  const way = await wayToPostgres(server);
  const store = await open({ url: `postgres://postgres@127.0.0.1:${way.port}/${name}` });
  const writer = await chainWriter(store, "run-1");
  await store.commit(writer.next("1"));
  return { ask, way, store, writer, gate: await gateAt(ask, "INSERT ON simplefunctions.records") };
}

/** Once the store answers again. */
async function whenBack(store: Store): Promise<void> {
  await expect.poll(() => answerOf(store.document(put)), { timeout: 20_000 }).toBeUndefined();
}

describePostgres("the PostgreSQL store when the server is lost", (postgres) => {
  test.each(["fast", "immediate"] as const)(
    "a server that is restarted (%s) under the store is used again, and nothing is forked or lost",
    async (how) => {
      const { url } = await postgres().newDatabase();
      const store = await open({ url });
      const writer = await chainWriter(store, "run-1");
      expect(await store.commit(writer.next("1", "power"))).toStrictEqual(committed);
      const missed = new Promise((resolve) => {
        onTestFinished(store.listen(resolve));
      });
      await postgres().stop(how);
      const second = writer.next("2", "power");
      await expect(store.commit(second)).rejects.toMatchObject({
        code: "journal_append_failed",
        retry: "after_wait",
        message: expect.stringMatching(/nothing was written to the database test_\d+ at .*then try again/),
        details: { reason: "not_written" },
      });
      await expect(store.document(put)).rejects.toMatchObject({ code: "host_configuration_needed" });
      await expect(store.lease("run-2", "a", genesis)).rejects.toMatchObject({
        code: "journal_append_failed",
      });
      await postgres().start();
      await whenBack(store);
      expect(await store.commit(second)).toStrictEqual(committed);
      expect(await store.commit(writer.next("3", "power"))).toStrictEqual(committed);
      expect(await textsIn(store, "run-1")).toStrictEqual(["1", "2", "3"]);
      expect(await missed).toBeUndefined();
      expect(await (await open({ url })).lease("run-1", "a", genesis)).toStrictEqual({ type: "held" });
    },
  );

  test("a commit whose connection is cut while it waits was not written, and says that nobody knows", async () => {
    const { url, ask } = await postgres().newDatabase();
    const store = await open({ url });
    const writer = await chainWriter(store, "run-1");
    await store.commit(writer.next("1"));
    await ask(
      "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$",
    );
    await ask(
      "CREATE TRIGGER slow BEFORE INSERT ON simplefunctions.documents FOR EACH ROW EXECUTE FUNCTION slow()",
    );
    const second = { ...writer.next("2"), documents: [put] };
    const under = answerOf(store.commit(second));
    const kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    await expect.poll(async () => (await ask(kill)).length).toBe(1);
    expect(await under).toMatchObject({
      code: "journal_append_failed",
      message: expect.stringContaining("Either all of it was written or nothing: read before you try again"),
      details: { reason: "no_answer", sqlState: "57P01" },
    });
    expect(await textsIn(store, "run-1")).toStrictEqual(["1"]);
    await ask("DROP TRIGGER slow ON simplefunctions.documents");
    expect(await store.commit(second)).toStrictEqual(committed);
    expect(await store.document(put)).toMatchObject({ revision: 1 });
  });

  test("in a storm of commits whose connections are cut, each was written whole or not at all, and what was answered is there", async () => {
    const { url, ask } = await postgres().newDatabase();
    const store = await open({ url });
    const cutAll = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE query LIKE '%commit_units%' AND pid <> pg_backend_pid()`;
    const [answered, failed] = [new Set<string>(), new Set<string>()];
    for (let group = 0; group < 30 || failed.size === 0; group += 1) {
      const ids = Array.from({ length: 10 }, (_, at) => `${group} ${at}`);
      await Promise.all([
        ask(cutAll),
        ...ids.map(async (id) => {
          const documents = [
            { ...put, id },
            { ...put, id: `${id} too` },
          ];
          const result = await answerOf(
            store.commit({ durability: "process", now: 1, documents, wakes: [id] }),
          );
          (result instanceof Error ? failed : answered).add(id);
        }),
      ]);
    }
    await whenBack(store);
    const found = new Set(
      (await store.documents({ kind: "k", accountId: "a", limit: 99_999 })).map(({ id }) => id),
    );
    expect([...answered].filter((id) => !found.has(id) || !found.has(`${id} too`))).toStrictEqual([]);
    expect([...failed].filter((id) => found.has(id) !== found.has(`${id} too`))).toStrictEqual([]);
  });

  test("an answer that is lost on its way is a fault, its listeners look again, and sent again it is a success", async () => {
    const { ask, way, store, writer, gate } = await atTheGate(postgres());
    const heard: unknown[] = [];
    onTestFinished(store.listen((key) => heard.push(key)));
    const second = { ...writer.next("2"), wakes: ["w"] };
    const under = answerOf(store.commit(second));
    await expect.poll(() => ask(waitingAt("advisory"))).toHaveLength(1);
    way.cut();
    expect(await under).toMatchObject({ code: "journal_append_failed", details: { reason: "no_answer" } });
    expect(heard).toContain(undefined);
    await gate.end();
    await expect
      .poll(() => ask("SELECT seq FROM simplefunctions.records"), { timeout: 10_000 })
      .toHaveLength(2);
    await whenBack(store);
    expect(await store.commit(second)).toStrictEqual(committed);
    expect(await textsIn(store, "run-1")).toStrictEqual(["1", "2"]);
  });

  test("J2: what gave no answer is under way no longer once somebody looks for it: it is there, or never will be", async () => {
    const { ask, way, store, writer, gate } = await atTheGate(postgres());
    const second = { ...writer.next("2"), documents: [put] };
    const under = answerOf(store.commit(second));
    await expect.poll(() => ask(waitingAt("advisory"))).toHaveLength(1);
    way.cut();
    expect(await under).toMatchObject({ code: "journal_append_failed", details: { reason: "no_answer" } });
    expect(await textsIn(store, "run-1")).toStrictEqual(["1"]);
    expect(await ask(waitingAt("advisory"))).toStrictEqual([]);
    await gate.end();
    expect(await store.document(put)).toBeUndefined();
    expect(await store.commit(second)).toStrictEqual(committed);
    expect(await textsIn(store, "run-1")).toStrictEqual(["1", "2"]);
  });

  test("J3: a stream whose lease was lost on its way can be leased all the same, and once", async () => {
    const { name, url, ask } = await postgres().newDatabase();
    const way = await wayToPostgres(postgres());
    const store = await open({ url: `postgres://postgres@127.0.0.1:${way.port}/${name}` });
    const gate = await gateAt(ask, "UPDATE ON simplefunctions.streams");
    const under = answerOf(store.lease("run-1", "a", genesis));
    await expect.poll(() => ask(waitingAt("advisory"))).toHaveLength(1);
    way.cut();
    expect(await under).toMatchObject({ code: "journal_append_failed", details: { reason: "no_answer" } });
    await gate.end();
    const epochs = () => ask("SELECT epoch FROM simplefunctions.streams WHERE holder IS NOT NULL");
    await expect.poll(epochs, { timeout: 10_000 }).toStrictEqual([{ epoch: "1" }]);
    await ask("DROP TRIGGER gate ON simplefunctions.streams");
    await whenBack(store);
    expect(await (await open({ url })).lease("run-1", "a", genesis)).toStrictEqual({ type: "held" });
    const leases = await Promise.all(Array.from({ length: 5 }, () => store.lease("run-1", "a", genesis)));
    const leased = { type: "leased", epoch: 2, head: { seq: 0, hash: genesis } };
    expect(leases.filter(({ type }) => type === "leased")).toStrictEqual([leased]);
  });

  test("a server that swallows everything is given up after a while, and closing does not wait for it", async () => {
    const { name } = await postgres().newDatabase();
    const way = await wayToPostgres(postgres());
    const url = `postgres://postgres@127.0.0.1:${way.port}/${name}`;
    const store = await openPostgresStore({ url, renewMs: 20, answerMs: 100 });
    way.swallow();
    await expect(store.commit({ durability: "process", now: 1, documents: [put] })).rejects.toMatchObject({
      code: "journal_append_failed",
      details: { reason: "no_answer" },
    });
    await store.close();
    await expect(store.document(put)).rejects.toMatchObject({ code: "lease_lost" });
  });

  test("a statement that waits too long is ended by the server, so that it does not come true later", async () => {
    const { url, ask } = await postgres().newDatabase();
    const store = await open({ url, answerMs: 300 });
    const writer = await chainWriter(store, "run-1");
    const unit = writer.next("1");
    const blocker = await holding(ask, "SELECT FROM simplefunctions.streams FOR UPDATE");
    await expect(store.commit(unit)).rejects.toMatchObject({
      code: "journal_append_failed",
      details: { reason: "not_written", sqlState: "57014" },
    });
    await blocker.end();
    expect(await textsIn(store, "run-1")).toStrictEqual([]);
    expect(await store.commit(unit)).toStrictEqual(committed);
  });

  test("what the server refuses is a fault that says why and what to do, and once it is put right the store goes on", async () => {
    const { url, ask } = await postgres().newDatabase();
    const store = await open({ url });
    await ask(
      "CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE SQLSTATE '53100' USING MESSAGE = 'could not extend file: No space left on device'; END $$",
    );
    await ask(
      "CREATE TRIGGER no BEFORE INSERT ON simplefunctions.documents FOR EACH ROW EXECUTE FUNCTION no()",
    );
    const unit = { durability: "power", now: 1, documents: [put] } as const;
    await expect(store.commit(unit)).rejects.toMatchObject({
      code: "journal_append_failed",
      message: expect.stringMatching(
        /nothing was written .*No space left on device\. Make room on the server's disk/,
      ),
      details: { reason: "not_written", sqlState: "53100" },
    });
    await ask("DROP TRIGGER no ON simplefunctions.documents");
    await ask("ALTER TABLE simplefunctions.documents RENAME TO hidden");
    await expect(store.commit(unit)).rejects.toMatchObject({
      code: "journal_append_failed",
      message: expect.stringContaining("update this program"),
    });
    await ask("ALTER TABLE simplefunctions.hidden RENAME TO documents");
    expect(await store.commit(unit)).toStrictEqual(committed);
  });

  test("a store can be closed while the server is away, and nothing is lost by that", async () => {
    const { url } = await postgres().newDatabase();
    const store = await openPostgresStore({ url, renewMs: 20 });
    const writer = await chainWriter(store, "run-1");
    await Promise.all([store.commit(writer.next("1")), store.document(put), store.document(put)]);
    await postgres().stop();
    await store.close();
    await store.close();
    await postgres().start();
    const again = await open({ url });
    expect((await chainWriter(again, "run-1")).head().seq).toBe(1);
  });

  test.each(["close", "leave open"])(
    "a store leaves no handle that would keep a process: %s",
    async (end) => {
      const { url } = await postgres().newDatabase();
      const script = join(import.meta.dirname, "../../../test/ending-process.ts");
      const { stdout } = await promisify(execFile)(process.execPath, [...withPackages, script, url, end], {
        timeout: 30_000,
      });
      expect(stdout).toBe(`${end}\n`);
    },
  );
});
