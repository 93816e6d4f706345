import { createMemoryStore } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { type MarketsOptions, openMarkets } from "./open-markets.ts";

const start = Date.UTC(2026, 10, 16, 9);
const open = async (over: Partial<MarketsOptions> = {}) =>
  await openMarkets({ store: createMemoryStore(), clock: new ManualClock(start), series: 6, ...over });

const venuesOf = async (over?: Partial<MarketsOptions>) =>
  (await open(over)).readers.map(({ venue, synthetic }) => [venue, synthetic]);
const rowsOf = async (over?: Partial<MarketsOptions>) => await (await open(over)).readers[0]?.rows();

describe("markets", () => {
  test("are the same for the same seed, in whatever process, and others for another", async () => {
    const rows = await rowsOf();
    expect(rows?.length).toBeGreaterThan(6);
    expect(await rowsOf()).toStrictEqual(rows);
    expect(await rowsOf({ seed: "another" })).not.toStrictEqual(rows);
  });

  test("are the embedded ones and their mirror, unless a real venue is named", async () => {
    const embedded = await venuesOf();
    expect([embedded[0], embedded.every(([, synthetic]) => synthetic)]).toStrictEqual([
      ["embedded", true],
      true,
    ]);
    expect(await venuesOf({ venues: { polymarket: {}, kalshi: {} } })).toStrictEqual([
      ...embedded,
      ["kalshi", false],
      ["polymarket", false],
    ]);
  });

  test("give each ledger what it was told to begin with", async () => {
    const { live, paper } = await open({ openingCents: { paper: 5 } });
    expect([
      (await live.portfolio("ann")).cashCents,
      (await paper.portfolio("ann")).cashCents,
      live.ledger,
      paper.ledger,
    ]).toStrictEqual([100_000, 5, "live", "paper"]);
  });

  test("show an order of somebody as the best price where it is one, and go on as it is filled", async () => {
    const clock = new ManualClock(start);
    const { live, readers, watch } = await open({ clock });
    const wide = (await readers[0]?.rows())?.find(
      ({ bidCents, askCents }) => bidCents !== null && askCents !== null && askCents - bidCents >= 3,
    );
    const { ticker = "", bidCents } = wide ?? {};
    const limitCents = (bidCents ?? 0) + 1;
    await live.place("ann", "key", { ticker, action: "buy", side: "yes", quantity: 3, limitCents });
    const ticks = watch.ticks({ tickers: [ticker] });
    expect((await ticks.next()).value).toMatchObject({ ticker, bidCents: limitCents, synthetic: true });
    await ticks.return();
  });
});
