import { canonicalJson, hashText, InvalidInputError, strictObject } from "@spfunctions/contracts";
import { type DocumentWrite, readKept, type Store, type StoredDocument } from "@spfunctions/kernel";
import { z } from "zod";
import { requirePlace } from "./require-place.ts";

export const watchlistKind = "watchlist";
/**
 * Watchlists of an account.
 * @limit market.watchlists | `invalid_input` | fixed: they are saved by hand
 */
export const mostWatchlists = 100;
const status = "saved";
/**
 * Markets of one watchlist.
 * @limit market.watched | `invalid_input`, reason `too_many` | fixed: a list is one document
 */
export const mostWatched = 500;

const watchedSchema = strictObject({ venue: z.string(), ticker: z.string() });
type Watched = z.infer<typeof watchedSchema>;

export const watchlistSchema = strictObject({
  watchlistId: z.string(),
  name: z.string(),
  markets: z.array(watchedSchema).max(mostWatched),
  createdAt: z.int(),
  changedAt: z.int(),
});
export type Watchlist = z.infer<typeof watchlistSchema>;

export function readWatchlist({ id, body }: StoredDocument): Watchlist {
  return readKept(watchlistSchema, body, `the watchlist ${id}`);
}

/** A list has the id of its name: two calls at once cannot make two lists of one name. */
function watchlistIdOf(name: string): string {
  return `wl_${hashText(name).slice("sha256:".length, "sha256:".length + 32)}`;
}

type Adding = {
  readonly accountId: string;
  readonly name: string;
  readonly markets: readonly Watched[];
  readonly now: number;
};

/** A list with more markets on it, each once, and what is to be written for that: nothing where all were there. */
export async function addToWatchlist(
  store: Store,
  { accountId, name, markets, now }: Adding,
): Promise<{ readonly watchlist: Watchlist; readonly documents: readonly DocumentWrite[] }> {
  const watchlistId = watchlistIdOf(name);
  const key = { kind: watchlistKind, accountId, id: watchlistId };
  const document = await store.document(key);
  const before =
    document === undefined
      ? { watchlistId, name, markets: [], createdAt: now, changedAt: now }
      : readWatchlist(document);
  const all = new Map(
    [...before.markets, ...markets].map((one) => [canonicalJson([one.venue, one.ticker]), one]),
  );
  if (all.size > mostWatched)
    throw new InvalidInputError(
      `a watchlist has at most ${mostWatched} markets; add fewer, or add them to another list`,
      { details: { path: "/tickers", reason: "too_many" } },
    );
  if (document !== undefined && all.size === before.markets.length)
    return { watchlist: before, documents: [] };
  const watchlist = { ...before, markets: [...all.values()], changedAt: now };
  if (document === undefined) await requirePlaceForList(store, accountId);
  const expects = document?.revision ?? 0;
  const write = { type: "put", ...key, expects, status, body: canonicalJson(watchlist) } as const;
  return { watchlist, documents: [write] };
}

async function requirePlaceForList(store: Store, accountId: string): Promise<void> {
  await requirePlace(
    store,
    { kind: watchlistKind, accountId, status, most: mostWatchlists },
    `this account has ${mostWatchlists} watchlists, and cannot have more; add to one of those`,
  );
}
