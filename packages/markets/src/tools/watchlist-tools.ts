import { InvalidInputError, strictObject, timestampSchema, withoutSecret } from "@spfunctions/contracts";
import { defineTool } from "@spfunctions/kernel";
import { z } from "zod";
import { keptTickerSchema } from "../venue/ticker.ts";
import { savedPage } from "../saved/saved-page.ts";
import {
  addToWatchlist,
  readWatchlist,
  type Watchlist,
  watchlistKind,
  watchlistSchema,
} from "../saved/watchlist.ts";
import { isoTime } from "./market-view.ts";
import {
  listing,
  savedPageSchema,
  savedVenue,
  savedVenueSchema,
  type SavedHost,
  saving,
  shownId,
} from "./saved-tool-terms.ts";

const watchlistView = strictObject({
  ...watchlistSchema.shape,
  watchlistId: shownId,
  createdAt: timestampSchema,
  changedAt: timestampSchema,
});

export function watchlistTools(host: SavedHost) {
  const { store, clock } = host;
  return [
    defineTool({
      ...listing,
      name: "watchlists.list",
      title: "List the watchlists",
      description: "The watchlists of this account, with the markets on them.",
      permissions: ["watchlists:read"],
      input: savedPageSchema,
      output: strictObject({ items: z.array(watchlistView), next: z.string().optional() }),
      http: { method: "GET", path: "/api/watchlists" },
      sdk: { package: "@spfunctions/sdk", method: "watchlists.list" },
      run: async (page, { principal: { accountId } }) =>
        await savedPage(store, { kind: watchlistKind, accountId, ...page }, (document) =>
          viewOf(readWatchlist(document)),
        ),
    }),
    defineTool({
      ...saving,
      name: "watchlists.add",
      title: "Put markets on a watchlist",
      description:
        "Puts one market (ticker) or several (tickers) of a venue on the watchlist of this name, which is made if there is none.",
      permissions: ["watchlists:write"],
      costEffect: "api_cost",
      risk: ["account_context", "user_data", "state_mutation"],
      input: strictObject({
        name: withoutSecret(z.string().min(1).max(100), "name of a watchlist"),
        ticker: keptTickerSchema.optional(),
        tickers: z.array(keptTickerSchema).min(1).max(500).optional(),
        venue: savedVenueSchema.optional(),
      }),
      output: strictObject({ watchlist: watchlistView }),
      http: { method: "POST", path: "/api/watchlists" },
      sdk: { package: "@spfunctions/sdk", method: "watchlists.add" },
      run: async ({ name, ticker, tickers, venue }, { principal: { accountId }, commit }) => {
        const wanted = oneOrMore(ticker, tickers);
        const at = savedVenue(host, venue);
        const markets = wanted.map((one) => ({ venue: at, ticker: one }));
        const adding = { accountId, name, markets, now: clock.now() };
        const { watchlist, documents } = await addToWatchlist(store, adding);
        commit(documents);
        return { watchlist: viewOf(watchlist) };
      },
    }),
  ];
}

function oneOrMore(ticker: string | undefined, tickers: readonly string[] | undefined): readonly string[] {
  if (ticker !== undefined && tickers === undefined) return [ticker];
  if (ticker === undefined && tickers !== undefined) return tickers;
  throw new InvalidInputError("give either ticker or tickers", { details: { path: "/tickers" } });
}

function viewOf({ createdAt, changedAt, ...same }: Watchlist) {
  return { ...same, createdAt: isoTime(createdAt), changedAt: isoTime(changedAt) };
}
