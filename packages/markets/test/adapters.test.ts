import { isSimpleFunctionsError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { openKalshi } from "../src/adapters/kalshi/open-kalshi.ts";
import { openPolymarket } from "../src/adapters/polymarket/open-polymarket.ts";
import type { Candle, MarketDetail, MarketRow } from "../src/venue/market.ts";
import type { VenueReader } from "../src/venue/venue-reader.ts";
import {
  kalshiBook,
  kalshiCandle,
  kalshiMarket,
  kalshiMarketInCents,
} from "../test-data/venues/kalshi-answers.ts";
import { LocalVenue, sendText, venueNoon } from "../test-data/venues/local-venue.ts";
import { polymarketBook, polymarketMarket } from "../test-data/venues/polymarket-answers.ts";

const clock = new ManualClock(venueNoon);
const now = clock.now() / 1_000;
let local: LocalVenue;

beforeAll(async () => {
  local = await LocalVenue.open();
});
afterAll(() => local.close());

type Asked = { readonly good: unknown; readonly ask: (reader: VenueReader) => Promise<unknown> };

const range = { interval: "5m", from: clock.now() - 3_600_000, to: clock.now() } as const;
const candles = [1, 2, 3].map((n) => kalshiCandle(now - n * 60, ["0.5", "0.6", "0.4", "0.55"], "2.00"));

/** The good answer by the end of its path. */
const kalshi: Readonly<Record<string, Asked>> = {
  "/markets": {
    good: { markets: [kalshiMarket, { ...kalshiMarketInCents, ticker: "B" }], cursor: "" },
    ask: (reader) => reader.rows(),
  },
  "/A": { good: { market: { ...kalshiMarket, ticker: "A" } }, ask: (reader) => reader.market("A") },
  "/orderbook": { good: kalshiBook, ask: (reader) => reader.market("A") },
  "/candlesticks": { good: { candlesticks: candles }, ask: (reader) => reader.candles("A", range) },
};

const polymarket: Readonly<Record<string, Asked>> = {
  "/markets": {
    good: [polymarketMarket, { ...polymarketMarket, slug: "b" }],
    ask: (reader) => reader.rows(),
  },
  "/A": { good: { ...polymarketMarket, slug: "A" }, ask: (reader) => reader.market("A") },
  "/book": { good: polymarketBook, ask: (reader) => reader.market("A") },
  "/prices-history": {
    good: { history: [1, 2, 3].map((n) => ({ t: now - n * 60, p: 0.5 })) },
    ask: (reader) => reader.candles("A", range),
  },
};

const hostile = fc.oneof(
  { arbitrary: fc.jsonValue(), weight: 3 },
  { arbitrary: fc.double({ min: -2, max: 101, noNaN: true }), weight: 2 },
  { arbitrary: fc.stringMatching(/^-?\d{0,3}\.?\d{0,6}$/), weight: 2 },
  { arbitrary: fc.string({ unit: "binary", maxLength: 8 }), weight: 1 },
  {
    arbitrary: fc.constantFrom<unknown>(
      "NaN",
      "\0",
      "\ud800",
      "../..",
      "__proto__",
      "1e400",
      "-0",
      "[",
      '["\\ud800","a"]',
      "x".repeat(100_000),
      null,
      -1,
      1e300,
      Number.MAX_SAFE_INTEGER + 2,
      [],
      {},
      true,
    ),
    weight: 3,
  },
  { arbitrary: fc.constant(undefined), weight: 1 },
);

type Change = { readonly steps: readonly number[]; readonly value: unknown };

/** One member somewhere becomes something else, or goes away where that is undefined. */
function changed(value: unknown, { steps: [step, ...rest], value: wanted }: Change): unknown {
  if (step === undefined || typeof value !== "object" || value === null) return wanted;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return wanted;
  const member = changed((value as Record<string, unknown>)[key], { steps: rest, value: wanted });
  return Array.isArray(value)
    ? value.map((old, index) => (String(index) === key ? member : old))
    : { ...value, [key]: member };
}

const change = fc.record({
  steps: fc.array(fc.nat(40), { minLength: 0, maxLength: 5 }),
  value: hostile,
});

const broken = fc.oneof(
  { arbitrary: fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 3 }) }), weight: 6 },
  { arbitrary: fc.record({ cut: fc.double({ min: 0, max: 1, noNaN: true }), put: fc.string() }), weight: 1 },
);

function textOf(good: unknown, how: typeof broken extends fc.Arbitrary<infer T> ? T : never): string {
  if ("changes" in how) {
    const value = how.changes.reduce<unknown>((current, one) => changed(current, one), good);
    return JSON.stringify(value) ?? "";
  }
  const text = JSON.stringify(good);
  const place = Math.floor(how.cut * text.length);
  return text.slice(0, place) + how.put + text.slice(place + how.put.length);
}

const isCents = (cents: number) => Number.isInteger(cents) && cents >= 1 && cents <= 99;
const isCount = (count: number) => Number.isSafeInteger(count) && count >= 0;

function isSoundRow(row: MarketRow): boolean {
  const prices = [row.bidCents, row.askCents, row.lastCents, row.dayAgoCents];
  const words = `${row.ticker}${row.event}${row.title}`;
  return (
    prices.every((cents) => cents === null || isCents(cents)) &&
    [row.dayVolume, row.opensAt, row.closesAt].every(isCount) &&
    row.closesAt >= row.opensAt &&
    words.length < 3_000 &&
    words.isWellFormed() &&
    !words.includes("\0") &&
    !row.synthetic
  );
}

function isSoundDetail({ depth: { bids, asks }, rules, ...row }: MarketDetail): boolean {
  const levels = [...bids, ...asks];
  return (
    isSoundRow(row) &&
    rules.isWellFormed() &&
    levels.every(({ priceCents, quantity }) => isCents(priceCents) && quantity > 0 && isCount(quantity))
  );
}

function isSoundCandle({ at, openCents, highCents, lowCents, closeCents, volume }: Candle): boolean {
  return [openCents, highCents, lowCents, closeCents].every(isCents) && isCount(at) && isCount(volume);
}

function isSound(answer: unknown): boolean {
  if (answer === undefined) return true;
  if (!Array.isArray(answer)) return isSoundDetail(answer as MarketDetail);
  return (answer as readonly (MarketRow | Candle)[]).every((one) =>
    "venue" in one ? isSoundRow(one) : isSoundCandle(one),
  );
}

/** `sound` or `upstream_error`, if all is well. */
async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    const answer = await promise;
    return isSound(answer) ? "sound" : answer;
  } catch (error) {
    return isSimpleFunctionsError(error) ? error.code : error;
  }
}

describe.each([
  ["kalshi", kalshi, () => openKalshi({ clock, baseUrl: local.url })],
  ["polymarket", polymarket, () => openPolymarket({ clock, baseUrl: local.url, clobUrl: local.url })],
])("%s", (_, asked, open) => {
  test.each(Object.keys(asked))(
    "any change of the good answer at %s gives prices from 1 to 99 or upstream_error, and nothing else",
    async (path) => {
      const { good, ask } = asked[path] as Asked;
      const seen = new Set<unknown>();
      const serve = (text: string) => {
        local.answer = (request, response) => {
          const { pathname } = new URL(request.url ?? "/", local.url);
          const end = Object.keys(asked).find((one) => pathname.endsWith(one));
          if (end === path) return sendText(response, text);
          return sendText(response, JSON.stringify(end === undefined ? null : asked[end]?.good));
        };
      };
      serve(JSON.stringify(good));
      expect(await outcomeOf(ask(open()))).toBe("sound");
      await fc.assert(
        fc.asyncProperty(broken, async (how) => {
          serve(textOf(good, how));
          const outcome = await outcomeOf(ask(open()));
          expect(outcome).toBeOneOf(["sound", "upstream_error"]);
          seen.add(outcome);
        }),
        { numRuns: 150 },
      );
      expect([...seen].map(String).toSorted()).toEqual(["sound", "upstream_error"]);
    },
  );
});

test("without an address the venues' own are asked, by nothing but what was given to ask with", async () => {
  const asked: string[] = [];
  const fetch = async (input: string) => {
    asked.push(input);
    const { pathname } = new URL(input);
    if (pathname.endsWith("/book")) return Response.json(polymarketBook);
    if (pathname.includes("/slug/")) return Response.json({ ...polymarketMarket, slug: "a" });
    return Response.json(pathname.includes("/trade-api/") ? { markets: [] } : []);
  };
  await openKalshi({ clock, fetch }).rows();
  await openPolymarket({ clock, fetch }).rows();
  await openPolymarket({ clock, fetch }).market("a");
  expect(asked.map((url) => url.split("?", 1)[0])).toEqual([
    "https://api.elections.kalshi.com/trade-api/v2/markets",
    "https://gamma-api.polymarket.com/markets",
    "https://gamma-api.polymarket.com/markets/slug/a",
    "https://clob.polymarket.com/book",
  ]);
});
