import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openSimulation } from "./open-simulation.ts";
import { type SimulatedMarket, tickAt, tickMs } from "./simulated-market.ts";

const dayMs = 86_400_000;
const noon = Date.UTC(2026, 10, 16, 12);
const anyTime = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2099, 8, 1) });
/** One series of each template: enough to show all there is, and quick to open. */
const few = 40;

function digestOfDay(seed: string): string {
  const simulation = openSimulation({ seed, series: few });
  const hash = createHash("sha256");
  for (const market of simulation.openAt(noon).filter((_, at) => at % 25 === 0)) {
    hash.update(JSON.stringify(market));
    for (let tick = tickAt(noon); tick < tickAt(noon + dayMs); tick += 1) {
      hash.update(JSON.stringify(simulation.ordersAt(market, tick)));
    }
    hash.update(JSON.stringify(simulation.candles(market, { interval: "1h", from: noon, to: noon + dayMs })));
    hash.update(JSON.stringify(simulation.rowOf(market, noon + dayMs)));
  }
  return hash.digest("hex");
}

describe("the same seed", () => {
  test("gives the same markets and the same day, byte for byte, on every machine", () => {
    expect(digestOfDay("a fixed seed")).toBe(
      "16db322e0018a9018c5cd3a88bd5285104b20d6c4bf7f57e0b9171344db0b3f2",
    );
  });

  test("gives them whatever was asked before, and in whatever order", () => {
    const asked = openSimulation({ seed: "order", series: few });
    for (const day of [400, -30, 3, 0]) asked.rowsAt(noon + day * dayMs);
    const fresh = openSimulation({ seed: "order", series: few });
    expect(asked.rowsAt(noon + dayMs)).toEqual(fresh.rowsAt(noon + dayMs));
    expect(asked.openAt(noon)).toEqual(fresh.openAt(noon));
  });

  test("is what matters: another one gives another day", () => {
    expect(digestOfDay("another seed")).not.toBe(digestOfDay("a fixed seed"));
  });
});

describe("the markets that are open", () => {
  test("number about 3,000 by default, at any time from 2020 on", () => {
    const simulation = openSimulation({ seed: "count" });
    const counts = [2020, 2023, 2026, 2031, 2044, 2098].map(
      (year) => simulation.openAt(Date.UTC(year, year % 12, 1 + (year % 28), year % 24)).length,
    );
    expect(counts.filter((count) => count < 2800 || count > 3300)).toEqual([]);
  });

  test("number about 100,000 for 25,000 series, and no two share a ticker or a title", () => {
    const open = openSimulation({ seed: "many", series: 25_000 }).openAt(noon);
    expect(open.length).toBeGreaterThan(95_000);
    expect(open.length).toBeLessThan(110_000);
    expect(new Set(open.map(({ ticker }) => ticker)).size).toBe(open.length);
    expect(new Set(open.map(({ title }) => title)).size).toBe(open.length);
    expect(open.filter(({ ticker }) => !/^[A-Z0-9-]{1,40}$/.test(ticker))).toEqual([]);
  });

  test("come in the order of their tickers, are open, and are the same list within a tick", () => {
    fc.assert(
      fc.property(fc.string(), anyTime, (seed, ms) => {
        const simulation = openSimulation({ seed, series: few });
        const open = simulation.openAt(ms);
        const tickers = open.map(({ ticker }) => ticker);
        expect(tickers).toEqual(tickers.toSorted());
        expect(open.filter(({ opensAt, closesAt }) => ms < opensAt || ms >= closesAt)).toEqual([]);
        const ofTick = simulation.openAt(tickAt(ms) * tickMs);
        expect(simulation.openAt(tickAt(ms) * tickMs + tickMs - 1)).toBe(ofTick);
      }),
      { numRuns: 30 },
    );
  });

  test("leave when they close, and others come in the same tick", () => {
    const simulation = openSimulation({ seed: "turns", series: few });
    const first = simulation.openAt(noon).toSorted((a, b) => a.closesAt - b.closesAt)[0];
    const before = simulation.openAt((first?.closesAt ?? 0) - 1);
    const after = simulation.openAt(first?.closesAt ?? 0);
    const left = before.filter((market) => !after.includes(market));
    const came = after.filter((market) => !before.includes(market));
    expect(new Set(left.map(({ event }) => event))).toContain(first?.event);
    expect(new Set(left.map(({ closesAt }) => closesAt))).toEqual(new Set([first?.closesAt]));
    expect(new Set(came.map(({ opensAt }) => opensAt))).toEqual(new Set([first?.closesAt]));
  });

  test("are none where there is no such time", () => {
    const simulation = openSimulation({ seed: "none", series: few });
    const times = [Number.NaN, Infinity, -Infinity, 0, Date.UTC(2019, 11, 31), Date.UTC(2100, 0, 1)];
    expect(times.map((ms) => simulation.openAt(ms).length)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

describe("find", () => {
  test("gives every market by its ticker, also in a simulation that never listed it", () => {
    fc.assert(
      fc.property(fc.string(), anyTime, (seed, ms) => {
        const fresh = openSimulation({ seed, series: few });
        const open = openSimulation({ seed, series: few }).openAt(ms);
        expect(open.map(({ ticker }) => fresh.find(ticker))).toEqual(open);
      }),
      { numRuns: 30 },
    );
  });

  test("gives nothing for what is no ticker, and does not throw", () => {
    const simulation = openSimulation({ seed: "hostile", series: few });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string({ size: "large" })), (text) => {
        expect(simulation.find(text)).toBeUndefined();
      }),
    );
    const hostile = [
      "",
      "-",
      "---",
      "__proto__",
      "constructor",
      "WXHIGH",
      "null",
      "%00",
      "T".repeat(100_000),
    ];
    expect(hostile.filter((ticker) => simulation.find(ticker) !== undefined)).toEqual([]);
  });

  test("gives for a ticker that was changed only what is listed under just that name while it is open", () => {
    const simulation = openSimulation({ seed: "forged", series: few });
    const open = simulation.openAt(noon);
    fc.assert(
      fc.property(fc.nat(open.length - 1), fc.nat(40), fc.string({ maxLength: 3 }), (which, at, text) => {
        const ticker = open[which]?.ticker ?? "";
        const forged = ticker.slice(0, at) + text + ticker.slice(at + 1);
        const found = simulation.find(forged);
        const listed = simulation.openAt(found?.opensAt ?? noon).find((market) => market.ticker === forged);
        expect(found).toEqual(listed);
      }),
      { numRuns: 500 },
    );
    const [{ ticker } = { ticker: "" }] = open;
    const forged = [
      ticker.toLowerCase(),
      ` ${ticker}`,
      `${ticker}\n`,
      `${ticker}P0`,
      ticker.replace("-T", "-T0"),
    ];
    expect(forged.map((name) => simulation.find(name))).toEqual(forged.map(() => undefined));
  });

  test("gives nothing for a day that is none, a day on which the series does not close, or a year before 2020", () => {
    const simulation = openSimulation({ seed: "dates", series: few });
    const monthly = simulation.openAt(noon).find(({ ticker }) => ticker.startsWith("CPI-"));
    const found = (date: string) =>
      simulation.find((monthly?.ticker ?? "").replace(/-\d\d[A-Z]{3}\d\d-/, `-${date}-`));
    const dates = ["26FEB31", "26NOV00", "26XXX17", "99999"];
    expect(dates.filter((date) => found(date) !== undefined)).toEqual([]);
    const year = Array.from({ length: 365 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)));
    const codes = year.map((day) => {
      const [, date = "", month = "", years = ""] = /(\d\d) (\w{3}) \d\d(\d\d)/.exec(day.toUTCString()) ?? [];
      return `${years}${month.toUpperCase()}${date}`;
    });
    const strikes = Array.from({ length: 30 }, (_, tenth) => `T${Math.floor(tenth / 10) + 1}P${tenth % 10}`);
    const closing = codes.filter((date) =>
      strikes.some(
        (strike) => simulation.find(`${monthly?.event.slice(0, -7)}${date}-${strike}`) !== undefined,
      ),
    );
    expect(closing.length).toBe(12);
    const daily = simulation.openAt(noon).find(({ ticker }) => ticker.startsWith("SHARE-"));
    const shares = (date: string) =>
      Array.from({ length: 100 }, (_, above) =>
        simulation.find(`${daily?.event.slice(0, -7)}${date}-T${70 + above}`),
      ).filter((market) => market !== undefined).length;
    const known = ["00JAN01", "19DEC31", "20JAN01", "99DEC31"].map((date) => shares(date) > 0);
    expect(known).toEqual([false, false, true, true]);
  });
});

test("a copy of a market is as good as the market, and what no ticker names is refused", () => {
  const simulation = openSimulation({ seed: "copies", series: few });
  const market = simulation.openAt(noon)[0];
  if (market === undefined) throw new Error("no market is open");
  const copy: SimulatedMarket = { ...market, opensAt: 0, outcome: market.outcome === "yes" ? "no" : "yes" };
  expect(simulation.ordersAt(copy, tickAt(noon))).toEqual(simulation.ordersAt(market, tickAt(noon)));
  expect(() => simulation.quoteAt({ ...market, ticker: "NONE" }, tickAt(noon))).toThrow(RangeError);
});
