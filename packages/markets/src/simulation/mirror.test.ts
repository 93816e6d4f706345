import { describe, expect, test } from "vitest";
import { openMirror } from "./mirror.ts";
import { mirroredTicker, originalTicker } from "./mirror-names.ts";
import { openSimulation } from "./open-simulation.ts";

const dayMs = 86_400_000;
const noon = Date.UTC(2026, 10, 16, 12);
const simulation = openSimulation({ seed: "mirror" });
let now = noon;
const clock = { now: () => now, elapsed: () => 0, after: () => () => {} };
const mirror = openMirror(simulation, clock);

describe("the mirror", () => {
  test("M2: lists about a tenth of the embedded markets under names of its own, and says that they are synthetic", async () => {
    const rows = await mirror.rows();
    const embedded = simulation.rowsAt(noon);
    expect(rows.length).toBeGreaterThan(embedded.length / 20);
    expect(rows.length).toBeLessThan(embedded.length / 5);
    expect([mirror.venue, mirror.synthetic]).toEqual(["mirror", true]);
    const known = new Set(embedded.flatMap(({ ticker, title, event }) => [ticker, title, event]));
    for (const { venue, synthetic, ticker, title, event } of rows) {
      expect([venue, synthetic]).toEqual(["mirror", true]);
      expect(ticker).toMatch(/^[A-Z0-9-]{1,40}$/);
      expect(title).toMatch(/^(?:On|In the \w+ (?:to|of)) \d{1,2} \w{3} \d{4}, will .+\?$/);
      expect([known.has(ticker), known.has(title), known.has(event)]).toEqual([false, false, false]);
    }
    expect(new Set(rows.map(({ ticker }) => ticker)).size).toBe(rows.length);
  });

  test("M1: is near the embedded price, but not at it", async () => {
    const gaps = (await mirror.rows()).map((row) => {
      const original = simulation.find(originalTicker(row.ticker));
      const embedded = original && simulation.rowOf(original, noon);
      expect([row.category, row.region, row.closesAt]).toEqual([
        embedded?.category,
        embedded?.region,
        embedded?.closesAt,
      ]);
      return Math.abs(
        ((row.bidCents ?? 0) + (row.askCents ?? 0) - (embedded?.bidCents ?? 0) - (embedded?.askCents ?? 0)) /
          2,
      );
    });
    expect(Math.max(...gaps)).toBeLessThanOrEqual(6);
    expect(gaps.filter((gap) => gap >= 1.5).length).toBeGreaterThan(gaps.length / 4);
  });

  test("gives a market with its depth and rules, and its candles up to now", async () => {
    const row = (await mirror.rows()).find(({ opensAt }) => noon - opensAt > dayMs);
    const detail = await mirror.market(row?.ticker ?? "");
    const { depth, rules, ...rest } = detail ?? {};
    expect(rest).toEqual(row);
    expect(rules).toMatch(/simulated\.$/);
    expect([depth?.bids[0]?.priceCents, depth?.asks[0]?.priceCents]).toEqual([row?.bidCents, row?.askCents]);
    const range = { interval: "1h", from: noon - dayMs, to: noon + dayMs } as const;
    const candles = await mirror.candles(row?.ticker ?? "", range);
    expect(candles?.map(({ at }) => at)).toEqual(
      Array.from({ length: 25 }, (_, hour) => noon - dayMs + hour * 3_600_000),
    );
    expect(candles?.at(-1)?.closeCents).toBe(row?.lastCents);
  });

  test("tells how a time was, and how a market ended, by the clock", async () => {
    const [row] = await mirror.rows();
    now = row?.closesAt ?? 0;
    const settled = await mirror.market(row?.ticker ?? "");
    const embedded = simulation.find(originalTicker(row?.ticker ?? ""));
    expect([settled?.status, settled?.outcome, settled?.depth]).toEqual([
      "settled",
      embedded?.outcome,
      { bids: [], asks: [] },
    ]);
    expect((await mirror.rows()).map(({ ticker }) => ticker)).not.toContain(row?.ticker);
    const before = await mirror.rowsAt?.(noon);
    now = noon;
    expect(before).toEqual(await mirror.rows());
  });

  test("M3: does not tell what is yet to come", async () => {
    expect(await mirror.rowsAt?.(noon + dayMs)).toBe(await mirror.rows());
  });

  test("knows nothing that it does not list", async () => {
    const listed = new Set((await mirror.rows()).map(({ ticker }) => ticker));
    const unlisted = simulation
      .openAt(noon)
      .map(({ ticker }) => mirroredTicker(ticker))
      .find((ticker) => !listed.has(ticker));
    const range = { interval: "1h", from: noon - dayMs, to: noon } as const;
    const tickers = [unlisted ?? "", simulation.openAt(noon)[0]?.ticker ?? "", "", "A-B-C-D", "__proto__"];
    const found = tickers.flatMap((ticker) => [mirror.market(ticker), mirror.candles(ticker, range)]);
    expect(new Set(await Promise.all(found))).toEqual(new Set([undefined]));
  });
});
