import type { MarketRow } from "../../venue/market.ts";
import { upstream } from "../http/venue-faults.ts";
import type { SkippedMarkets, VenueLimits } from "../venue-options.ts";

/** One page of a list: what stands on it, and where the next one begins. */
export type Page = { readonly items: readonly unknown[]; readonly next?: string | undefined };

/** A market that was read, or the name of the member for which it was not. */
export type ReadMarket<T> = { readonly read: T } | { readonly wrong: string };

type Source = {
  readonly venue: string;
  readonly pageAt: (cursor: string | undefined) => Promise<Page>;
  readonly readMarket: (item: unknown) => ReadMarket<{ readonly row: MarketRow }>;
  readonly log: ((skipped: SkippedMarkets) => void) | undefined;
};

/**
 * The open markets of a venue's list, each once. It stops at the limits, at a page that brings nothing new, and at a cursor that it
 * has been to. What cannot be read is skipped and counted; only when nothing could be is it the venue's fault.
 */
export async function gatherPages(
  { venue, pageAt, readMarket, log }: Source,
  { maxMarkets, maxPages }: Pick<VenueLimits, "maxMarkets" | "maxPages">,
): Promise<readonly MarketRow[]> {
  const rows = new Map<string, MarketRow>();
  const wrong = new Map<string, number>();
  const cursors = new Set<string | undefined>();
  let cursor: string | undefined;
  while (cursors.size < maxPages && rows.size < maxMarkets && !cursors.has(cursor)) {
    cursors.add(cursor);
    // oxlint-disable-next-line no-await-in-loop -- where a page begins is known from the one before
    const { items, next } = await pageAt(cursor);
    const before = rows.size;
    let skipped = 0;
    for (const item of items) {
      const result = readMarket(item);
      if ("wrong" in result) {
        wrong.set(result.wrong, (wrong.get(result.wrong) ?? 0) + 1);
        skipped++;
      } else rows.set(result.read.row.ticker, result.read.row);
    }
    if (next === undefined || (rows.size === before && skipped === 0)) break;
    cursor = next;
  }
  tell(venue, wrong, log);
  if (rows.size === 0 && wrong.size > 0) {
    throw upstream(venue, "answered with markets none of which could be read", "no_readable_market");
  }
  return [...rows.values()].filter(({ status }) => status === "open").slice(0, maxMarkets);
}

function tell(
  venue: string,
  wrong: ReadonlyMap<string, number>,
  log: ((skipped: SkippedMarkets) => void) | undefined,
): void {
  if (wrong.size === 0) return;
  const skipped = [...wrong.values()].reduce((sum, count) => sum + count, 0);
  log?.({ venue, skipped, reasons: Object.fromEntries(wrong) });
}
