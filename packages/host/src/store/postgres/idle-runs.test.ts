// A process in which nothing happens asks the server for next to nothing, however many accounts it looks after and however many
// streams there are; and what was left there is found although nobody was told of it.
import { randomIds } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../../kernel/test-data/call-clock.ts";
import { principalOf } from "../../../../kernel/test-data/call-desk.ts";
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

describePostgres(
  "a process on PostgreSQL",
  (postgres) => {
    const open = async (url: string) => {
      // Renewals are counted in idle.test.ts: one in five seconds.
      const store = await openPostgresStore({ url, renewMs: 3_600_000, leaseMs: 3_600_000 });
      onTestFinished(() => store.close());
      return store;
    };

    /** A process that looks after accounts, with a store and a clock of its own. */
    const desksFor = async (url: string, accounts: number, clock = new ManualClock()) => {
      const store = new FaultyStore(deaf(await open(url)));
      return Array.from({ length: accounts }, (_, at): RunDesk => {
        const desk = openRunDesk({ ...options, store, clock, principal: principalOf(`acct_${at + 1}`) });
        onTestFinished(() => desk.runs.close());
        return desk;
      });
    };

    test.each([1, 50])(
      "that looks after %i accounts in which runs wait sends at most 15 statements in 20 seconds besides its renewals",
      async (accounts) => {
        const { url } = await postgres().newDatabase();
        const clock = new ManualClock();
        // Another process holds runs in the same accounts.
        for (const one of [new ManualClock(), clock])
          await inTurn(await desksFor(url, accounts, one), async (desk) => {
            await desk.runs.open();
            await (await desk.start()).wait({ for: "rest" });
          });
        // What the beginning has still to send, such as wakes, is sent by then.
        let [before, last] = [0, -1];
        const isQuiet = () => {
          [last, before] = [before, statementsIn(postgres()).length];
          return before === last;
        };
        await expect.poll(isQuiet, { interval: 400, timeout: 20_000 }).toBe(true);
        const { waiting } = clock;
        for (let second = 0; second < 20; second += 1) {
          clock.advance(1000);
          // Whoever has looked waits again.
          await expect.poll(() => clock.waiting, { interval: 1, timeout: 20_000 }).toBe(waiting);
        }
        const sent = statementsIn(postgres()).slice(before);
        expect(sent.length).toBeGreaterThanOrEqual(10);
        expect(sent.length).toBeLessThanOrEqual(15);
      },
      120_000,
    );

    test("that hears of nothing finds an answer to a question, and what is wanted of its run, with a look of its own", async () => {
      const { url } = await postgres().newDatabase();
      const clock = new ManualClock();
      const [driving] = (await desksFor(url, 1, clock)) as [RunDesk];
      const [beside] = (await desksFor(url, 1)) as [RunDesk];
      const [answered, cancelled] = [await driving.start(), await driving.start()];
      const { approvals } = await answered.wait({ for: "rest" });
      await cancelled.wait({ for: "rest" });
      await beside.operator.approve(approvals[0]?.approvalId ?? "");
      await beside.runs.cancel(cancelled.runId);
      const states = async () => [await answered.state(), await cancelled.state()];
      expect(await states()).toStrictEqual(["waiting", "waiting"]);
      clock.advance(20_000);
      await expect.poll(states, { timeout: 20_000 }).toStrictEqual(["completed", "cancelled"]);
    });
  },
  { log_statement: "all" },
);
