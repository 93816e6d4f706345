import { z } from "zod";
import type { Interval } from "../../venue/market.ts";
import type { VenueReader } from "../../venue/venue-reader.ts";
import { readCandles } from "../candles/read-candles.ts";
import { bestOf } from "../depth/depth-of.ts";
import { isTicker, itemsField } from "../fields/venue-fields.ts";
import { openHttpJson } from "../http/http-json.ts";
import { wrongShape } from "../http/venue-faults.ts";
import { gatherPages, type Page } from "../rows/gather-pages.ts";
import { keepRows } from "../rows/keep-rows.ts";
import { marketAsked } from "../rows/read-market.ts";
import { limitsOf, type VenueOptions } from "../venue-options.ts";
import { readKalshiBook } from "./kalshi-book.ts";
import { readKalshiCandles } from "./kalshi-candles.ts";
import { type KalshiMarket, readKalshiMarket, seriesOf } from "./kalshi-market.ts";

const venue = "kalshi";

const kalshiBaseUrl = "https://api.elections.kalshi.com/trade-api/v2";

/** About a megabyte at most, of candles as of markets. */
const marketsPerPage = 200;
const candlesPerPage = 1_000;

/** The candles it has are of a minute, an hour and its own day; days are made of hours, so that they begin where all days do. */
const minutesOf: Readonly<Record<Interval, number>> = { "1m": 1, "5m": 1, "15m": 1, "1h": 60, "1d": 60 };

const pageSchema = z.object({ markets: itemsField, cursor: z.string().max(4_096).nullish() });
const marketSchema = z.object({ market: z.unknown() });

/** Reads Kalshi through its public interface. */
export function openKalshi(options: VenueOptions): VenueReader {
  const get = openHttpJson(venue, kalshiBaseUrl, options);
  const limits = limitsOf(options);
  const { clock, log } = options;

  async function pageAt(cursor: string | undefined): Promise<Page> {
    const wanted = {
      status: "open",
      // Combinations of other markets, made by the hundred thousand.
      mve_filter: "exclude",
      limit: Math.min(marketsPerPage, limits.maxMarkets),
    };
    const { data } = pageSchema.safeParse(
      await get(["markets"], cursor === undefined ? wanted : { ...wanted, cursor }),
    );
    if (data === undefined) throw wrongShape(venue, "list of markets");
    return { items: data.markets, next: data.cursor || undefined };
  }

  async function find(ticker: string, signal: AbortSignal | undefined): Promise<KalshiMarket | undefined> {
    if (!isTicker(ticker)) return undefined;
    const answer = await get(["markets", ticker], {}, signal);
    if (answer === undefined) return undefined;
    const market = readKalshiMarket(marketSchema.safeParse(answer).data?.market);
    return marketAsked(venue, market, ({ row }) => row.ticker === ticker);
  }

  return {
    venue,
    synthetic: false,
    rows: keepRows(
      venue,
      () => gatherPages({ venue, pageAt, readMarket: readKalshiMarket, log }, limits),
      clock,
      limits.keepMs,
    ),

    async market(ticker, signal) {
      const found = await find(ticker, signal);
      if (found === undefined) return undefined;
      const answer = await get(["markets", ticker, "orderbook"], {}, signal);
      const depth = answer === undefined ? { bids: [], asks: [] } : readKalshiBook(answer);
      if (depth === undefined) throw wrongShape(venue, "book");
      return { ...found.row, ...bestOf(depth), depth, rules: found.rules };
    },

    async candles(ticker, range, signal) {
      const found = await find(ticker, signal);
      if (found === undefined) return undefined;
      const { event, opensAt } = found.row;
      const minutes = minutesOf[range.interval];
      const spanMs = minutes * 60_000;
      const path = ["series", seriesOf(event), "markets", ticker, "candlesticks"];
      const bounds = {
        opensAt,
        now: clock.now(),
        longestMs: candlesPerPage * spanMs,
        maxPages: limits.maxPages,
      };
      return readCandles(range, bounds, async ({ from, to }) => {
        // It names a candle by its end, and means both ends of the time asked for.
        const start_ts = (from + spanMs) / 1_000;
        const end_ts = Math.ceil(to / spanMs) * (spanMs / 1_000);
        const answer = await get(path, { start_ts, end_ts, period_interval: minutes }, signal);
        const candles = answer === undefined ? [] : readKalshiCandles(answer, ticker, spanMs);
        if (candles === undefined) throw wrongShape(venue, "candles");
        return candles;
      });
    },
  };
}
