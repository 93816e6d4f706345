import { alertTools } from "./alert-tools.ts";
import type { SavedHost } from "./saved-tool-terms.ts";
import { watchlistTools } from "./watchlist-tools.ts";

/** What an account keeps for itself: lists of markets, and rules about them. */
export function savedTools(host: SavedHost) {
  return [...watchlistTools(host), ...alertTools(host)];
}
