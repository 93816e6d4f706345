// I1: what the index answers is a hint; a market is shown only as the venues have it.
import { canonicalJson, hashText } from "@spfunctions/contracts";
import { installationAccount, type SearchIndex } from "@spfunctions/kernel";
import type { MarketRow } from "../venue/market.ts";
import { type MarketFilter, passes } from "./market-filter.ts";
import { onceFor } from "./once-for.ts";
import { compareRanked, everyOrder, isBehind, type Ranked, rankedBy, type Sort } from "./ranked-markets.ts";
import { keyOf } from "./row-order.ts";
import type { VenueRows } from "./rows-by-tick.ts";
import { cursorOf, type Position, readCursor } from "./search-cursor.ts";
import { searchEntries } from "./search-entries.ts";

/** What is looked for. Without words there is no relevance, and volume takes its place. */
export type MarketQuery = MarketFilter & {
  readonly query?: string | undefined;
  readonly sort?: Sort | undefined;
};

type FoundMarkets = {
  readonly at: number;
  readonly rows: readonly MarketRow[];
  readonly next?: string;
};

export type MarketSearch = {
  /**
   * One page. Pages belong to the ranking that the first one began, for as long as it is remembered, so that nothing comes twice;
   * after that they go on behind the same place in the ranking of now.
   */
  find(
    venues: VenueRows,
    query: MarketQuery,
    page: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<FoundMarkets>;
  /** The markets that fit a text best. */
  relevant(venues: VenueRows, text: string, limit: number): Promise<readonly Ranked[]>;
};

/** A text that more markets fit keeps the ones that fit best. */
const mostHits = 10_000;
const mostRemembered = 32;

/** How much volume weighs beside relevance: ten times the contracts are worth a tenth of the score more. */
const volumeWeight = 0.1;

type Ranking = { readonly at: number; readonly ranked: readonly Ranked[] };

/** Finds markets by their titles, tags and categories. */
export function marketSearch(index: SearchIndex): MarketSearch {
  const entries = searchEntries(index);
  const byKey = onceFor((rows: readonly MarketRow[]) => new Map(rows.map((row) => [keyOf(row), row])));
  const ordered = onceFor(everyOrder);
  const remembered = new Map<string, Promise<Ranking>>();

  async function relevant(venues: VenueRows, text: string, limit: number): Promise<Ranked[]> {
    await entries.follow(venues);
    const hits = await index.query({ accountId: installationAccount, text, limit: mostHits });
    const rows = byKey(venues.rows);
    const found = hits.flatMap(({ id, score }) => {
      const key = entries.keyOfHit(id);
      const row = key === undefined ? undefined : rows.get(key);
      return row === undefined ? [] : [{ row, value: combined(score, row) }];
    });
    return found.toSorted(compareRanked).slice(0, limit);
  }

  async function rank(venues: VenueRows, { query = "", sort = "relevance", ...filter }: MarketQuery) {
    const all = await candidates(venues, query, sort);
    return { at: venues.at, ranked: all.filter(({ row }) => passes(row, filter)) };
  }

  async function candidates(venues: VenueRows, query: string, sort: Sort): Promise<readonly Ranked[]> {
    const bySort = sort === "relevance" ? "volume" : sort;
    if (query.trim() === "") return ordered(venues)(bySort);
    const found = await relevant(venues, query, mostHits);
    return sort === "relevance" ? found : rankedBy(found, bySort, venues.at);
  }

  function remember(key: string, make: () => Promise<Ranking>): Promise<Ranking> {
    const ranking = remembered.get(key) ?? make();
    remembered.delete(key);
    remembered.set(key, ranking);
    ranking.catch(() => remembered.get(key) === ranking && remembered.delete(key));
    const [oldest] = remembered.size > mostRemembered ? remembered.keys() : [];
    if (oldest !== undefined) remembered.delete(oldest);
    return ranking;
  }

  return {
    relevant,
    async find(venues, query, { after, limit }) {
      const question = hashText(canonicalJson(query));
      const position = after === undefined ? undefined : readCursor(after, question);
      const begun = position === undefined ? undefined : remembered.get(`${question} ${position.at}`);
      const now = () => remember(`${question} ${venues.at}`, () => rank(venues, query));
      const { at, ranked } = await (begun ?? now());
      return pageOf(ranked, { at, question, position, limit });
    },
  };
}

function pageOf(ranked: readonly Ranked[], { at, question, position, limit }: PageRequest): FoundMarkets {
  const first = position === undefined ? 0 : ranked.findIndex((item) => isBehind(item, position));
  const page = first === -1 ? [] : ranked.slice(first, first + limit);
  const last = page.at(-1);
  const rows = page.map(({ row }) => row);
  if (last === undefined || first + limit >= ranked.length) return { at, rows };
  const { venue, ticker } = last.row;
  return { at, rows, next: cursorOf({ at, value: last.value, venue, ticker }, question) };
}

type PageRequest = {
  readonly at: number;
  readonly question: string;
  readonly position: Position | undefined;
  readonly limit: number;
};

function combined(score: number, { dayVolume }: MarketRow): number {
  return score * (1 + volumeWeight * Math.log10(1 + dayVolume));
}
