import { describe, expect, test } from "vitest";
import { noon, sampleReader, sampleRow, sampleRows, sampleSeat } from "../../test-data/sample-world.ts";

const rows = sampleRows({ lastCents: 50 }, {});
const embedded = sampleReader("embedded", rows, { rowsAt: async () => rows });
const real = sampleReader("far", [sampleRow({ venue: "far", synthetic: false })], { synthetic: false });
const { call } = sampleSeat([embedded, real]);

test("index.current says the three indices of now", async () => {
  expect(await call("index.current")).toEqual({
    at: "2026-01-02T12:00:00.000Z",
    synthetic: false,
    disagreement: 1.7,
    breadth: 100,
    activity: 50,
    markets: 3,
    unavailable: [],
  });
});

describe("index.history", () => {
  test("says them at the end of each interval, the oldest first, without venues that cannot tell", async () => {
    const point = { disagreement: 3.4, breadth: 100, activity: 50, markets: 2, synthetic: true };
    expect(await call("index.history", { interval: "1d", points: 2 })).toEqual({
      interval: "1d",
      synthetic: true,
      items: [
        { at: "2026-01-01T00:00:00.000Z", ...point },
        { at: "2026-01-02T00:00:00.000Z", ...point },
      ],
      without: ["far"],
      unavailable: [],
    });
  });

  test("has the hour that ends now as its last, and thirty unless said", async () => {
    const { items } = (await call("index.history", { interval: "1h" })) as { items: { at: string }[] };
    expect([items.length, items.at(-1)?.at]).toEqual([30, new Date(noon).toISOString()]);
  });

  test.each([{}, { interval: "1m" }, { interval: "1d", points: 91 }, { interval: "1d", points: 0 }])(
    "refuses %j",
    async (input) => {
      expect(await call("index.history", input)).toMatchObject({ code: "invalid_input" });
    },
  );
});
