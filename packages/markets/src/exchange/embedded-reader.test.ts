// The embedded venue shows what somebody real has done, and nothing of what is still to come.
import { beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { tradingFloor } from "../../test-data/trading-floor.ts";
import { openSimulation } from "../simulation/open-simulation.ts";
import { tickMs } from "../simulation/simulated-market.ts";
import { intervalMs, intervals } from "../venue/market.ts";
import { embeddedReader } from "./embedded-reader.ts";

const start = Date.UTC(2026, 10, 16, 9) + 20_000;
const day = 86_400_000;
const simulation = openSimulation({ seed: "reader", series: 12 });
const found = simulation.openAt(start).find((one) => {
  const quote = simulation.quoteAt(one, Math.floor(start / tickMs));
  return (
    quote !== undefined &&
    quote.askCents - quote.bidCents >= 3 &&
    one.closesAt > start + 2 * day &&
    one.opensAt < start - day
  );
});
if (found === undefined) throw new Error("the simulation has no market for these tests; take another seed");
const market = found;
const { ticker } = market;

let clock: ManualClock;
let floor: ReturnType<typeof tradingFloor>;
let reader: ReturnType<typeof embeddedReader>;
beforeEach(() => {
  clock = new ManualClock(start);
  floor = tradingFloor({ simulation, clock });
  reader = embeddedReader({ clock, live: floor.exchange, simulation });
});

const rowOf = async () => (await reader.rows()).find((row) => row.ticker === ticker);
const quoted = () => {
  const quote = simulation.quoteAt(market, Math.floor(clock.now() / tickMs));
  if (quote === undefined) throw new Error("the market is not open");
  return quote;
};
const buy = (key: string, limitCents: number | undefined, quantity = 10) =>
  floor.exchange.place("ann", key, { ticker, action: "buy", side: "yes", quantity, limitCents });

describe("the embedded venue", () => {
  test("is what the simulation says where nobody real has done anything", async () => {
    expect(await reader.rows()).toStrictEqual(simulation.rowsAt(start));
    const { depth, rules, ...row } = (await reader.market(ticker)) ?? {};
    expect(row).toStrictEqual(simulation.rowOf(market, start));
    expect([rules, depth?.bids[0]?.priceCents, depth?.asks[0]?.priceCents]).toStrictEqual([
      market.rules,
      quoted().bidCents,
      quoted().askCents,
    ]);
  });

  test("shows what somebody real has standing as the best price, in the list as in the detail", async () => {
    const { bidCents } = quoted();
    await buy("1", bidCents + 1);
    const row = await rowOf();
    expect(row).toMatchObject({ bidCents: bidCents + 1, askCents: quoted().askCents });
    const { depth, rules: _, ...detail } = (await reader.market(ticker)) ?? {};
    expect(detail).toStrictEqual(row);
    expect(depth?.bids[0]).toStrictEqual({ priceCents: bidCents + 1, quantity: 10 });
  });

  test("counts what somebody real has traded within a day, and not what is older", async () => {
    const before = (await rowOf())?.dayVolume ?? 0;
    const { filled } = await buy("1", undefined, 7);
    expect([filled, (await rowOf())?.dayVolume]).toStrictEqual([7, before + 7]);
    const expectAfter = async (ms: number, real: number) => {
      clock.jump(ms);
      const { dayVolume: simulated } = simulation.rowOf(market, clock.now());
      expect((await rowOf())?.dayVolume).toBe(simulated + real);
    };
    await expectAfter(day - tickMs, 7);
    await expectAfter(2 * tickMs, 0);
  });

  test("shows nothing of the paper ledger", async () => {
    const before = [await reader.rows(), await reader.market(ticker)];
    const paper = floor.open({ ledger: "paper" });
    await paper.place("ann", "1", { ticker, action: "buy", side: "yes", quantity: 7 });
    expect([await reader.rows(), await reader.market(ticker)]).toStrictEqual(before);
  });

  test("knows no market that there is not", async () => {
    const range = { interval: "1h", from: start - day, to: start } as const;
    for (const unknown of ["", "__proto__", "constructor", `${ticker}0`])
      expect([await reader.market(unknown), await reader.candles(unknown, range)]).toStrictEqual([
        undefined,
        undefined,
      ]);
  });
});

describe("candles", () => {
  test("are widened by what somebody real has traded, and by nothing that was traded when they end or later", async () => {
    const minute = Math.floor(start / tickMs) * tickMs;
    const range = { interval: "1h", from: minute, to: start + 1 } as const;
    const [plain] = (await reader.candles(ticker, range)) ?? [];
    const { filledCents } = await buy("1", undefined, 1);
    const [widened, ...none] = (await reader.candles(ticker, range)) ?? [];
    expect(none).toStrictEqual([]);
    expect(widened).toStrictEqual({
      ...plain,
      highCents: Math.max(plain?.highCents ?? 0, filledCents),
      lowCents: Math.min(plain?.lowCents ?? 0, filledCents),
      volume: (plain?.volume ?? 0) + 1,
    });
    clock.jump(tickMs);
    await buy("2", undefined, 5);
    expect(await reader.candles(ticker, range)).toStrictEqual([widened]);
    const later = await reader.candles(ticker, { ...range, to: clock.now() + 1 });
    expect(later?.[0]?.volume).toBe((plain?.volume ?? 0) + 6);
  });

  test.each(intervals)(
    "of %s show nothing of the future, however far ahead is asked for",
    async (interval) => {
      const from = start - 20 * intervalMs[interval];
      const until = (to: number) => reader.candles(ticker, { interval, from, to });
      const now = await until(start + 1);
      expect(await until(start + 365 * day)).toStrictEqual(now);
      expect(now?.every(({ at }) => at <= start)).toBe(true);
      // And what is said now about what is over stays what it was.
      clock.jump(3 * intervalMs[interval]);
      const ended = (now ?? []).filter(({ at }) => at + intervalMs[interval] <= start);
      expect((await until(clock.now() + 1))?.slice(0, ended.length)).toStrictEqual(ended);
    },
  );
});

describe("nothing of the future is shown", () => {
  test("by the rows of a time that is ahead", async () => {
    expect(await reader.rowsAt?.(start + 100 * day)).toStrictEqual(simulation.rowsAt(start));
    expect(await reader.rowsAt?.(start - day)).toStrictEqual(simulation.rowsAt(start - day));
  });

  test("by a market before it has closed: its outcome is told at the close, and not a moment earlier", async () => {
    await buy("1", quoted().bidCents + 1);
    clock.jump(market.closesAt - 1 - clock.now());
    const last = await reader.market(ticker);
    expect([last?.status, "outcome" in (last ?? {})]).toStrictEqual(["open", false]);
    expect(JSON.stringify(await reader.rows())).not.toContain('"outcome"');
    clock.jump(1);
    expect(await reader.market(ticker)).toMatchObject({
      status: "settled",
      outcome: market.outcome,
      bidCents: null,
      askCents: null,
      depth: { bids: [], asks: [] },
    });
    expect(await rowOf()).toBeUndefined();
  });

  test("by a market that has not opened: it has no prices and nobody stands in it", async () => {
    clock.jump(market.opensAt - 1 - clock.now());
    expect(await reader.market(ticker)).toMatchObject({
      status: "upcoming",
      bidCents: null,
      askCents: null,
      lastCents: null,
      depth: { bids: [], asks: [] },
    });
  });

  test("by a clock that was set back: what was traded after it does not count", async () => {
    const before = await rowOf();
    clock.jump(3_600_000);
    await buy("1", undefined, 7);
    clock.jump(-3_600_000);
    expect((await rowOf())?.dayVolume).toBe(before?.dayVolume);
    const range = { interval: "1d", from: start - day, to: start + day } as const;
    expect(await reader.candles(ticker, range)).toStrictEqual(
      simulation.candles(market, { ...range, to: start + 1 }),
    );
  });
});
