// J2: a disk that is full, or a database that somebody else has locked, stops no run for good, and nothing happens twice.
import { writeFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
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
import { dataFolder } from "../../../test/data-folder.ts";
import { smallDisk } from "../../../test/small-disk.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

/** One that acts, and one that waits for a person. */
async function runsIn(folder: string) {
  const clock = new ManualClock();
  const acting = Promise.withResolvers<object>();
  const store = await openSqliteStore({ folder });
  onTestFinished(() => store.close());
  const [active, waiting] = [generous, asking].map((policy, at) => {
    const script = saying([write("a")], [write("b")], "done");
    const deck = new Deck(() => (at === 0 ? acting.promise : { done: true }));
    const levels = levelOf(policy);
    const desk = openRunDesk({ script, levels, clock, deck, store: new FaultyStore(store), life: at + 1 });
    onTestFinished(() => desk.runs.close());
    return desk;
  }) as [ReturnType<typeof openRunDesk>, ReturnType<typeof openRunDesk>];
  const [acts, waits] = [await active.start(), await waiting.start()];
  await expect.poll(() => active.deck.runs.length, { timeout: 20_000 }).toBe(1);
  await waits.wait({ for: "rest" });
  const approveAll = async () => {
    const asked = await waiting.operator.list().catch(() => []);
    for (const { approvalId } of asked) await waiting.operator.approve(approvalId).catch(() => undefined);
  };
  return {
    acting,
    approveAll,
    pass: async (seconds: number) => {
      for (let at = 0; at < seconds; at += 1) {
        clock.advance(1000);
        await new Promise(setImmediate);
      }
    },
    /** How far both have come a second later, once whoever is asked has said yes, and what their tools have done. */
    ends: async () => {
      clock.advance(1000);
      await approveAll();
      const states = await Promise.all([acts, waits].map((handle) => handle.state().catch(String)));
      return [active, waiting].map(({ deck }, at) => [states[at], ...deck.inputsOf("notes.write")]);
    },
  };
}

const ended = ["completed", '{"text":"a"}', '{"text":"b"}'];
const patiently = { timeout: 30_000, interval: 20 };

describe("runs in a data folder go on by themselves", () => {
  test("once a full disk has room again", async ({ skip }) => {
    const folder = smallDisk(2048, skip);
    const { acting, approveAll, pass, ends } = await runsIn(folder);
    const filler = join(folder, "filler");
    for (let size = 1 << 20; size >= 1; size >>= 1) {
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: "a" });
      } catch {
        // Less then.
      }
    }
    acting.resolve({ done: true });
    await approveAll();
    await pass(20);
    rmSync(filler);
    await expect.poll(ends, patiently).toStrictEqual([ended, ended]);
  }, 60_000);

  test("once nobody has locked the database any more", async () => {
    const folder = dataFolder();
    const { acting, pass, ends } = await runsIn(folder);
    const other = new DatabaseSync(join(folder, "simplefunctions.db"));
    other.exec("BEGIN IMMEDIATE");
    acting.resolve({ done: true });
    await pass(2);
    other.exec("ROLLBACK");
    other.close();
    await expect.poll(ends, patiently).toStrictEqual([ended, ended]);
  }, 60_000);
});
