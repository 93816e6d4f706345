import { TimeoutError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { day, failingReader, noon, sampleReader, sampleRow } from "../../test-data/sample-world.ts";
import type { MarketRow } from "../venue/market.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { rowsByTick } from "./rows-by-tick.ts";
import { openPast } from "./open-past.ts";
import { takeTurns } from "./turns.ts";
import { deltaSince } from "./world-delta.ts";

const at = (ticker: string, lastCents: number, over: Partial<MarketRow> = {}) =>
  sampleRow({ ticker, lastCents, ...over });

const before = [at("A", 41), at("B", 50), at("C", 60), at("OLD", 70)];
const after = [at("A", 61), at("B", 45), at("C", 60), at("NEW", 30)];
const telling = sampleReader("embedded", after, { rowsAt: async () => before });

function openDeltas(clock: ManualClock, ...readers: VenueReader[]) {
  const rows = rowsByTick(readers, clock);
  const turn = takeTurns();
  const past = openPast(readers, turn);
  const since = deltaSince({
    readers,
    rows,
    past,
    turn,
    activityAt: async () => () => null,
    matchesOf: () => [],
  });
  return { rows, since };
}

const delta = async (...readers: VenueReader[]) => {
  const { rows, since } = openDeltas(new ManualClock(noon), ...readers);
  await rows.current();
  return await since(noon - day);
};

describe("what changed since a time", () => {
  test("is indices and regime before and after, movers since, and what opened and closed", async () => {
    const short = { venue: "embedded", title: "Will it rain in Lisbon?", synthetic: true };
    expect(await delta(telling)).toEqual({
      at: noon,
      synthetic: true,
      indices: {
        before: { disagreement: 3.4, breadth: 100, activity: null },
        after: { disagreement: 3.4, breadth: 75, activity: null },
      },
      regime: { before: "thin", after: "thin" },
      movers: [
        { ...short, ticker: "A", priceCents: 61, moveCents: 20 },
        { ...short, ticker: "B", priceCents: 45, moveCents: -5 },
      ],
      opened: { count: 1, items: [{ ...short, ticker: "NEW" }] },
      closed: { count: 1, items: [{ ...short, ticker: "OLD" }] },
      without: [],
      unavailable: [],
    });
  });

  test("leaves out a venue that cannot tell its past, and names it", async () => {
    const real = sampleReader("far", [sampleRow({ venue: "far", synthetic: false })], { synthetic: false });
    expect(await delta(telling, real)).toEqual({ ...(await delta(telling)), without: ["far"] });
  });

  test("compares only venues that could say both how they were and how they are", async () => {
    const far = [sampleRow({ venue: "far" })];
    const rowsAt = async () => far;
    const unavailable = [{ venue: "far", code: "timeout" }];
    const expected = { ...(await delta(telling)), unavailable };
    const fault = new TimeoutError("too slow");
    expect(await delta(telling, failingReader("far", fault, { rowsAt }))).toEqual(expected);
    const forgetful = sampleReader("far", far, {
      rowsAt: () => Promise.reject(fault),
    });
    expect(await delta(telling, forgetful)).toEqual(expected);
  });

  test("names the most traded five of many, and counts all", async () => {
    const many = Array.from({ length: 9 }, (_, place) => at(`N${place}`, 50, { dayVolume: place }));
    const { opened } = await delta(sampleReader("embedded", many, { rowsAt: async () => [] }));
    expect([opened.count, opened.items.map(({ ticker }) => ticker)]).toEqual([
      9,
      ["N8", "N7", "N6", "N5", "N4"],
    ]);
  });

  test("is computed once for each tick of then and of now, also for all who ask at once", async () => {
    const clock = new ManualClock(noon);
    const asked: number[] = [];
    const rowsAt = async (then: number) => {
      asked.push(then);
      return before;
    };
    const { since } = openDeltas(clock, sampleReader("embedded", after, { rowsAt }));
    const [one, other] = await Promise.all([since(noon - day), since(noon - day + 59_999)]);
    expect(other).toBe(one);
    expect(await since(noon - day + 60_000)).not.toBe(one);
    expect(asked).toEqual([noon - day, noon - day + 60_000]);
    clock.advance(60_000);
    expect(await since(noon - day)).toEqual({ ...one, at: noon + 60_000 });
  });

  test("is asked for again where a venue could not tell", async () => {
    let isDown = true;
    const rowsAt = async () => {
      if (isDown) throw new TimeoutError("too slow");
      return [sampleRow({ venue: "far" })];
    };
    const far = sampleReader("far", [sampleRow({ venue: "far" })], { rowsAt });
    const { since } = openDeltas(new ManualClock(noon), telling, far);
    expect((await since(noon - day)).unavailable).toEqual([{ venue: "far", code: "timeout" }]);
    isDown = false;
    expect((await since(noon - day)).unavailable).toEqual([]);
  });
});
