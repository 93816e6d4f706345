// A process that lives long writes segment after segment: what is read whole after a crash stays short.
import { expect, test } from "vitest";
import { openDesk, outputOf, reopenDesk, traceOf } from "../../test-data/call-desk.ts";
import { readTrace } from "../trace/read-trace.ts";

const write = (n: number) => ({ tool: "notes.write", input: { n } });

test("a segment that is full is followed by the next, which names it, and is sealed", async () => {
  const desk = openDesk({ limits: { segmentRecords: 5 } });
  for (let n = 0; n < 10; n++) expect((await desk.call(write(n))).type).toBe("completed");
  expect(desk.seat.segments).toHaveLength(5);
  await desk.seat.close();
  const { status, segments } = await desk.seat.verify();
  expect(status).toBe("ok");
  expect(segments.map(({ verification }) => verification)).toMatchObject(
    Array.from({ length: 5 }, () => ({ status: "ok", count: 5 })),
  );
});

test("a call ends in the segment it began in, which is sealed when its last one has", async () => {
  const slow = Promise.withResolvers<unknown>();
  const desk = openDesk({
    limits: { segmentRecords: 4 },
    deed: (input) => ((input as { n: number }).n === 0 ? slow.promise : "done"),
  });
  const first = desk.call(write(0));
  for (let n = 1; n < 6; n++) await desk.call(write(n));
  const before = await desk.seat.verify();
  expect(before.segments.map(({ verification }) => verification.status)).toStrictEqual([
    "open",
    "ok",
    "open",
  ]);
  slow.resolve("late");
  expect(outputOf(await first)).toBe("late");
  const after = await desk.seat.verify();
  expect(after.segments.map(({ verification }) => verification.status)).toStrictEqual(["ok", "ok", "open"]);
  await desk.seat.close();
  expect((await desk.seat.verify()).status).toBe("ok");
});

test("calls at once share the next segment, and none is lost", async () => {
  const desk = openDesk({ limits: { segmentRecords: 3 } });
  const outcomes = await Promise.all(Array.from({ length: 50 }, (_, n) => desk.call(write(n))));
  expect(outcomes.every(({ type }) => type === "completed")).toBe(true);
  for (let n = 50; n < 60; n++) await desk.call(write(n));
  await desk.seat.close();
  const { status, segments } = await desk.seat.verify();
  expect({ status, named: new Set(segments.map(({ stream }) => stream)) }).toStrictEqual({
    status: "ok",
    named: new Set(desk.seat.segments),
  });
  const kinds = (await desk.records()).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "call.settled")).toHaveLength(60);
});

test("each segment is a trace of its own", async () => {
  const desk = openDesk({ limits: { segmentRecords: 3 } });
  for (let n = 0; n < 3; n++) await desk.call(write(n));
  await desk.seat.close();
  for (const segment of desk.seat.segments) {
    const lines: string[] = [];
    for await (const line of desk.seat.trace(segment)) lines.push(line);
    expect((await readTrace(lines.join("\n"))).verification).toMatchObject({ status: "ok", count: 3 });
  }
  expect((await readTrace(await traceOf(desk.seat))).verification).toMatchObject({ status: "ok" });
});

test("after a crash every segment that was left is settled", async () => {
  const desk = openDesk({
    limits: { segmentRecords: 4 },
    deed: (input) => ((input as { n: number }).n % 3 === 0 ? new Promise(() => {}) : "done"),
  });
  for (let n = 0; n < 12; n++) {
    const call = desk.call({ tool: "notes.put", input: { n } });
    if (n % 3 !== 0) await call;
  }
  await expect.poll(() => desk.deck.runs.length).toBe(12);
  await desk.store.die();
  const next = reopenDesk(desk, { deed: () => "again" });
  const { settled } = await next.seat.open();
  expect(settled.map(({ outcome, by }) => `${outcome} by ${by}`)).toStrictEqual(
    Array.from({ length: 4 }, () => "completed by retry"),
  );
  expect((await next.seat.verify()).status).toBe("ok");
});
