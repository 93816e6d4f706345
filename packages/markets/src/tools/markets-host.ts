import type { Clock, Ids, ModelAdapter, SearchIndex, Store } from "@spfunctions/kernel";
import type { Exchange } from "../exchange/exchange.ts";
import type { VenueReader } from "../venue/venue-reader.ts";

/** What the tools of this pack are made on. */
export type MarketsHost = {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The embedded venue first. */
  readonly readers: readonly VenueReader[];
  readonly live: Exchange;
  readonly paper: Exchange;
  readonly search: SearchIndex;
  readonly model: ModelAdapter | undefined;
  /** Whether a key may still call a tool: what it has armed fires only then, and without this nothing is armed. */
  readonly mayCall: ((accountId: string, keyId: string, tool: string) => Promise<boolean>) | undefined;
};
