// J2: what is owed is written into the segment its call began in, also when that is full by then, and the segment is sealed after it.
import { expect, test } from "vitest";
import { kindsOf, openDesk, outputOf } from "../../test-data/call-desk.ts";
import { atFirst } from "../../test-data/call-store.ts";
import { settlement, until } from "../../test-data/call-waiting.ts";

const write = (n: number) => ({ tool: "notes.write", input: { n }, idempotencyKey: `k${n}` });

test("a segment that was full before what it is owed was written is sealed once it is", async () => {
  const slow = Promise.withResolvers<unknown>();
  const desk = openDesk({
    limits: { segmentRecords: 2 },
    deed: (input) => ((input as { n: number }).n === 0 ? slow.promise : "done"),
  });
  const first = desk.call(write(0));
  await until(() => desk.deck.runs.length === 1);
  await desk.call(write(1));
  desk.store.fault = atFirst("call.settled", { type: "throw" });
  slow.resolve("late");
  expect(await settlement(first)).toMatchObject({ error: { code: "recovery_needed" } });
  await desk.call(write(2));
  expect(outputOf(await desk.call(write(0)))).toBe("late");
  await desk.seat.close();
  const kinds = await kindsOf(desk);
  const count = (kind: string) => kinds.filter((one) => one === kind).length;
  expect([count("call.intended"), count("call.settled")]).toStrictEqual([3, 3]);
  const { status, segments } = await desk.seat.verify();
  expect([status, segments.map(({ verification }) => verification.status)]).toStrictEqual([
    "ok",
    segments.map(() => "ok"),
  ]);
});
