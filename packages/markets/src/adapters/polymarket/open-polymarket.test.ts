import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../../../kernel/test-data/call-clock.ts";
import { byPath, LocalVenue, sendJson, venueNoon } from "../../../test-data/venues/local-venue.ts";
import {
  conditionId,
  polymarketBook,
  polymarketMarket,
  yesToken,
} from "../../../test-data/venues/polymarket-answers.ts";
import type { SkippedMarkets } from "../venue-options.ts";
import { openPolymarket } from "./open-polymarket.ts";

let gamma: LocalVenue;
let clob: LocalVenue;
let clock: ManualClock;
let told: SkippedMarkets[];

beforeEach(async () => {
  [gamma, clob] = [await LocalVenue.open(), await LocalVenue.open()];
  clock = new ManualClock(venueNoon);
  told = [];
});

afterEach(() => Promise.all([gamma.close(), clob.close()]));

const open = () =>
  openPolymarket({ clock, baseUrl: gamma.url, clobUrl: clob.url, log: (skipped) => told.push(skipped) });

const slug = "will-the-ecb-cut-rates-in-december";

const row = {
  venue: "polymarket",
  ticker: slug,
  event: "ecb-december-decision",
  title: "Will the ECB cut rates in December?",
  category: "economics",
  region: "europe",
  tags: ["economy", "europe"],
  opensAt: Date.UTC(2026, 9, 1, 16, 20, 33, 424),
  closesAt: Date.UTC(2026, 11, 17, 12),
  synthetic: false,
  bidCents: 33,
  askCents: 34,
  lastCents: 34,
  dayAgoCents: 38,
  dayVolume: 82453,
  status: "open",
};

describe("rows", () => {
  test("a market is a row in whole cents", async () => {
    gamma.answer = byPath({ "/markets": [polymarketMarket] });
    expect(await open().rows()).toEqual([row]);
    expect(gamma.asked).toEqual([
      "/markets?active=true&closed=false&order=volume24hr&ascending=false&limit=100&offset=0",
    ]);
    expect([told, clob.asked]).toEqual([[], []]);
  });

  test("pages follow by offset to the first that is not full, and a market that moved between them is one", async () => {
    gamma.answer = (request, response) => {
      const offset = Number(new URL(request.url ?? "", "http://venue").searchParams.get("offset"));
      const count = offset < 200 ? 100 : 1;
      const items = Array.from({ length: count }, (_, n) => ({
        ...polymarketMarket,
        slug: `m-${offset + n - 1}`,
      }));
      sendJson(
        response,
        items.map((item) => (item.slug === "m--1" ? { ...item, slug: "m-0" } : item)),
      );
    };
    expect((await open().rows()).map(({ ticker }) => ticker)).toEqual(
      Array.from({ length: 200 }, (_, n) => `m-${n}`),
    );
    expect(gamma.asked.map((url) => new URL(url, gamma.url).searchParams.get("offset"))).toEqual([
      "0",
      "100",
      "200",
    ]);
  });

  test("a venue that gives the same page for ever is left after the second", async () => {
    const items = Array.from({ length: 100 }, (_, n) => ({ ...polymarketMarket, slug: `m-${n}` }));
    gamma.answer = byPath({ "/markets": items });
    expect((await open().rows()).length).toBe(100);
    expect(gamma.asked.length).toBe(2);
  });

  test("two outcomes that are not yes and no are named in the title by the one that is priced", async () => {
    const game = { ...polymarketMarket, question: "Reds vs. Blues", outcomes: '["Reds", "Blues"]' };
    gamma.answer = byPath({ "/markets": [game] });
    expect((await open().rows()).map(({ title }) => title)).toEqual(["Reds vs. Blues: Reds"]);
  });

  test.each([
    ["slug", { slug: null }],
    ["slug", { slug: "a/../b" }],
    ["question", { question: "" }],
    ["outcomes", { outcomes: '["Yes", "No"' }],
    ["outcomes", { outcomes: '["A", "B", "C"]' }],
    ["outcomes", { outcomes: '["No", "Yes"]' }],
    ["outcomePrices", { outcomePrices: '["0.5", "NaN"]' }],
    ["clobTokenIds", { clobTokenIds: '["../x"]' }],
    ["bestBid", { bestBid: -0.1 }],
    ["bestBid", { bestBid: 0.9 }],
    ["bestAsk", { bestAsk: "34%" }],
    ["lastTradePrice", { lastTradePrice: 33.5 }],
    ["oneDayPriceChange", { oneDayPriceChange: [] }],
    ["volume24hr", { volume24hr: -1 }],
    ["closed", { closed: "false" }],
    ["startDate", { startDate: null, createdAt: null }],
    ["endDate", { endDate: null, endDateIso: null }],
    ["endDate", { endDate: "2020-01-01T00:00:00Z" }],
    ["events", { events: [{ slug: "a b" }] }],
  ])("a market whose %s is wrong is skipped and counted; the others come", async (reason, wrong) => {
    gamma.answer = byPath({
      "/markets": [{ ...polymarketMarket, slug: "other", ...wrong }, polymarketMarket],
    });
    expect(await open().rows()).toEqual([row]);
    expect(told).toEqual([{ venue: "polymarket", skipped: 1, reasons: { [reason]: 1 } }]);
  });

  test("no prices at all are a row without them", async () => {
    const quiet = {
      ...polymarketMarket,
      bestBid: 0,
      bestAsk: 1,
      lastTradePrice: undefined,
      volume24hr: undefined,
      tags: "none",
      events: undefined,
      category: 7,
    };
    gamma.answer = byPath({ "/markets": [quiet] });
    const none = { bidCents: null, askCents: null, lastCents: null, dayAgoCents: null, dayVolume: 0 };
    expect(await open().rows()).toEqual([{ ...row, ...none, event: slug, category: "other", tags: [] }]);
  });

  test.each([[{}], [null], [{ data: [] }], ["[]"]])(
    "a page of the wrong shape, %j, is upstream_error",
    async (answer) => {
      gamma.answer = byPath({ "/markets": answer });
      await expect(open().rows()).rejects.toMatchObject({
        code: "upstream_error",
        message: "polymarket: it answered with something that is no list of markets",
      });
    },
  );
});

describe("market", () => {
  const detail = {
    ...row,
    depth: {
      bids: [
        { priceCents: 33, quantity: 52 },
        { priceCents: 30, quantity: 1000 },
      ],
      asks: [
        { priceCents: 34, quantity: 25 },
        { priceCents: 35, quantity: 60 },
      ],
    },
    rules: "This market resolves to Yes if the deposit rate is lowered.",
  };

  test("is found by its slug, with the book of its yes", async () => {
    gamma.answer = byPath({ [`/markets/slug/${slug}`]: polymarketMarket });
    clob.answer = byPath({ "/book": polymarketBook });
    expect(await open().market(slug)).toEqual(detail);
    expect(clob.asked).toEqual([`/book?token_id=${yesToken}`]);
  });

  test("is found by its condition, among the open ones and then among the closed ones", async () => {
    gamma.answer = (request, response) =>
      sendJson(response, request.url?.includes("closed=true") ? [polymarketMarket] : []);
    clob.answer = byPath({ "/book": polymarketBook });
    expect(await open().market(conditionId)).toEqual(detail);
    expect(gamma.asked).toEqual([
      `/markets?condition_ids=${conditionId}&closed=false`,
      `/markets?condition_ids=${conditionId}&closed=true`,
    ]);
  });

  test.each([
    [
      { closed: true, umaResolutionStatus: "resolved", outcomePrices: '["1", "0"]' },
      { status: "settled", outcome: "yes" },
    ],
    [
      { closed: true, umaResolutionStatus: "resolved", outcomePrices: '["0", "1"]' },
      { status: "settled", outcome: "no" },
    ],
    [
      { closed: true, umaResolutionStatus: "resolved", outcomePrices: '["0.5", "0.5"]' },
      { status: "settled" },
    ],
    [{ closed: true, umaResolutionStatus: "proposed", outcomePrices: '["1", "0"]' }, { status: "closed" }],
    [{ acceptingOrders: false }, { status: "closed" }],
    [{ archived: true }, { status: "closed" }],
    [{ active: false }, { status: "upcoming" }],
  ])("with %j is %j, and a book that is not there is an empty one", async (members, expected) => {
    gamma.answer = byPath({ [`/markets/slug/${slug}`]: { ...polymarketMarket, ...members } });
    clob.answer = byPath({});
    expect(await open().market(slug)).toEqual({
      ...detail,
      bidCents: null,
      askCents: null,
      depth: { bids: [], asks: [] },
      ...expected,
    });
  });

  test("that is not there is nothing", async () => {
    gamma.answer = (request, response) =>
      request.url?.includes("condition_ids") ? sendJson(response, []) : response.writeHead(404).end();
    const polymarket = open();
    expect(await polymarket.market("nothing")).toBeUndefined();
    expect(await polymarket.market(conditionId)).toBeUndefined();
    expect(await polymarket.market("a/b")).toBeUndefined();
    expect(await polymarket.candles("nothing", { interval: "1h", from: 0, to: 1 })).toBeUndefined();
    expect(gamma.asked.length).toBe(4);
  });

  test("without a place where it is traded has no book and no candles", async () => {
    gamma.answer = byPath({ [`/markets/slug/${slug}`]: { ...polymarketMarket, clobTokenIds: null } });
    const polymarket = open();
    expect((await polymarket.market(slug))?.depth).toEqual({ bids: [], asks: [] });
    expect(await polymarket.candles(slug, { interval: "1h", from: 0, to: clock.now() })).toEqual([]);
    expect(clob.asked).toEqual([]);
  });

  test("by its condition is the one that has it, whatever else comes, in whichever letters", async () => {
    const other = { ...polymarketMarket, slug: "other", conditionId: `0x${"1".repeat(64)}` };
    const shouted = { ...polymarketMarket, conditionId: conditionId.toUpperCase().replace("0X", "0x") };
    gamma.answer = byPath({ "/markets": [other, shouted] });
    clob.answer = byPath({ "/book": polymarketBook });
    expect(await open().market(conditionId)).toEqual(detail);
  });

  test.each([
    ["condition", conditionId, [{ ...polymarketMarket, conditionId: `0x${"1".repeat(64)}` }]],
    ["condition", conditionId, [{ ...polymarketMarket, conditionId: undefined }]],
    ["slug", "other", polymarketMarket],
  ])("of another %s than was asked for is upstream_error", async (_, ticker, answer) => {
    gamma.answer = byPath({ "/markets": answer, "/markets/slug/other": answer });
    await expect(open().market(ticker)).rejects.toMatchObject({
      code: "upstream_error",
      message: "polymarket: it answered with another market than the one that was asked for",
    });
    expect([gamma.asked.length, clob.asked.length]).toEqual([1, 0]);
  });

  test.each([
    ["of the wrong shape", { bids: [{ price: "x", size: 1 }], asks: [] }],
    ["of another contract", { ...polymarketBook, asset_id: "7" }],
  ])("with a book %s is upstream_error", async (_, book) => {
    gamma.answer = byPath({ [`/markets/slug/${slug}`]: polymarketMarket });
    clob.answer = byPath({ "/book": book });
    await expect(open().market(slug)).rejects.toMatchObject({ code: "upstream_error" });
  });
});

const historyOf = (startTs: number, endTs: number) => ({
  market: yesToken,
  startTs: String(startTs),
  endTs: String(endTs),
  fidelity: "60",
});

describe("candles", () => {
  test("are made of the history of prices, in requests of fourteen days, from where the market begins", async () => {
    gamma.answer = byPath({ [`/markets/slug/${slug}`]: polymarketMarket });
    const day = 86_400;
    const begin = Date.UTC(2026, 9, 1) / 1_000;
    const history = [
      { t: begin + day, p: 0.3 },
      { t: begin + day + 3_600, p: 0.515 },
      { t: begin + day + 7_200, p: "0.28" },
      { t: begin + 3 * day, p: 0.4 },
      { t: begin + 4 * day, p: "x" },
      { t: 1e300, p: 0.4 },
      { t: begin + 5 * day, p: 0 },
      null,
    ];
    clob.answer = byPath({ "/prices-history": { history } });
    const candles = await open().candles(slug, { interval: "1d", from: 0, to: clock.now() });
    const flat = { openCents: 28, highCents: 28, lowCents: 28, closeCents: 28, volume: 0 };
    expect(candles).toEqual([
      { at: (begin + day) * 1_000, openCents: 30, highCents: 52, lowCents: 28, closeCents: 28, volume: 0 },
      { at: (begin + 2 * day) * 1_000, ...flat },
      {
        at: (begin + 3 * day) * 1_000,
        openCents: 40,
        highCents: 40,
        lowCents: 40,
        closeCents: 40,
        volume: 0,
      },
    ]);
    const asked = clob.asked.map((url) => Object.fromEntries(new URL(url, clob.url).searchParams));
    expect(asked).toEqual([
      historyOf(begin, begin + 14 * day),
      historyOf(begin + 14 * day, begin + 28 * day),
      historyOf(begin + 28 * day, begin + 42 * day),
      historyOf(begin + 42 * day, clock.now() / 1_000),
    ]);
  });

  test.each([
    ["of the wrong shape", []],
    ["of more than anybody asked for", { history: Array.from({ length: 125_000 }, () => ({ t: 1, p: 0 })) }],
  ])("%s are upstream_error", async (_, answer) => {
    gamma.answer = byPath({ [`/markets/slug/${slug}`]: polymarketMarket });
    clob.answer = byPath({ "/prices-history": answer });
    const range = { interval: "1h", from: clock.now() - 7_200_000, to: clock.now() } as const;
    await expect(open().candles(slug, range)).rejects.toMatchObject({
      code: "upstream_error",
      message: "polymarket: it answered with something that is no history of prices",
    });
  });
});

test("a venue that wants to be left alone, where its books are read, is left alone everywhere", async () => {
  gamma.answer = byPath({ "/markets": [], [`/markets/slug/${slug}`]: polymarketMarket });
  clob.answer = (_, response) => response.writeHead(429, { "retry-after": "60" }).end();
  const polymarket = open();
  await expect(polymarket.market(slug)).rejects.toMatchObject({ code: "rate_limited" });
  await expect(polymarket.market(slug)).rejects.toMatchObject({ code: "rate_limited" });
  await expect(polymarket.rows()).rejects.toMatchObject({ code: "rate_limited" });
  expect([gamma.asked.length, clob.asked.length]).toEqual([1, 1]);
});
