import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../../../kernel/test-data/call-clock.ts";
import {
  kalshiBook,
  kalshiBookInCents,
  kalshiCandle,
  kalshiMarket,
  kalshiMarketInCents,
  kalshiQuietCandle,
} from "../../../test-data/venues/kalshi-answers.ts";
import { byPath, LocalVenue, sendJson, sendText, venueNoon } from "../../../test-data/venues/local-venue.ts";
import type { SkippedMarkets } from "../venue-options.ts";
import { openKalshi } from "./open-kalshi.ts";

let local: LocalVenue;
let clock: ManualClock;
let told: SkippedMarkets[];

beforeEach(async () => {
  local = await LocalVenue.open();
  clock = new ManualClock(venueNoon);
  told = [];
});

afterEach(() => local.close());

const open = () => openKalshi({ clock, baseUrl: local.url, log: (skipped) => told.push(skipped) });

const row = {
  venue: "kalshi",
  ticker: "KXFED-26DEC-T3.50",
  event: "KXFED-26DEC",
  title: "Will the upper bound of the federal funds rate be above 3.50% after the December meeting?",
  category: "economics",
  region: "us",
  tags: ["kxfed"],
  opensAt: Date.UTC(2026, 8, 1, 15),
  closesAt: Date.UTC(2026, 11, 9, 18, 59),
  synthetic: false,
  bidCents: 56,
  askCents: 58,
  lastCents: 57,
  dayAgoCents: 52,
  dayVolume: 8123,
  status: "open",
};

describe("rows", () => {
  test.each([
    ["dollars", kalshiMarket],
    ["cents", kalshiMarketInCents],
  ])("a market priced in %s is a row in whole cents", async (_, market) => {
    local.answer = byPath({ "/markets": { markets: [market], cursor: "" } });
    expect(await open().rows()).toEqual([row]);
    expect(local.asked).toEqual(["/markets?status=open&mve_filter=exclude&limit=200"]);
    expect(told).toEqual([]);
  });

  test("pages follow the cursor, and what is kept is not asked for again for 30 s", async () => {
    local.answer = (request, response) => {
      const isFirst = !request.url?.includes("cursor=");
      const ticker = isFirst ? "A-1" : "A-2";
      sendJson(response, { markets: [{ ...kalshiMarket, ticker }], cursor: isFirst ? "Cg w/+" : "" });
    };
    const kalshi = open();
    const both = await Promise.all([kalshi.rows(), kalshi.rows()]);
    expect(both.map((rows) => rows.map(({ ticker }) => ticker))).toEqual([
      ["A-1", "A-2"],
      ["A-1", "A-2"],
    ]);
    clock.advance(29_999);
    await kalshi.rows();
    expect(local.asked.length).toBe(2);
    expect(local.asked[1]).toContain("cursor=Cg+w%2F%2B");
    clock.advance(1);
    await kalshi.rows();
    expect(local.asked.length).toBe(4);
  });

  test.each([
    ["ticker", { ticker: undefined }],
    ["ticker", { ticker: "../exchange" }],
    ["title", { title: "a\0b" }],
    ["title", { title: "x".repeat(1_000_000) }],
    ["title", { title: 5 }],
    ["yes_bid_dollars", { yes_bid_dollars: "NaN" }],
    ["yes_bid_dollars", { yes_bid_dollars: "-0.10" }],
    ["yes_ask_dollars", { yes_ask_dollars: "1e30" }],
    ["yes_bid", { yes_bid_dollars: "0.60" }],
    ["last_price_dollars", { last_price_dollars: { toString: 1 } }],
    ["volume_24h_fp", { volume_24h_fp: "-5.00" }],
    ["status", { status: "constructor" }],
    ["market_type", { market_type: "scalar" }],
    ["close_time", { close_time: "2020-01-01T00:00:00Z" }],
    ["open_time", { open_time: null }],
  ])("a market whose %s is wrong is skipped and counted; the others come", async (reason, wrong) => {
    local.answer = byPath({
      "/markets": { markets: [kalshiMarket, { ...kalshiMarket, ticker: "B", ...wrong }] },
    });
    expect(await open().rows()).toEqual([row]);
    expect(told).toEqual([{ venue: "kalshi", skipped: 1, reasons: { [reason]: 1 } }]);
  });

  test.each([
    ["half a character", String.raw`"title":"\ud800"`],
    ["a number too large", `"last_price_dollars":1e999`],
    ["an integer that cannot be held", `"volume_24h_fp":9007199254740993000`],
    ["a prototype of its own", `"__proto__":{"ticker":"X"},"ticker":null`],
  ])("a market with %s costs only itself", async (_, member) => {
    const good = JSON.stringify(kalshiMarket);
    const names = /"([^"]+)":/g;
    const replaced = new Set([...member.matchAll(names)].map(([, name]) => name));
    const rest = Object.entries(kalshiMarket).filter(([name]) => !replaced.has(name));
    const wrong = `{${member},${JSON.stringify(Object.fromEntries(rest)).slice(1)}`;
    local.answer = (_request, response) => sendText(response, `{"markets":[${wrong},${good},null,7,[]]}`);
    expect(await open().rows()).toEqual([row]);
    expect(told.map(({ skipped }) => skipped)).toEqual([4]);
  });

  test.each([[{}], [[]], [null], [{ markets: {} }], [{ markets: [], cursor: 5 }]])(
    "a page of the wrong shape, %j, is upstream_error",
    async (answer) => {
      local.answer = byPath({ "/markets": answer });
      await expect(open().rows()).rejects.toMatchObject({
        code: "upstream_error",
        message: "kalshi: it answered with something that is no list of markets",
      });
    },
  );

  test("a failed reading is kept as long as a list", async () => {
    const kalshi = open();
    local.answer = (_, response) => response.writeHead(400).end();
    await expect(kalshi.rows()).rejects.toMatchObject({ code: "upstream_error" });
    local.answer = byPath({ "/markets": { markets: [] } });
    clock.advance(29_999);
    await expect(kalshi.rows()).rejects.toMatchObject({ code: "upstream_error" });
    clock.advance(1);
    expect(await kalshi.rows()).toEqual([]);
    expect(local.asked.length).toBe(2);
  });

  test("a page of more than anybody asked for is upstream_error", async () => {
    const markets = Array.from({ length: 25_001 }, () => 0);
    local.answer = byPath({ "/markets": { markets } });
    await expect(open().rows()).rejects.toMatchObject({
      code: "upstream_error",
      message: "kalshi: it answered with something that is no list of markets",
    });
  });

  test("what closed while the list was read is not open", async () => {
    const closed = { ...kalshiMarket, ticker: "B", status: "closed" };
    local.answer = byPath({ "/markets": { markets: [closed, kalshiMarket] } });
    expect(await open().rows()).toEqual([row]);
  });
});

describe("market", () => {
  const detail = {
    ...row,
    depth: {
      bids: [
        { priceCents: 56, quantity: 120 },
        { priceCents: 55, quantity: 20 },
        { priceCents: 54, quantity: 300 },
      ],
      asks: [
        { priceCents: 58, quantity: 75 },
        { priceCents: 59, quantity: 5 },
        { priceCents: 60, quantity: 500 },
      ],
    },
    rules:
      "If the upper bound is above 3.50%, the market resolves to Yes.\n\nThe source is the Federal Reserve.",
  };
  const path = "/markets/KXFED-26DEC-T3.50";

  test.each([
    ["dollars", kalshiMarket, kalshiBook],
    ["cents", kalshiMarketInCents, kalshiBookInCents],
  ])("in %s has its book, where a bid for no is an ask for yes", async (_, market, book) => {
    local.answer = byPath({ [path]: { market }, [`${path}/orderbook`]: book });
    expect(await open().market("KXFED-26DEC-T3.50")).toEqual(detail);
  });

  test("has the best prices of its book, which is newer than itself", async () => {
    const book = { orderbook_fp: { yes_dollars: [["0.10", "1.00"]], no_dollars: null } };
    local.answer = byPath({ [path]: { market: kalshiMarket }, [`${path}/orderbook`]: book });
    const market = await open().market("KXFED-26DEC-T3.50");
    expect([market?.bidCents, market?.askCents, market?.lastCents]).toEqual([10, null, 57]);
  });

  test.each([
    ["finalized", "yes", { status: "settled", outcome: "yes" }],
    ["finalized", "no", { status: "settled", outcome: "no" }],
    ["finalized", "void", { status: "settled" }],
    ["determined", "yes", { status: "closed" }],
    ["inactive", "", { status: "closed" }],
    ["initialized", "", { status: "upcoming" }],
  ])("that is %s with result %j is %j", async (status, result, expected) => {
    local.answer = byPath({ [path]: { market: { ...kalshiMarket, status, result } } });
    const market = await open().market("KXFED-26DEC-T3.50");
    expect(market).toEqual({
      ...detail,
      bidCents: null,
      askCents: null,
      depth: { bids: [], asks: [] },
      ...expected,
    });
  });

  test("that is not there is nothing, and a name that is none is not asked for", async () => {
    const kalshi = open();
    local.answer = byPath({});
    expect(await kalshi.market("NONE")).toBeUndefined();
    expect(await kalshi.market("../portfolio/balance")).toBeUndefined();
    expect(await kalshi.candles("..", { interval: "1h", from: 0, to: 1 })).toBeUndefined();
    expect(local.asked).toEqual(["/markets/NONE"]);
  });

  test("another market than the one asked for is upstream_error, for its candles too", async () => {
    local.answer = byPath({ "/markets/OTHER": { market: kalshiMarket } });
    const kalshi = open();
    const fault = {
      code: "upstream_error",
      message: "kalshi: it answered with another market than the one that was asked for",
      details: { reason: "other_market" },
    };
    await expect(kalshi.market("OTHER")).rejects.toMatchObject(fault);
    const range = { interval: "1h", from: 0, to: clock.now() } as const;
    await expect(kalshi.candles("OTHER", range)).rejects.toMatchObject(fault);
    expect(local.asked).toEqual(["/markets/OTHER", "/markets/OTHER"]);
  });

  test.each([
    ["a market whose title cannot be read", { market: { ...kalshiMarket, title: null } }, kalshiBook],
    ["a market whose market cannot be read", [], kalshiBook],
    ["something that is no book", { market: kalshiMarket }, { orderbook_fp: { yes_dollars: [["x", 1]] } }],
    ["something that is no book", { market: kalshiMarket }, []],
  ])("of the wrong shape is upstream_error: %s", async (what, market, book) => {
    local.answer = byPath({ [path]: market, [`${path}/orderbook`]: book });
    await expect(open().market("KXFED-26DEC-T3.50")).rejects.toMatchObject({
      code: "upstream_error",
      message: `kalshi: it answered with ${what}`,
    });
  });
});

describe("candles", () => {
  const path = "/series/KXFED/markets/KXFED-26DEC-T3.50/candlesticks";
  const at = Date.UTC(2026, 10, 17, 10);
  const seconds = at / 1_000;
  const answers = (candlesticks: unknown) => ({
    "/markets/KXFED-26DEC-T3.50": { market: kalshiMarket },
    [path]: { ticker: "KXFED-26DEC-T3.50", candlesticks },
  });

  test("of five minutes are made of minutes, named by their beginning, without what is wrong", async () => {
    const minutes = [
      kalshiCandle(seconds + 60, ["0.5000", "0.5300", "0.4900", "0.5200"], "2.00"),
      kalshiQuietCandle(seconds + 120),
      { ...kalshiCandle(seconds + 180, ["0.5200", "0.6000", "0.5100", "0.5550"], "3.50"), extra: 1 },
      kalshiCandle(seconds + 240, ["0.5200", "0.1000", "0.5100", "0.5550"], "3.50"),
      kalshiCandle(seconds + 250, ["x", "0.6000", "0.5100", "0.5550"], "3.50"),
      null,
      kalshiCandle(seconds + 300, ["0.5600", "0.5600", "0.5600", "0.5600"], "4.00"),
      kalshiCandle(seconds + 360, ["0.4000", "0.4000", "0.4000", "0.4000"], "1.00"),
    ];
    local.answer = byPath(answers(minutes));
    const range = { interval: "5m", from: at + 1, to: at + 600_000 } as const;
    expect(await open().candles("KXFED-26DEC-T3.50", range)).toEqual([
      { at, openCents: 50, highCents: 60, lowCents: 49, closeCents: 56, volume: 9 },
      { at: at + 300_000, openCents: 40, highCents: 40, lowCents: 40, closeCents: 40, volume: 1 },
    ]);
    expect(local.asked[1]).toBe(`${path}?start_ts=${seconds + 60}&end_ts=${seconds + 600}&period_interval=1`);
  });

  test("of days are made of hours, in requests of a thousand", async () => {
    local.answer = byPath(answers([]));
    const from = Date.UTC(2026, 8, 10);
    const range = { interval: "1d", from, to: Date.UTC(2027, 0, 1) } as const;
    expect(await open().candles("KXFED-26DEC-T3.50", range)).toEqual([]);
    const hour = 3_600;
    const begin = from / 1_000;
    const asked = local.asked
      .slice(1)
      .map((url) => [...new URL(url, local.url).searchParams.values()].map(Number));
    // 41 whole days each, and no further than now.
    expect(asked).toEqual([
      [begin + hour, begin + 41 * 24 * hour, 60],
      [begin + 41 * 24 * hour + hour, clock.now() / 1_000, 60],
    ]);
  });

  test.each([
    ["of the wrong shape", { candlesticks: "none" }],
    ["of another market", { ticker: "OTHER", candlesticks: [] }],
    ["of more than anybody asked for", { candlesticks: Array.from({ length: 25_001 }, () => 0) }],
  ])("%s are upstream_error", async (_, answer) => {
    local.answer = byPath({ ...answers([]), [path]: answer });
    const range = { interval: "1h", from: at, to: at + 3_600_000 } as const;
    await expect(open().candles("KXFED-26DEC-T3.50", range)).rejects.toMatchObject({
      code: "upstream_error",
      message: "kalshi: it answered with something that is no candles",
    });
  });
});

test("a venue that wants to be left alone is asked for nothing until then, by nobody", async () => {
  const kalshi = open();
  local.answer = (_, response) => response.writeHead(429, { "retry-after": "120" }).end();
  await expect(kalshi.rows()).rejects.toMatchObject({ details: { status: 429, retryAfterMs: 120_000 } });
  local.answer = byPath({
    "/markets": { markets: [kalshiMarket] },
    [`/markets/${row.ticker}`]: { market: kalshiMarket },
  });
  clock.advance(100_000);
  const range = { interval: "1h", from: 0, to: clock.now() } as const;
  const left = { code: "rate_limited", details: { status: 429, retryAfterMs: 20_000 } };
  await expect(kalshi.rows()).rejects.toMatchObject({ code: "rate_limited" });
  await expect(kalshi.market(row.ticker)).rejects.toMatchObject(left);
  await expect(kalshi.candles(row.ticker, range)).rejects.toMatchObject(left);
  expect(local.asked.length).toBe(1);
  clock.advance(20_000);
  expect((await kalshi.rows()).length).toBe(1);
  expect((await kalshi.market(row.ticker))?.ticker).toBe(row.ticker);
});
