import { TimeoutError } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { failingReader, noon, sampleReader, sampleRow } from "../../test-data/sample-world.ts";
import { rowsByTick } from "./rows-by-tick.ts";

const rain = sampleRow();
const far = sampleRow({ venue: "far", synthetic: false });

test("each venue is asked once a tick, however many read at once", async () => {
  const clock = new ManualClock(noon);
  const reader = sampleReader("embedded", [rain]);
  const rows = rowsByTick([reader], clock);
  const [one, other] = await Promise.all([rows.current(), rows.current()]);
  clock.advance(59_999);
  expect(await rows.current()).toBe(one);
  expect(other).toBe(one);
  expect(reader.asked.rows).toBe(1);
  clock.advance(1);
  expect(await rows.current()).toEqual({
    at: noon + 60_000,
    rows: [rain],
    unavailable: [],
    synthetic: true,
  });
  expect(reader.asked.rows).toBe(2);
});

test("what is known and what is current are one value where nobody real is asked", async () => {
  const reader = sampleReader("embedded", [rain]);
  const rows = rowsByTick([reader], new ManualClock(noon));
  const first = await rows.known();
  expect(await rows.current()).toBe(first);
  expect(await rows.known()).toBe(first);
  expect(reader.asked.rows).toBe(1);
});

test("what is known is one value until a real venue has been read, and what is current from then on", async () => {
  const clock = new ManualClock(noon);
  const rows = rowsByTick(
    [sampleReader("embedded", [rain]), sampleReader("far", [far], { synthetic: false })],
    clock,
  );
  const unread = await rows.known();
  expect(await rows.known()).toBe(unread);
  const current = await rows.current();
  expect(await rows.known()).toBe(current);
  clock.advance(60_000);
  const older = await rows.known();
  expect([older.at, older.rows]).toEqual([noon + 60_000, [rain, far]]);
  expect(await rows.known()).toBe(older);
  expect(await rows.current()).not.toBe(older);
});

test("a reading that ends in a later tick than it began is known, and is not current", async () => {
  const clock = new ManualClock(noon);
  const { promise, resolve } = Promise.withResolvers<readonly (typeof far)[]>();
  const slow = sampleReader("far", [], { synthetic: false, rows: () => promise });
  const rows = rowsByTick([sampleReader("embedded", [rain]), slow], clock);
  const begun = rows.current();
  clock.advance(60_000);
  resolve([far]);
  expect((await begun).at).toBe(noon);
  expect(await rows.known()).toMatchObject({ at: noon + 60_000, rows: [rain, far] });
});

test("a venue that failed is asked again in the next tick, and not before", async () => {
  const clock = new ManualClock(noon);
  let asked = 0;
  const rows = async () => {
    asked += 1;
    if (asked === 1) throw new TimeoutError("too slow");
    return [far];
  };
  const read = rowsByTick([sampleReader("embedded", [rain]), failingReader("far", 0, { rows })], clock);
  expect((await read.current()).unavailable).toEqual([{ venue: "far", code: "timeout" }]);
  expect((await read.current()).unavailable).toEqual([{ venue: "far", code: "timeout" }]);
  clock.advance(60_000);
  expect(await read.current()).toMatchObject({ rows: [rain, far], unavailable: [] });
});

test("what is known asks no real venue, and has its markets once somebody else has read them", async () => {
  const clock = new ManualClock(noon);
  const real = sampleReader("far", [far], { synthetic: false });
  const rows = rowsByTick([sampleReader("embedded", [rain]), real], clock);
  expect((await rows.known()).rows).toEqual([rain]);
  expect(real.asked.rows).toBe(0);
  await rows.current();
  clock.advance(600_000);
  const known = await rows.known();
  expect(known.rows).toEqual([rain, far]);
  expect(real.asked.rows).toBe(1);
});
