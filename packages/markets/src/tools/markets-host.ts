import type { Explanation, KeyedHash } from "@spfunctions/contracts";
import type { Clock, Ids, ModelAdapter, OrderedCall, SearchIndex, Store } from "@spfunctions/kernel";
import type { Exchange } from "../exchange/exchange.ts";
import type { VenueReader } from "../venue/venue-reader.ts";

/** What the tools of this pack are made on. */
export type MarketsHost = {
  readonly store: Store;
  /** What proves that this installation wrote a row. */
  readonly proves: KeyedHash;
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
  /** Explains why a key may not call a tool, so that an order that is stopped for it names the gate. */
  readonly explainCall?:
    | ((accountId: string, keyId: string, tool: string) => Promise<Explanation | undefined>)
    | undefined;
  /**
   * Makes the call that fires an armed order, for the key that armed it: judged by what holds for that key now, and recorded in its
   * account's journal. It throws what the call is refused for, or fails with. Without it nothing is armed, and nothing fires.
   */
  readonly fire: ((order: OrderedCall) => Promise<unknown>) | undefined;
};
