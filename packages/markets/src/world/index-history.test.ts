import { TimeoutError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { day, noon, sampleReader, sampleRow, sampleRows } from "../../test-data/sample-world.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { indexHistory } from "./index-history.ts";
import { matchMarkets } from "./match-markets.ts";
import { openPast } from "./open-past.ts";
import { titleReader } from "./title-words.ts";
import { takeTurns } from "./turns.ts";

const { signal } = new AbortController();

/** The history of some venues, where nobody knows what is usual. */
function historyOf(...readers: VenueReader[]) {
  const turn = takeTurns();
  const past = openPast(readers, turn);
  const readTitle = titleReader();
  return indexHistory({
    past,
    turn,
    activityAt: async () => () => null,
    matchesOf: (rows) => matchMarkets(rows, readTitle),
  });
}

const point = { disagreement: 3.4, breadth: 100, activity: null, markets: 1, synthetic: true };

describe("the indices of before", () => {
  test("are computed from how the venues were, each time once", async () => {
    const asked: number[] = [];
    const rowsAt = async (at: number) => {
      asked.push(at);
      return sampleRows({ lastCents: 50 });
    };
    const history = historyOf(sampleReader("embedded", [], { rowsAt }));
    const times = [noon - day, noon];
    const expected = { points: times.map((at) => ({ at, ...point })), unavailable: [] };
    expect(await history(times, signal)).toEqual(expected);
    expect(await history(times, signal)).toEqual(expected);
    expect(asked).toEqual(times);
  });

  test("are computed once for all who ask at once", async () => {
    const asked: number[] = [];
    const rowsAt = async (at: number) => {
      asked.push(at);
      return sampleRows({ lastCents: 50 });
    };
    const history = historyOf(sampleReader("embedded", [], { rowsAt }));
    const times = Array.from({ length: 12 }, (_, place) => noon - (12 - place) * day);
    const answers = await Promise.all([1, 2, 3].map(() => history(times, signal)));
    expect(answers.map(({ points }) => points.map(({ at }) => at))).toEqual([times, times, times]);
    expect(asked).toEqual(times);
  });

  test("are asked for again where nobody could tell", async () => {
    let isDown = true;
    const rowsAt = async () => {
      if (isDown) throw new TimeoutError("too slow");
      return sampleRows({ lastCents: 50 });
    };
    const history = historyOf(sampleReader("embedded", [], { rowsAt }));
    await expect(history([noon], signal)).rejects.toThrow("no venue could be read");
    isDown = false;
    expect(await history([noon], signal)).toEqual({ points: [{ at: noon, ...point }], unavailable: [] });
  });

  test("name a venue that could not be read, and are read again then", async () => {
    let asked = 0;
    const rowsAt = async () => {
      asked += 1;
      if (asked === 1) throw new TimeoutError("too slow");
      return [sampleRow({ venue: "far", lastCents: 50 })];
    };
    const readers = [
      sampleReader("embedded", [], { rowsAt: async () => sampleRows({ lastCents: 50 }) }),
      sampleReader("far", [], { rowsAt }),
    ];
    const history = historyOf(...readers);
    const unavailable = [{ venue: "far", code: "timeout" }];
    expect(await history([noon], signal)).toEqual({ points: [{ at: noon, ...point }], unavailable });
    expect(await history([noon], signal)).toEqual({
      points: [{ at: noon, ...point, disagreement: 1.7, markets: 2 }],
      unavailable: [],
    });
  });

  test("are none where no venue can tell, and end when nobody waits any more", async () => {
    expect(await historyOf(sampleReader("far", []))([noon], signal)).toEqual({
      points: [],
      unavailable: [],
    });
    const empty = sampleReader("embedded", [], { rowsAt: () => Promise.resolve([]) });
    const history = historyOf(empty);
    await expect(history([noon], AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  });
});
