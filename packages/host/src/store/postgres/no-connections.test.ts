// J2, J3: a server that is there and refuses for a while, because it has no connection left or takes too long, is an outage like any other.
import { expect, onTestFinished, test } from "vitest";
import { Client } from "pg";
import { ManualClock } from "../../../../kernel/test-data/call-clock.ts";
import { Deck } from "../../../../kernel/test-data/call-deck.ts";
import { FaultyStore } from "../../../../kernel/test-data/call-store.ts";
import {
  asking,
  generous,
  levelOf,
  openRunDesk,
  saying,
  write,
} from "../../../../kernel/test-data/run-desk.ts";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

describePostgres(
  "a PostgreSQL server that has no connection left",
  (postgres) => {
    const open = async (url: string, answerMs = 30_000) => {
      const store = await openPostgresStore({ url: `${url}&application_name=store`, answerMs });
      onTestFinished(() => store.close());
      return store;
    };

    /** Ends the connections of the stores, and takes all that the server has, until what is given back is called. */
    const takeAll = async (url: string): Promise<() => Promise<void>> => {
      const taken: Client[] = [];
      const take = async () => {
        const client = new Client({ connectionString: url });
        client.on("error", () => undefined);
        await client.connect();
        taken.push(client);
        return client;
      };
      const first = await take();
      const ofStores = "FROM pg_stat_activity WHERE application_name = 'store'";
      const more = async () => await take().catch(() => undefined);
      const isTaken = async () => {
        await first.query(`SELECT pg_terminate_backend(pid) ${ofStores}`);
        while ((await more()) !== undefined);
        return (await first.query(`SELECT ${ofStores}`)).rowCount;
      };
      await expect.poll(isTaken, { timeout: 20_000 }).toBe(0);
      const giveBack = async () => void (await Promise.all(taken.splice(0).map((client) => client.end())));
      onTestFinished(giveBack);
      return giveBack;
    };

    test("what is read then may be read again after a while", async () => {
      const { url } = await postgres().newDatabase();
      const store = await open(url);
      const giveBack = await takeAll(url);
      const key = { kind: "k", accountId: "a", id: "i" };
      await expect(store.document(key)).rejects.toMatchObject({
        code: "host_configuration_needed",
        message: expect.stringContaining("Allow more connections"),
        retry: "after_wait",
        details: { reason: "not_readable", sqlState: "53300" },
      });
      await giveBack();
      expect(await store.document(key)).toBeUndefined();
    });

    test("what took too long to be read may be read again after a while", async () => {
      const { url, ask } = await postgres().newDatabase();
      const store = await open(url, 300);
      const blocker = ask("BEGIN; LOCK TABLE simplefunctions.documents; SELECT pg_sleep(600)").catch(
        () => [],
      );
      const sleeping = () => ask("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
      await expect.poll(sleeping, { timeout: 20_000 }).toHaveLength(1);
      await expect(store.document({ kind: "k", accountId: "a", id: "i" })).rejects.toMatchObject({
        retry: "after_wait",
        details: { sqlState: "57014" },
      });
      await ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
      await blocker;
    });

    test("runs that act and runs that wait for a person go on once it has some, and nothing happens twice", async () => {
      const { url } = await postgres().newDatabase();
      const clock = new ManualClock();
      const acting = Promise.withResolvers<object>();
      const desks = await Promise.all(
        [generous, asking].map(async (policy, at) => {
          const store = new FaultyStore(await open(url));
          const script = saying([write("a")], [write("b")], "done");
          const levels = levelOf(policy);
          const deed = () => (at === 0 ? acting.promise : { done: true });
          const desk = openRunDesk({ script, levels, clock, store, deck: new Deck(deed), life: at + 1 });
          onTestFinished(() => desk.runs.close());
          return desk;
        }),
      );
      const [active, waiting] = desks as [(typeof desks)[number], (typeof desks)[number]];
      const [acts, waits] = [await active.start(), await waiting.start()];
      await expect.poll(() => active.deck.runs.length, { timeout: 20_000 }).toBe(1);
      await waits.wait({ for: "rest" });
      const giveBack = await takeAll(url);
      acting.resolve({ done: true });
      // Whoever waits looks meanwhile, and is refused.
      const refused = () =>
        waits.state().then(
          () => "read",
          (error: Error) => error.message,
        );
      for (let at = 0; at < 25; at += 1) {
        clock.advance(1000);
        expect(await refused()).toContain("too many clients");
      }
      await giveBack();
      const approve = async () => {
        clock.advance(1000);
        const asked = await waiting.operator.list().catch(() => []);
        for (const { approvalId } of asked) await waiting.operator.approve(approvalId).catch(() => undefined);
        return await Promise.all([acts, waits].map((handle) => handle.state().catch(() => "unread")));
      };
      await expect.poll(approve, { timeout: 30_000, interval: 50 }).toStrictEqual(["completed", "completed"]);
      const inputs = ['{"text":"a"}', '{"text":"b"}'];
      for (const { deck } of desks) expect(deck.inputsOf("notes.write")).toStrictEqual(inputs);
    });
  },
  { max_connections: "25" },
);
