// J3: a stream has one writer, whatever becomes of the processes and of their connections.
import type { LeaseResult } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { chainWriter, chainWriterOf, genesis, textsIn } from "../../../test/chain-writer.ts";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { inTurn } from "../../../test/in-turn.ts";
import type { TestDatabase } from "../../../test/start-postgres.ts";
import { startStoreProcess } from "../../../test/start-store-process.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import type { PostgresStoreOptions } from "./postgres-store.ts";

const committed = { type: "committed" };
const held = { type: "held" };
const lost = (stream: string) => ({ type: "conflict", on: "epoch", stream });

async function open(options: PostgresStoreOptions) {
  const store = await openPostgresStore(options);
  onTestFinished(() => store.close());
  return store;
}

function start() {
  const other = startStoreProcess();
  onTestFinished(() => other.end());
  return other;
}

/** Cuts the connection by which every store shows that it lives, and waits until the server has noticed. */
async function cutSessions({ ask }: TestDatabase): Promise<void> {
  await ask(`SELECT pg_terminate_backend(pid, 5000) FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 2 AND pid <> pg_backend_pid()`);
}

const sessionsOf = async ({ ask }: TestDatabase) =>
  await ask("SELECT id, session FROM simplefunctions.holders ORDER BY id");

describePostgres("streams on PostgreSQL have one writer at a time", (postgres) => {
  test("a stream that another process holds is held, and free once that one has closed", async () => {
    const { url } = await postgres().newDatabase();
    const other = start();
    await other.open({ url });
    const writer = chainWriterOf((await other.call("lease", "run-1", "a", genesis)) as LeaseResult, "run-1");
    expect(await other.call("commit", writer.next("first"))).toStrictEqual(committed);
    const store = await open({ url });
    expect(await store.lease("run-1", "a", genesis)).toStrictEqual(held);
    await other.call("close");
    const next = await chainWriter(store, "run-1");
    expect([next.epoch, next.head()]).toStrictEqual([2, writer.head()]);
  });

  test("a process that stood still for longer than its lease renews it before it writes a record, or writes none", async () => {
    const database = await postgres().newDatabase();
    // Its own renewals come too late, as those of a process that was stopped.
    const still = { url: database.url, leaseMs: 2_000, renewMs: 600_000 };
    const [store, other] = [await open(still), await open({ url: database.url })];
    const [first, second] = [await chainWriter(store, "run-1"), await chainWriter(store, "run-2")];
    const isExpired = async () =>
      (await database.ask("SELECT FROM simplefunctions.holders WHERE expires_at < clock_timestamp()")).length;
    await expect.poll(isExpired, { timeout: 20_000 }).toBe(1);
    expect(await other.lease("run-2", "a", genesis)).toMatchObject({ type: "leased", epoch: 2 });
    expect(await store.commit(second.next("an intent"))).toStrictEqual(lost("run-2"));
    expect(await isExpired()).toBe(0);
    await expect.poll(isExpired, { timeout: 20_000 }).toBe(1);
    expect(await store.commit(first.next("an intent"))).toStrictEqual(committed);
    // Between the intent and the start of its tool nobody takes over.
    expect(await other.lease("run-1", "a", genesis)).toStrictEqual(held);
  });

  test("a process whose session is lost writes no record before it has another", async () => {
    const database = await postgres().newDatabase();
    const [store, other] = [await open({ url: database.url }), await open({ url: database.url })];
    const writer = await chainWriter(store, "run-1");
    await cutSessions(database);
    expect(await store.commit(writer.next("an intent"))).toStrictEqual(committed);
    expect(await other.lease("run-1", "a", genesis)).toStrictEqual(held);
  });

  test("a process that was killed is succeeded at once, in every stream and by many at once", async () => {
    const { url } = await postgres().newDatabase();
    const other = start();
    await other.open({ url, leaseMs: 3_600_000 });
    const streams = Array.from({ length: 20 }, (_, at) => `run-${at}`);
    await Promise.all(streams.map((stream) => other.call("lease", stream, "a", genesis)));
    const store = await open({ url });
    expect(await store.lease("run-0", "a", genesis)).toStrictEqual(held);
    await other.end("SIGKILL");
    // The server notices the end of a connection by itself, a moment later.
    await expect.poll(async () => (await store.lease("run-0", "a", genesis)).type).toBe("leased");
    const leases = await Promise.all(streams.slice(1).map((stream) => store.lease(stream, "a", genesis)));
    const leased = { type: "leased", epoch: 2, head: { seq: 0, hash: genesis } };
    expect(leases).toStrictEqual(leases.map(() => leased));
  });

  test("a process that hangs is succeeded when its lease has run out by the server's clock, and is refused when it wakes", async () => {
    const { url, ask } = await postgres().newDatabase();
    const other = start();
    await other.open({ url, leaseMs: 60_000, renewMs: 20 });
    const writer = chainWriterOf((await other.call("lease", "run-1", "a", genesis)) as LeaseResult, "run-1");
    await other.call("commit", writer.next("first"));
    await other.call("lease", "run-2", "a", genesis);
    other.child.kill("SIGSTOP");
    const store = await open({ url });
    expect(await store.lease("run-1", "a", genesis)).toStrictEqual(held);
    await ask("UPDATE simplefunctions.holders SET expires_at = expires_at - make_interval(secs => 61)");
    const next = await chainWriter(store, "run-1");
    expect(await store.commit(next.next("second"))).toStrictEqual(committed);
    other.child.kill("SIGCONT");
    expect(await other.call("commit", writer.next("late"))).toStrictEqual(lost("run-1"));
    // Where nobody came in between it goes on.
    const own = chainWriterOf({ type: "leased", epoch: 1, head: { seq: 0, hash: genesis } }, "run-2");
    expect(await other.call("commit", own.next("first"))).toStrictEqual(committed);
    await expect.poll(() => store.lease("run-2", "a", genesis)).toStrictEqual(held);
    expect(await textsIn(store, "run-1")).toStrictEqual(["first", "second"]);
  });

  test("an append that is under way is finished before a successor learns where the stream ends", async () => {
    const { url, ask } = await postgres().newDatabase();
    const first = await open({ url, renewMs: 3_600_000 });
    const writer = await chainWriter(first, "run-1");
    await ask(
      "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END $$",
    );
    await ask(
      "CREATE TRIGGER slow BEFORE INSERT ON simplefunctions.records FOR EACH ROW EXECUTE FUNCTION slow()",
    );
    const second = await open({ url });
    await ask("UPDATE simplefunctions.holders SET expires_at = clock_timestamp() WHERE id = 1");
    const under = first.commit(writer.next("first"));
    await expect.poll(() => ask("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'")).toHaveLength(1);
    const lease = await second.lease("run-1", "a", genesis);
    expect(lease).toStrictEqual({ type: "leased", epoch: 2, head: writer.head() });
    expect(await under).toStrictEqual(committed);
    expect(await first.commit(writer.next("late"))).toStrictEqual(lost("run-1"));
  });

  test("a store that lost its session and regained it goes on with what nobody took over", async () => {
    const database = await postgres().newDatabase();
    const first = await open({ url: database.url, renewMs: 3_600_000 });
    const [kept, taken] = [await chainWriter(first, "kept"), await chainWriter(first, "taken")];
    const before = await sessionsOf(database);
    // Its connection is gone, and by its number it cannot be told from a dead one until it is back.
    await cutSessions(database);
    await expect.poll(() => sessionsOf(database)).not.toStrictEqual(before);
    expect(await first.lease("kept", "a", genesis)).toStrictEqual(held);
    const second = await open({ url: database.url, renewMs: 3_600_000 });
    expect(await second.lease("kept", "a", genesis)).toStrictEqual(held);
    await database.ask("UPDATE simplefunctions.holders SET expires_at = clock_timestamp() WHERE id = 1");
    const successor = await chainWriter(second, "taken");
    expect(await first.commit(kept.next("mine"))).toStrictEqual(committed);
    expect(await first.commit(taken.next("late"))).toStrictEqual(lost("taken"));
    expect(await second.commit(successor.next("theirs"))).toStrictEqual(committed);
    expect(await first.lease("taken", "a", genesis)).toStrictEqual(held);
    const all = await sessionsOf(database);
    expect(all.map(({ id }) => id)).toStrictEqual([1, 3]);
  });

  test("a session that was lost is regained, however often the store would have given a sign meanwhile", async () => {
    const database = await postgres().newDatabase();
    const store = await open({ url: database.url, renewMs: 1 });
    await chainWriter(store, "run-1");
    const before = await sessionsOf(database);
    await cutSessions(database);
    await expect.poll(() => sessionsOf(database)).not.toStrictEqual(before);
    const other = await open({ url: database.url });
    expect(await other.lease("run-1", "a", genesis)).toStrictEqual(held);
  });

  test("while its session is lost a store keeps its streams from itself, not from others", async () => {
    const database = await postgres().newDatabase();
    const store = await open({ url: database.url });
    const writer = await chainWriter(store, "run-1");
    await database.ask("UPDATE simplefunctions.holders SET session = 999999");
    expect(await store.lease("run-1", "a", genesis)).toStrictEqual(held);
    expect(await store.commit(writer.next("first"))).toStrictEqual(committed);
    const other = await open({ url: database.url });
    expect(await other.lease("run-1", "a", genesis)).toMatchObject({ type: "leased", epoch: 2 });
    expect(await store.commit(writer.next("second"))).toStrictEqual(lost("run-1"));
  });

  test("a connection that is lost for the server too, and not yet ended there, is not waited for", async () => {
    const database = await postgres().newDatabase();
    const store = await open({ url: database.url });
    await chainWriter(store, "run-1");
    const [{ id, session }] = (await sessionsOf(database)) as [{ id: number; session: number }];
    // A new session of the same holder, while the lock of the old one is still there.
    await database.ask("SELECT simplefunctions.begin_session($1, 15000)", [id]);
    const [after] = (await sessionsOf(database)) as [{ id: number; session: number }];
    expect([after.id, after.session > session]).toStrictEqual([id, true]);
  });

  test("two stores of one process are two holders", async () => {
    const { url } = await postgres().newDatabase();
    const [one, two] = [await open({ url }), await open({ url })];
    const writer = await chainWriter(one, "run-1");
    expect(await two.lease("run-1", "a", genesis)).toStrictEqual(held);
    const unit = writer.next("first");
    expect(await two.commit(unit)).toStrictEqual(lost("run-1"));
    await two.release("run-1", writer.epoch);
    expect(await one.commit(unit)).toStrictEqual(committed);
    await one.close();
    expect((await chainWriter(two, "run-1")).epoch).toBe(2);
  });

  test("holders that were killed long ago are forgotten, and one that only hung comes back with its next sign", async () => {
    const { url, ask } = await postgres().newDatabase();
    const store = await open({ url, renewMs: 20 });
    await ask(
      "INSERT INTO simplefunctions.holders VALUES (77, 77, clock_timestamp() - make_interval(hours => 2))",
    );
    const ids = async () =>
      (await ask("SELECT id FROM simplefunctions.holders ORDER BY id")).map(({ id }) => id);
    await open({ url, renewMs: 20 });
    expect(await ids()).toStrictEqual([1, 2]);
    await ask("DELETE FROM simplefunctions.holders");
    await expect.poll(ids).toStrictEqual([1, 2]);
    await store.close();
    expect(await ids()).toStrictEqual([2]);
  });

  test("of many processes that want one stream again and again, one at a time has it, and nothing is forked", async () => {
    const { url } = await postgres().newDatabase();
    const stores = await Promise.all(Array.from({ length: 4 }, () => open({ url })));
    const written: string[] = [];
    await Promise.all(
      stores.map((store, name) =>
        inTurn(Array.from({ length: 25 }), async () => {
          const lease = await store.lease("run-1", "a", genesis);
          if (lease.type === "held") return;
          const text = `${name} ${lease.epoch}`;
          const result = await store.commit(chainWriterOf(lease, "run-1").next(text));
          if (result.type === "committed") written.push(text);
          await store.release("run-1", lease.epoch);
        }),
      ),
    );
    expect(written.length).toBeGreaterThan(4);
    expect(await textsIn(await open({ url }), "run-1")).toStrictEqual(written);
  });
});
