// J3: what a store gives up, or only begins to hold, while the server is away is held by nobody once the server is back.
import type { Store } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { FaultyStore } from "../../../../kernel/test-data/call-store.ts";
import { asking, levelOf, openRunDesk, saying, write } from "../../../../kernel/test-data/run-desk.ts";
import { ManualClock } from "../../../../kernel/test-data/call-clock.ts";
import { genesis } from "../../../test/chain-writer.ts";
import { deaf } from "../../../test/deaf-store.ts";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { wayToPostgres } from "../../../test/way-to-postgres.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

describePostgres("streams that a process gives up while PostgreSQL is away", (postgres) => {
  const open = async (url: string) => {
    const store = await openPostgresStore({ url });
    onTestFinished(() => store.close());
    return store;
  };

  const processAt = async (url: string, life: number, heard = (store: Store) => store) => {
    const options = { script: saying([write("a")], "done"), levels: levelOf(asking), life };
    const store = new FaultyStore(heard(await open(url)));
    const desk = openRunDesk({ ...options, store, clock: new ManualClock() });
    onTestFinished(() => desk.runs.close());
    await desk.runs.open();
    return desk;
  };

  test("a stream that was given up in an outage is free for others after it, while its process lives on", async () => {
    const { url } = await postgres().newDatabase();
    const [first, second] = [await open(url), await open(url)];
    expect(await first.lease("run-1", "a", genesis)).toMatchObject({ type: "leased", epoch: 1 });
    await postgres().stop("immediate");
    await expect(first.release("run-1", 1)).rejects.toMatchObject({ code: "journal_append_failed" });
    await postgres().start();
    // By then the other takes it for alive again.
    const isBack = () => first.renew("run-1", 1).catch(() => undefined);
    await expect.poll(isBack, { timeout: 20_000, interval: 1 }).toBeDefined();
    const leased = () => second.lease("run-1", "a", genesis).catch(() => undefined);
    await expect.poll(leased, { timeout: 20_000, interval: 100 }).toMatchObject({ type: "leased", epoch: 2 });
  });

  test("a run that was only just being taken on when the server went away is taken on after it", async () => {
    const { url } = await postgres().newDatabase();
    const [ending, living] = [await processAt(url, 1), await processAt(url, 2)];
    const handle = await ending.start();
    await handle.wait({ for: "rest" });
    // The other has its lease by then, and reads what it is to go on with.
    const { inner } = living.store;
    let [hasTaken, isAway] = [false, false];
    living.store.beforeRead = async ({ stream, from }) => {
      if (hasTaken || stream !== handle.runId || from === undefined) return;
      hasTaken = (await inner.lease(stream, "acct_1", genesis)).type === "held";
      if (!hasTaken) return;
      await postgres().stop("immediate");
      isAway = true;
    };
    await ending.runs.close();
    await expect.poll(() => isAway, { timeout: 20_000 }).toBe(true);
    living.store.beforeRead = () => {};
    await postgres().start();
    const resumed = async () => {
      living.clock.advance(1000);
      return (await ending.kinds(handle.runId).catch((): string[] => [])).includes("run.resumed");
    };
    await expect.poll(resumed, { timeout: 20_000, interval: 100 }).toBe(true);
  });

  test("a run whose lease was given and never arrived is taken on all the same", async () => {
    const { name, url, ask } = await postgres().newDatabase();
    const way = await wayToPostgres(postgres());
    const [ending, living] = [
      await processAt(url, 1),
      await processAt(`postgres://postgres@127.0.0.1:${way.port}/${name}`, 2, deaf),
    ];
    const handle = await ending.start();
    await handle.wait({ for: "rest" });
    await ending.runs.close();
    // What is leased waits until the way to the server is cut.
    await ask(
      "CREATE FUNCTION gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$",
    );
    await ask("CREATE TRIGGER gate AFTER UPDATE ON simplefunctions.streams EXECUTE FUNCTION gate()");
    const holding = ask("BEGIN; SELECT pg_advisory_xact_lock(7); SELECT pg_sleep(600)").catch(() => []);
    const waiting = (event: string) => ask(`SELECT FROM pg_stat_activity WHERE wait_event = '${event}'`);
    await expect.poll(() => waiting("PgSleep"), { timeout: 20_000 }).toHaveLength(1);
    living.clock.advance(5000);
    await expect.poll(() => waiting("advisory"), { timeout: 20_000 }).toHaveLength(1);
    way.cut();
    await ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
    await holding;
    const held = () => ask("SELECT FROM simplefunctions.streams WHERE holder IS NOT NULL AND epoch = 2");
    await expect.poll(held, { timeout: 20_000 }).toHaveLength(1);
    await ask("DROP TRIGGER gate ON simplefunctions.streams");
    const resumed = async () => {
      living.clock.advance(1000);
      return (await ending.kinds(handle.runId)).includes("run.resumed");
    };
    await expect.poll(resumed, { timeout: 20_000, interval: 100 }).toBe(true);
  });
});
