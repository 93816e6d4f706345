import { z } from "zod";
import type { Interval } from "../../venue/market.ts";
import type { VenueReader } from "../../venue/venue-reader.ts";
import { readCandles } from "../candles/read-candles.ts";
import { bestOf } from "../depth/depth-of.ts";
import { isTicker, itemsField } from "../fields/venue-fields.ts";
import { openHttpJson } from "../http/http-json.ts";
import { wrongShape } from "../http/venue-faults.ts";
import { venueRest } from "../http/venue-rest.ts";
import { gatherPages, type Page } from "../rows/gather-pages.ts";
import { keepRows } from "../rows/keep-rows.ts";
import { marketAsked, otherMarket } from "../rows/read-market.ts";
import { limitsOf, type VenueOptions } from "../venue-options.ts";
import { type PolymarketMarket, readPolymarketMarket } from "./polymarket-market.ts";
import { readPolymarketBook, readPolymarketHistory } from "./polymarket-prices.ts";

const venue = "polymarket";

const polymarketBaseUrl = "https://gamma-api.polymarket.com";
const polymarketClobUrl = "https://clob.polymarket.com";

/** The most that it gives at once. */
const marketsPerPage = 100;

/** It refuses a history of more than fifteen days. */
const longestHistoryMs = 14 * 86_400_000;

/** Minutes between two prices of a history. */
const fidelities: Readonly<Record<Interval, number>> = { "1m": 1, "5m": 1, "15m": 1, "1h": 5, "1d": 60 };

const conditionSchema = z.object({ conditionId: z.string() });

export type PolymarketOptions = VenueOptions & {
  /** Where its books and its history of prices are read; its own public address unless told. */
  readonly clobUrl?: string | undefined;
};

/** Reads Polymarket through its public interfaces. A market is named by its slug, and found by its condition too. */
export function openPolymarket(options: PolymarketOptions): VenueReader {
  const { clock, log } = options;
  const rest = venueRest(clock);
  const get = openHttpJson(venue, polymarketBaseUrl, options, rest);
  const getPrices = openHttpJson(venue, polymarketClobUrl, { ...options, baseUrl: options.clobUrl }, rest);
  const limits = limitsOf(options);

  async function list(
    wanted: Readonly<Record<string, string | number>>,
    signal?: AbortSignal,
  ): Promise<readonly unknown[]> {
    const { data } = itemsField.safeParse(await get(["markets"], wanted, signal));
    if (data === undefined) throw wrongShape(venue, "list of markets");
    return data;
  }

  async function pageAt(cursor: string | undefined): Promise<Page> {
    const limit = Math.min(marketsPerPage, limits.maxMarkets);
    const offset = Number(cursor ?? 0);
    // What is traded most comes first, since it has more markets than are taken.
    const order = { order: "volume24hr", ascending: "false" };
    const items = await list({ active: "true", closed: "false", ...order, limit, offset });
    return { items, next: items.length < limit ? undefined : String(offset + items.length) };
  }

  async function findByCondition(
    conditionId: string,
    signal: AbortSignal | undefined,
  ): Promise<PolymarketMarket | undefined> {
    // It looks for a condition among the open ones or among the closed ones, never among both.
    for (const closed of ["false", "true"]) {
      // oxlint-disable-next-line no-await-in-loop -- the second only where the first has it not
      const items = await list({ condition_ids: conditionId, closed }, signal);
      const item = items.find((one) => hasCondition(one, conditionId));
      if (item !== undefined) return marketAsked(venue, readPolymarketMarket(item));
      if (items.length > 0) throw otherMarket(venue);
    }
    return undefined;
  }

  async function find(
    ticker: string,
    signal: AbortSignal | undefined,
  ): Promise<PolymarketMarket | undefined> {
    if (!isTicker(ticker)) return undefined;
    if (/^0x[0-9a-fA-F]{64}$/.test(ticker)) return findByCondition(ticker, signal);
    const item = await get(["markets", "slug", ticker], {}, signal);
    if (item === undefined) return undefined;
    return marketAsked(venue, readPolymarketMarket(item), ({ row }) => row.ticker === ticker);
  }

  return {
    venue,
    synthetic: false,
    rows: keepRows(
      venue,
      () => gatherPages({ venue, pageAt, readMarket: readPolymarketMarket, log }, limits),
      clock,
      limits.keepMs,
    ),

    async market(ticker, signal) {
      const found = await find(ticker, signal);
      if (found === undefined) return undefined;
      const { row, rules, yesToken } = found;
      const nothing = { bids: [], asks: [] };
      if (yesToken === undefined) return { ...row, ...bestOf(nothing), depth: nothing, rules };
      const answer = await getPrices(["book"], { token_id: yesToken }, signal);
      // A market that is over has no book, and is answered for like one that never was.
      const depth = answer === undefined ? nothing : readPolymarketBook(answer, yesToken);
      if (depth === undefined) throw wrongShape(venue, "book");
      return { ...row, ...bestOf(depth), depth, rules };
    },

    async candles(ticker, range, signal) {
      const found = await find(ticker, signal);
      if (found === undefined) return undefined;
      const { row, yesToken } = found;
      if (yesToken === undefined) return [];
      const bounds = {
        opensAt: row.opensAt,
        now: clock.now(),
        longestMs: longestHistoryMs,
        maxPages: limits.maxPages,
      };
      return readCandles(range, bounds, async ({ from, to }) => {
        const wanted = {
          market: yesToken,
          startTs: Math.floor(from / 1_000),
          endTs: Math.ceil(to / 1_000),
          fidelity: fidelities[range.interval],
        };
        const answer = await getPrices(["prices-history"], wanted, signal);
        const points = answer === undefined ? [] : readPolymarketHistory(answer);
        if (points === undefined) throw wrongShape(venue, "history of prices");
        return points;
      });
    },
  };
}

function hasCondition(item: unknown, conditionId: string): boolean {
  const { data } = conditionSchema.safeParse(item);
  return data?.conditionId.toLowerCase() === conditionId.toLowerCase();
}
