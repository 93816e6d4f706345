import { endsRun, RecoveryNeededError } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { type Desk, openDesk } from "../../test-data/call-desk.ts";
import { fates, meet, openBook } from "../../test-data/call-journal.ts";
import { gate, until } from "../../test-data/call-waiting.ts";
import { startOfEvents } from "./event-cursor.ts";
import { findRun, hasRunEnded } from "./find-run.ts";
import { readAccountEvents } from "./read-account-events.ts";

const write = (n: number) => ({ tool: "notes.write", input: { n } });

async function fewCalls(): Promise<Desk> {
  const desk = openDesk({ limits: { segmentRecords: 5 } });
  for (let n = 0; n < 8; n++) {
    await desk.call(write(n));
  }
  expect(desk.seat.segments).toHaveLength(4);
  return desk;
}

test("a run is found in any of the newest segments, right before its first event", async () => {
  const { store, events } = await fewCalls();
  for (const [runId, own] of Map.groupBy(events, (event) => event.runId)) {
    const cursor = (await findRun(store, "acct_1", runId, { segments: 4 })) as string;
    const all = await readAccountEvents(store, "acct_1", cursor, { limit: 100 });
    expect(all.events.map(({ event }) => event)).toStrictEqual(events.slice(events.indexOf(own[0] as never)));
    const { events: only } = await readAccountEvents(store, "acct_1", cursor, { limit: 100, runId });
    expect(only.map(({ event }) => event)).toStrictEqual(own);
  }
});

test("a run in an older segment, of another account or of nobody is not found (I1)", async () => {
  const { store, events } = await fewCalls();
  const first = events[0]?.runId as string;
  const last = events.at(-1)?.runId as string;
  expect(await findRun(store, "acct_1", first, { segments: 3 })).toBeUndefined();
  expect(await findRun(store, "acct_1", last, { segments: 1 })).toBeDefined();
  expect(await findRun(store, "acct_1", last, { segments: 0 })).toBeUndefined();
  expect(await findRun(store, "acct_2", first, { segments: 4 })).toBeUndefined();
  for (const nobody of ["run_nobody-at-all", last.slice(0, -1), "", "call"]) {
    expect(await findRun(store, "acct_1", nobody, { segments: 4 })).toBeUndefined();
  }
});

test("a run is found in whichever segment a cursor names, too, and only where it is one's own (I1)", async () => {
  const { store, events, seat } = await fewCalls();
  const runId = events[0]?.runId as string;
  const cursor = `${seat.segments[0]}:4.0,${seat.segments[3]}:2.0`;
  const found = `${seat.segments[0]}:2.0`;
  expect(await findRun(store, "acct_1", runId, { segments: 1, cursor })).toBe(found);
  expect(await findRun(store, "acct_1", runId, { segments: 1, cursor, keyId: "key_1" })).toBe(found);
  expect(await findRun(store, "acct_1", runId, { segments: 1, cursor, keyId: "key_2" })).toBeUndefined();
  expect(await findRun(store, "acct_2", runId, { segments: 1, cursor })).toBeUndefined();
  expect(await findRun(store, "acct_1", runId, { segments: 1, cursor: startOfEvents })).toBeUndefined();
  await expect(findRun(store, "acct_1", runId, { segments: 1, cursor: "nowhere" })).rejects.toMatchObject({
    code: "invalid_input",
  });
});

test("a run of another key is not found, and nobody is told whether it has ended", async () => {
  const { store, events } = await fewCalls();
  const runId = events[0]?.runId as string;
  const own = await findRun(store, "acct_1", runId, { segments: 4, keyId: "key_1" });
  expect(own).toBe(await findRun(store, "acct_1", runId, { segments: 4 }));
  expect(await findRun(store, "acct_1", runId, { segments: 4, keyId: "key_2" })).toBeUndefined();
  const after = (own as string).replace(/:.*/, ":5.0");
  expect(await hasRunEnded(store, "acct_1", runId, after, "key_1")).toBe(true);
  expect(await hasRunEnded(store, "acct_1", runId, after, "key_2")).toBe(false);
});

test("what somebody found out about a run later, in another segment, is not where it began", async () => {
  const desk = openDesk({
    limits: { segmentRecords: 3 },
    deed: () => {
      throw new RecoveryNeededError("nobody saw how it ended");
    },
  });
  await desk.call(write(0));
  const [effect] = await desk.seat.unknown();
  await desk.seat.resolve(effect?.effectId ?? "", { status: "completed", note: "it was seen" });
  expect(desk.seat.segments).toHaveLength(2);
  const { runId } = effect as { runId: string };
  expect(await findRun(desk.store, "acct_1", runId, { segments: 9 })).toBe(`${desk.seat.segments[0]}:2.0`);
});

test("a run has ended once its last event is before the cursor, whatever its end was", async () => {
  const book = openBook();
  for (const [n, fate] of fates.entries()) {
    await meet(book, fate, n);
  }
  const { store } = book;
  const { events } = await readAccountEvents(store, "acct_1", startOfEvents, { limit: 1000 });
  const told = new Set<string>();
  for (const { event, cursor } of events) {
    const { runId, type } = event;
    const isEnd = endsRun(event);
    expect([type, await hasRunEnded(store, "acct_1", runId, cursor)]).toStrictEqual([type, isEnd]);
    if (isEnd) told.add(runId);
  }
  expect(told.size).toBe(new Set(events.map(({ event }) => event.runId)).size);
  expect(await hasRunEnded(store, "acct_1", [...told][0] ?? "", startOfEvents)).toBe(false);
});

test("a run that goes on has not ended", async () => {
  const { promise, resolve } = gate();
  const desk = openDesk({ deed: () => promise });
  const call = desk.call(write(0));
  await until(() => desk.events.length === 4, "its beginning");
  const runId = desk.events[0]?.runId as string;
  const { cursor } = await readAccountEvents(desk.store, "acct_1", startOfEvents, { limit: 100 });
  expect(await hasRunEnded(desk.store, "acct_1", runId, cursor)).toBe(false);
  resolve();
  await call;
  expect(await hasRunEnded(desk.store, "acct_1", runId, cursor)).toBe(false);
  const rest = await readAccountEvents(desk.store, "acct_1", cursor, { limit: 100 });
  expect(await hasRunEnded(desk.store, "acct_1", runId, rest.cursor)).toBe(true);
});
