// B22: how a call ended is shown with the record that opened it, however far back that is, or not at all.
import type { AgentEvent } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { type Desk, openDesk } from "../../test-data/call-desk.ts";
import { gate, until } from "../../test-data/call-waiting.ts";
import type { StoredRecord, StreamRange } from "../store/store.ts";
import { endOfEvents } from "./end-of-events.ts";
import { startOfEvents } from "./event-cursor.ts";
import { Openings } from "./openings.ts";
import { readAccountEvents } from "./read-account-events.ts";

const write = (n: number) => ({ tool: "notes.write", input: { n } });

/** Calls that all begin before any ends. */
async function manyAtOnce(count: number): Promise<{ desk: Desk; finish: () => Promise<void> }> {
  const { promise, resolve } = gate();
  const desk = openDesk({ deed: () => promise });
  const calls = Array.from({ length: count }, (_, n) => desk.call(write(n)));
  await until(() => desk.deck.runs.length === count, "their beginning");
  const finish = async () => {
    resolve();
    await Promise.all(calls);
  };
  return { desk, finish };
}

test("is found again for whoever comes between beginning and end, hundreds of records back", async () => {
  const { desk, finish } = await manyAtOnce(600);
  const cursor = await endOfEvents(desk.store, "acct_1");
  const begun = desk.events.length;
  await finish();
  const { events } = await readAccountEvents(desk.store, "acct_1", cursor, { limit: 5000 });
  expect(events.map(({ event }) => event)).toStrictEqual(desk.events.slice(begun));
  expect(new Set(events.map(({ event }) => ("tool" in event ? event.tool : "notes.write")))).toStrictEqual(
    new Set(["notes.write"]),
  );
});

test("is kept from page to page, bounded, and no longer than its call lasts", async () => {
  const { desk, finish } = await manyAtOnce(300);
  const openings = new Openings();
  const read: AgentEvent[] = [];
  const readAll = async (from: string) => {
    for (let cursor = from; ; ) {
      const page = await readAccountEvents(desk.store, "acct_1", cursor, { limit: 100, openings });
      read.push(...page.events.map(({ event }) => event));
      cursor = page.cursor;
      if (page.isCaughtUp) return cursor;
    }
  };
  const middle = await readAll(startOfEvents);
  expect(openings.size).toBe(256);
  await finish();
  const ranges: StreamRange[] = [];
  desk.store.beforeRead = (range) => void ranges.push(range);
  await readAll(middle);
  expect(openings.size).toBe(0);
  expect(read).toStrictEqual(desk.events);
  // Only for those that were too many to keep.
  const from = Number(middle.replace(/.*:(\d+)\..*/, "$1"));
  expect(ranges.filter((range) => (range.from ?? 1) < from - 1)).not.toHaveLength(0);
  expect(ranges.length).toBeLessThan(300);
});

const tampered: [string, (records: StoredRecord[], range: StreamRange) => StoredRecord[], string][] = [
  [
    "an end without a beginning",
    (records) => records.map((one) => ({ ...one, text: one.text.replace("call.intended", "call.intendet") })),
    "record 2 of SEGMENT is not what was written; verify the journal",
  ],
  [
    "a record that is missing",
    (records) => records.filter(({ seq }) => seq !== 2),
    "record 2 of SEGMENT is missing; verify the journal",
  ],
  [
    "a beginning that is missing",
    (records, { from }) => (from === 1 ? records.filter(({ seq }) => seq === 1) : records),
    "record 3 of SEGMENT ends a call that was never begun; verify the journal",
  ],
];

test.each(tampered)("nothing is made up from %s", async (_what, tamper, message) => {
  const desk = openDesk();
  await desk.call(write(1));
  const [segment = ""] = desk.seat.segments;
  desk.store.tamper = tamper;
  const from = message.includes("never begun") ? 3 : 1;
  const reading = readAccountEvents(desk.store, "acct_1", `${segment}:${from}.0`, { limit: 100 });
  await expect(reading).rejects.toMatchObject({
    code: "journal_corrupt",
    message: message.replace("SEGMENT", segment),
  });
});
