// How one ledger is kept: a document for every market that somebody has traded in, one for every account, order and trade.
import { canonicalJson, strictObject } from "@spfunctions/contracts";
import {
  type DocumentKey,
  type DocumentWrite,
  installationAccount,
  readKept,
  type Store,
  type StoredDocument,
} from "@spfunctions/kernel";
import { z } from "zod";
import { isReal } from "./book.ts";
import {
  type Ledger as LedgerName,
  type Order,
  orderSchema,
  type Page,
  type Trade,
  tradeSchema,
} from "./exchange.ts";
import { type MarketState, marketStateSchema, newMarketState } from "./market-state.ts";
import { Recent } from "./recent.ts";

const accountSchema = strictObject({
  cashCents: z.int().min(0),
  /** What it was given to begin with. */
  depositedCents: z.int().min(0),
  /** The markets that it has orders or contracts in. */
  tickers: z.array(z.string()).readonly(),
});
export type Account = Readonly<z.infer<typeof accountSchema>>;

/** Something as it is kept, and the revision that it has; 0 where it is not kept yet. */
export type Kept<Value> = { readonly value: Value; readonly revision: number };

/** How many markets are remembered as they were last read or written. */
const marketsKnown = 2000;

export class KeptExchange {
  readonly #store: Store;
  /** What is still the same text need not be parsed again, and parsing is most of what an order costs. */
  readonly #known = new Recent<string, { readonly body: string; readonly value: MarketState }>(marketsKnown);
  readonly #kind: (what: string) => string;
  readonly #openingCents: number;

  constructor(store: Store, ledger: LedgerName, openingCents: number) {
    this.#store = store;
    this.#kind = (what) => `exchange.${ledger}.${what}`;
    this.#openingCents = openingCents;
  }

  async market(ticker: string): Promise<Kept<MarketState>> {
    const found = await this.#store.document(this.#marketKey(ticker));
    const known = this.#known.get(ticker);
    if (found !== undefined && known?.body === found.body)
      return { value: known.value, revision: found.revision };
    const read = kept(found, marketStateSchema, newMarketState, "a market of the exchange");
    if (found !== undefined) this.#known.set(ticker, { body: found.body, value: read.value });
    return read;
  }

  async account(accountId: string): Promise<Kept<Account>> {
    const found = await this.#store.document(this.#accountKey(accountId));
    const fresh = { cashCents: this.#openingCents, depositedCents: this.#openingCents, tickers: [] };
    return kept(found, accountSchema, fresh, "an account of the exchange");
  }

  async order(accountId: string, orderId: string): Promise<Kept<Order> | undefined> {
    const found = await this.#store.document(this.#orderKey(accountId, orderId));
    return found && readOrder(found);
  }

  async ordersNamed(accountId: string, orderIds: readonly string[]): Promise<Kept<Order>[]> {
    return (await this.#store.documentsById(this.#kind("order"), accountId, orderIds)).map(readOrder);
  }

  async orders(
    accountId: string,
    { status, after = "", limit }: Page & { readonly status?: string | undefined },
  ): Promise<Kept<Order>[]> {
    const query = {
      kind: this.#kind("order"),
      accountId,
      after,
      limit,
      ...(status !== undefined && { status }),
    };
    return (await this.#store.documents(query)).map(readOrder);
  }

  async trades(accountId: string, { after = "", limit }: Page): Promise<Trade[]> {
    const found = await this.#store.documents({ kind: this.#kind("trade"), accountId, after, limit });
    return found.map(({ body }) => readKept(tradeSchema, body, "a trade of the exchange"));
  }

  /** The markets that somebody real has a stake in, some at a time. */
  async liveTickers(after: string, limit: number): Promise<string[]> {
    const query = {
      kind: this.#kind("market"),
      accountId: installationAccount,
      status: "live",
      after,
      limit,
    };
    return (await this.#store.documents(query)).map(({ id }) => id);
  }

  putMarket(ticker: string, value: MarketState, expects: number): DocumentWrite {
    const write = put(this.#marketKey(ticker), expects, statusOf(value), value);
    this.#known.set(ticker, { body: write.body, value });
    return write;
  }

  putAccount(accountId: string, value: Account, expects: number): DocumentWrite {
    return put(this.#accountKey(accountId), expects, "open", value);
  }

  putOrder(accountId: string, value: Order, expects: number): DocumentWrite {
    return put(this.#orderKey(accountId, value.orderId), expects, value.status, value);
  }

  putTrade(accountId: string, value: Trade): DocumentWrite {
    return put({ kind: this.#kind("trade"), accountId, id: value.tradeId }, 0, "done", value);
  }

  #marketKey(ticker: string): DocumentKey {
    return { kind: this.#kind("market"), accountId: installationAccount, id: ticker };
  }

  #accountKey(accountId: string): DocumentKey {
    return { kind: this.#kind("account"), accountId, id: "account" };
  }

  #orderKey(accountId: string, orderId: string): DocumentKey {
    return { kind: this.#kind("order"), accountId, id: orderId };
  }
}

function kept<Value>(
  found: { readonly body: string; readonly revision: number } | undefined,
  schema: z.ZodType<Value>,
  fresh: Value,
  what: string,
): Kept<Value> {
  if (found === undefined) return { value: fresh, revision: 0 };
  return { value: readKept(schema, found.body, what), revision: found.revision };
}

function readOrder({ body, revision }: StoredDocument): Kept<Order> {
  return { value: readKept(orderSchema, body, "an order of the exchange"), revision };
}

function put(
  key: DocumentKey,
  expects: number,
  status: string,
  value: object,
): Extract<DocumentWrite, { type: "put" }> {
  return { type: "put", ...key, expects, status, body: canonicalJson(value) };
}

function statusOf({ phase, bids, asks, holdings }: MarketState): string {
  if (phase === "settled") return "settled";
  return [...bids, ...asks, ...holdings].some(isReal) ? "live" : "quiet";
}
