// J2, J3: a PostgreSQL server that is stopped hard under active runs stops none of them for good, and nothing happens twice.
import { expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../../kernel/test-data/call-clock.ts";
import { Deck } from "../../../../kernel/test-data/call-deck.ts";
import { FaultyStore } from "../../../../kernel/test-data/call-store.ts";
import { openRunDesk, write } from "../../../../kernel/test-data/run-desk.ts";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

describePostgres("active runs through an outage of PostgreSQL", (postgres) => {
  test("thirty runs go on by themselves once the server is back, and each effect happens once", async () => {
    const { url } = await postgres().newDatabase();
    const clock = new ManualClock();
    let isLast = false;
    const desks = await Promise.all(
      [1, 2, 3].map(async (life) => {
        const store = await openPostgresStore({ url });
        onTestFinished(() => store.close());
        const desk = openRunDesk({
          life,
          clock,
          store: new FaultyStore(store),
          deck: new Deck(),
          // Active until the test says so: a call in every step.
          script: (_input, step) => (isLast ? "done" : [write(`${step}`)]),
        });
        onTestFinished(() => desk.runs.close());
        await desk.runs.open();
        return desk;
      }),
    );
    const started = await Promise.all(
      desks.flatMap((desk) => Array.from({ length: 10 }, async () => ({ desk, handle: await desk.start() }))),
    );
    const effects = () => desks.reduce((sum, { deck }) => sum + deck.runs.length, 0);
    await expect.poll(effects, { timeout: 20_000 }).toBeGreaterThan(60);
    await postgres().stop("immediate");
    // Every one of them has met the outage: what a tool did last cannot be written.
    let before = -1;
    await expect
      .poll(() => {
        const isStill = before === effects();
        before = effects();
        clock.advance(1000);
        return isStill;
      })
      .toBe(true);
    await postgres().start();
    const afterwards = effects();
    await expect
      .poll(
        () => {
          clock.advance(1000);
          return effects();
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(afterwards + 30);
    isLast = true;
    const states = async () => {
      clock.advance(1000);
      return await Promise.all(started.map(({ handle }) => handle.state()));
    };
    await expect.poll(states, { timeout: 40_000 }).toStrictEqual(started.map(() => "completed"));
    const keys = desks.flatMap(({ deck }) => deck.runs.map(({ idempotencyKey }) => idempotencyKey));
    expect(new Set(keys).size).toBe(keys.length);
    const labels = await Promise.all(started.map(({ desk, handle }) => desk.labels(handle.runId)));
    const settled = labels.flat().filter((label) => label === "call.settled completed");
    expect(settled).toHaveLength(keys.length);
  });
});
