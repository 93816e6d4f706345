// Whoever watches what other processes write is served by one question for everybody in the process, and relies on no notification.
import { hashText, type RuntimeEvent } from "@spfunctions/contracts";
import { type Head, randomIds, type Store, watchingOf } from "@spfunctions/kernel";
import { describe, expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../../kernel/test-data/call-clock.ts";
import { FaultyStore } from "../../../../kernel/test-data/call-store.ts";
import {
  asking,
  levelOf,
  openRunDesk,
  type RunDesk,
  saying,
  write,
} from "../../../../kernel/test-data/run-desk.ts";
import { deaf } from "../../../test/deaf-store.ts";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { statementsIn } from "../../../test/statements-in.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const options = { script: saying([write("a")], "done"), levels: levelOf(asking), ids: randomIds };
const quiet = { renewMs: 3_600_000, leaseMs: 3_600_000 };

describePostgres(
  "watching on PostgreSQL",
  (postgres) => {
    const open = async (url: string) => {
      const store = await openPostgresStore({ url, ...quiet });
      onTestFinished(() => store.close());
      return store;
    };

    const deskOn = (store: Store, clock = new ManualClock()): RunDesk => {
      const desk = openRunDesk({ ...options, store: new FaultyStore(store), clock });
      onTestFinished(() => desk.runs.close());
      return desk;
    };

    /** Lets time pass as it would, a question to the server at a time; gives back the watcher's statements of a second, on average. */
    const statementsOf = async (
      { clock, store }: { readonly clock: ManualClock; readonly store: Store },
      seconds: number,
      act: (tick: number) => unknown,
    ) => {
      const watching = watchingOf(store, clock);
      const before = ofWatcher().length;
      for (let tick = 0; tick < seconds * 10; tick += 1) {
        await act(tick);
        const asked = questions();
        const isTime = watching.size > 0 && clock.waits.some((left) => left <= 100);
        clock.advance(100);
        // What is asked is waited for, and whatever is read of what has moved.
        const isAsked = () => !isTime || questions() > asked;
        const isWaiting = () => watching.size === 0 || clock.waits.some((left) => left <= 425);
        await expect.poll(() => isAsked() && isWaiting(), { interval: 1, timeout: 20_000 }).toBe(true);
      }
      return (ofWatcher().length - before) / seconds;
    };
    const ofWatcher = () => statementsIn(postgres()).filter((line) => line.startsWith("watcher "));
    const questions = () => ofWatcher().filter((line) => line.includes("execute moved")).length;

    describe("1,000 watchers in a process", () => {
      test("of 40 runs that wait, each watched and waited for, cost at most 10 statements a second while some go on; each sees all, once", async () => {
        const { url } = await postgres().newDatabase();
        const driving = deskOn(await open(url));
        const clock = new ManualClock();
        const watching = deskOn(deaf(await open(`${url}&application_name=watcher`)), clock);
        const started = await Promise.all(Array.from({ length: 40 }, () => driving.start()));
        await Promise.all(started.map((handle) => handle.wait({ for: "rest" })));
        const questionsAsked = await driving.operator.list();
        const seen: RuntimeEvent[][] = [];
        const handles = await Promise.all(started.map(({ runId }) => watching.runs.get(runId)));
        const watchers = Array.from({ length: 1000 }, async (_, at) => {
          const handle = handles[at % 40] as (typeof handles)[number];
          const events: RuntimeEvent[] = [];
          if (at < 960) seen[at] = events;
          if (at >= 960) await handle.wait();
          else for await (const event of handle.stream()) events.push(event);
        });
        await expect
          .poll(() => seen.filter((events) => events.length > 0).length, { timeout: 60_000 })
          .toBe(960);
        await expect.poll(() => watchingOf(watching.store, clock).size, { timeout: 20_000 }).toBe(80);
        expect(await statementsOf(watching, 3, () => undefined)).toBeLessThanOrEqual(3);
        let answered = 0;
        const some = await statementsOf(watching, 4, async (tick) => {
          if (tick % 2 === 1) return;
          const approval = questionsAsked[answered++];
          await driving.operator.approve(approval?.approvalId ?? "");
          const handle = started.find(({ runId }) => runId === approval?.runId);
          await handle?.wait();
        });
        expect(some).toBeLessThanOrEqual(10);
        await inTurn(questionsAsked.slice(answered), ({ approvalId }) =>
          driving.operator.approve(approvalId),
        );
        await Promise.all(started.map((handle) => handle.wait()));
        await statementsOf(watching, 1, () => undefined);
        await Promise.all(watchers);
        const told = new Map(
          await Promise.all(started.map(async ({ runId }) => [runId, await driving.shown(runId)] as const)),
        );
        for (const [at, events] of seen.entries())
          expect(events).toStrictEqual(told.get(started[at % 40]?.runId as never));
        // When nobody watches, nothing is asked.
        expect(clock.waiting).toBe(0);
        expect(watchingOf(watching.store, clock).size).toBe(0);
      }, 240_000);

      test("of 1,000 streams cost one statement each time, and every one that moves is told of, whichever", async () => {
        const { url } = await postgres().newDatabase();
        const [writing, beside] = [await open(url), deaf(await open(`${url}&application_name=watcher`))];
        const clock = new ManualClock();
        const genesis = hashText("the beginning");
        const names = Array.from({ length: 1000 }, (_, at) => `run-${at}`);
        const heads = new Map<string, Head & { readonly epoch: number }>();
        await Promise.all(
          names.map(async (stream) => {
            const lease = await writing.lease(stream, "a", genesis);
            if (lease.type === "leased") heads.set(stream, { ...lease.head, epoch: lease.epoch });
          }),
        );
        const told: string[] = [];
        const watching = watchingOf(beside, clock);
        const stops = names.map((stream) =>
          watching.watch([{ type: "stream", accountId: "a", stream, seq: 0 }], () => told.push(stream)),
        );
        const moving = names.filter((_, at) => at % 7 === 0);
        const spent = await statementsOf({ clock, store: beside }, 2, async (tick) => {
          const stream = moving[tick];
          const head = stream === undefined ? undefined : heads.get(stream);
          if (stream === undefined || head === undefined) return;
          const record = { seq: 1, prev: head.hash, hash: hashText(stream), text: "{}", content: [] };
          const appends = [{ stream, epoch: head.epoch, records: [record] }];
          await writing.commit({ durability: "process", now: 1, appends });
        });
        expect(spent).toBeLessThanOrEqual(3);
        await statementsOf({ clock, store: beside }, 1, () => undefined);
        expect(told.toSorted()).toStrictEqual(moving.slice(0, 20).toSorted());
        for (const stop of stops) stop();
        expect([watching.size, clock.waiting]).toStrictEqual([0, 0]);
      }, 120_000);
    });

    test("goes on through an outage of the server: what was written meanwhile is seen after it, once and in order", async () => {
      const { url } = await postgres().newDatabase();
      const driving = deskOn(await open(url));
      const clock = new ManualClock();
      const watching = deskOn(deaf(await open(`${url}&application_name=watcher`)), clock);
      const handle = await driving.start();
      const { approvals } = await handle.wait({ for: "rest" });
      const beside = await watching.runs.get(handle.runId);
      const events: RuntimeEvent[] = [];
      const watched = (async () => {
        for await (const event of beside.stream()) events.push(event);
      })();
      const waited = beside.wait();
      await expect.poll(() => events.length).toBeGreaterThan(0);
      await postgres().stop("immediate");
      for (let tick = 0; tick < 10; tick += 1) {
        clock.advance(500);
        await new Promise(setImmediate);
      }
      await postgres().start();
      const approve = () =>
        driving.operator.approve(approvals[0]?.approvalId ?? "").then(
          () => true,
          () => false,
        );
      await expect.poll(approve, { timeout: 30_000 }).toBe(true);
      const next = async () => {
        driving.clock.advance(1000);
        clock.advance(500);
        return await Promise.race([
          waited.then(({ status }) => status),
          new Promise((resolve) => setTimeout(resolve, 50, "pending")),
        ]);
      };
      await expect.poll(next, { timeout: 60_000 }).toBe("completed");
      await expect
        .poll(async () => (clock.advance(500), events.at(-1)?.type), { timeout: 30_000 })
        .toBe("runtime.completed");
      await watched;
      expect(events).toStrictEqual(await driving.shown(handle.runId));
    }, 120_000);
  },
  { log_statement: "all", log_line_prefix: "%a " },
);
