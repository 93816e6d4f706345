// The embedded venue: a real exchange for what is simulated. A market's book is a document; matching is a pure function, committed by
// compare-and-set together with the order's claim, so that no two processes can fork a book and no key places two orders (X1).
import { InvalidTransitionError, NotFoundError, RevisionConflictError } from "@spfunctions/contracts";
import type { ClaimWrite, Clock, Ids, Store } from "@spfunctions/kernel";
import { setImmediate } from "node:timers/promises";
import { type SimulatedMarket, tickAt } from "../simulation/simulated-market.ts";
import type { Depth } from "../venue/market.ts";
import { depthOf } from "./book.ts";
import { bringUp, type BroughtUp, type OrdersAt, unwritten } from "./bring-up.ts";
import {
  type Activity,
  type Exchange,
  type Ledger as LedgerName,
  type Order,
  type Page,
  type Portfolio,
  type Trade,
  type WantedOrder,
} from "./exchange.ts";
import { type ChangesIn, listOrders, ordersAsOfNow } from "./orders-now.ts";
import { KeptExchange } from "./kept-exchange.ts";
import type { MarketState } from "./market-state.ts";
import { type OrderKey, orderKey, orderOfKey, refuseKey, takeKey } from "./order-keys.ts";
import { isRefusal, placeIn, requireSound } from "./place-in.ts";
import { portfolioOf } from "./portfolio.ts";
import { Recent } from "./recent.ts";
import { type Step, writeChanges } from "./write-changes.ts";

export type ExchangeTerms = {
  readonly ledger: LedgerName;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly simulation: {
    readonly find: (ticker: string) => SimulatedMarket | undefined;
    readonly ordersAt: OrdersAt;
  };
  /** What every account is given when it first trades; 1,000 dollars unless given. */
  readonly openingCents?: number | undefined;
};

/** How often a change is tried against others who change the same. */
const attempts = 200;
const tickersAtOnce = 100;
/** How many markets are remembered as they were last looked at. */
const marketsSeen = 2000;

type Looked = { readonly up: BroughtUp; readonly revision: number; readonly moment: number | "closed" };

export function openExchange(terms: ExchangeTerms): Exchange {
  return new EmbeddedExchange(terms);
}

class EmbeddedExchange implements Exchange {
  readonly ledger: LedgerName;
  readonly #terms: ExchangeTerms;
  readonly #kept: KeptExchange;
  /** Changes of one market by this process come one after the other; those by others are met by compare-and-set. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #seen = new Recent<string, Looked>(marketsSeen);
  readonly #changesIn: ChangesIn = async (ticker) =>
    (await this.#look(ticker, this.#find(ticker), this.#terms.clock.now())).up.ledger.changes;

  constructor(terms: ExchangeTerms) {
    this.#terms = terms;
    this.ledger = terms.ledger;
    this.#kept = new KeptExchange(terms.store, terms.ledger, terms.openingCents ?? 100_000);
  }

  async place(
    accountId: string,
    key: string,
    wanted: WantedOrder,
    { isFinal = false }: { readonly isFinal?: boolean } = {},
  ): Promise<Order> {
    requireSound(accountId, wanted);
    const claim = orderKey(this.ledger, accountId, key, wanted, isFinal);
    return await this.#inTurn(wanted.ticker, async () => {
      const { clock, store, ids } = this.#terms;
      const known = await orderOfKey(store, claim, clock.now());
      if (known !== undefined) return await this.#ownOrder(accountId, known);
      const orderId = `ord_${ids.unique()}`;
      const placed = await this.#placeAs(orderId, claim, wanted);
      if (placed !== undefined) return placed;
      const other = await orderOfKey(store, claim, clock.now());
      if (other === undefined) throw overtaken();
      return await this.#ownOrder(accountId, other);
    });
  }

  /** Nothing where the key stands for something else meanwhile: that may be why nothing was left for this order. */
  async #placeAs(orderId: string, claim: OrderKey, wanted: WantedOrder): Promise<Order | undefined> {
    const { accountId, isFinal } = claim;
    const { clock, store } = this.#terms;
    try {
      const written = await this.#change(
        wanted.ticker,
        (up, market, now) => ({ accountId, order: placeIn(up, market, now, { accountId, orderId, wanted }) }),
        takeKey(claim, orderId, clock.now()),
      );
      return written?.get(orderId);
    } catch (fault) {
      // Somebody else may have been first, and a commit that threw may have written all of it.
      if ((await orderOfKey(store, claim, clock.now())) !== undefined) return undefined;
      if (isFinal && isRefusal(fault) && !(await refuseKey(store, claim, fault, clock.now())))
        return undefined;
      throw fault;
    }
  }

  async giveUp(accountId: string, key: string, wanted: WantedOrder): Promise<Order | undefined> {
    const { clock, store } = this.#terms;
    const claim = orderKey(this.ledger, accountId, key, wanted, true);
    const refusal = new InvalidTransitionError("the order was given up before it was sent");
    if (await refuseKey(store, claim, refusal, clock.now())) return undefined;
    try {
      const placed = await orderOfKey(store, claim, clock.now());
      return placed === undefined ? undefined : await this.#ownOrder(accountId, placed);
    } catch (fault) {
      if (isRefusal(fault)) return undefined;
      throw fault;
    }
  }

  async preview(accountId: string, wanted: WantedOrder): Promise<Order> {
    requireSound(accountId, wanted);
    const { ticker } = wanted;
    const now = this.#terms.clock.now();
    const market = this.#find(ticker);
    const up = this.#upToNow((await this.#kept.market(ticker)).value, market, now);
    const orderId = "ord_preview";
    const order = placeIn(up, market, now, { accountId, orderId, wanted });
    const step = { ticker, revision: 0, up, fresh: { accountId, order } };
    const { orders } = await writeChanges(this.#kept, step);
    return orders.get(orderId) as Order;
  }

  async cancel(accountId: string, orderId: string): Promise<Order> {
    const { ticker, status } = await this.#ownOrder(accountId, orderId);
    if (status === "open")
      await this.#inTurn(ticker, () =>
        this.#change(ticker, ({ ledger }, _, now) => ledger.withdraw([orderId], "cancelled_by_owner", now)),
      );
    const after = await this.#ownOrder(accountId, orderId);
    if (after.status === "filled")
      throw new InvalidTransitionError("the order is filled, and nothing of it can be cancelled", {
        details: { from: "filled", to: "cancelled" },
      });
    return after;
  }

  async placed(accountId: string, key: string, wanted: WantedOrder): Promise<Order | undefined> {
    const claim = orderKey(this.ledger, accountId, key, wanted, false);
    // By the clock of long ago: a key that is no longer honoured still says what was placed with it.
    const orderId = await orderOfKey(this.#terms.store, claim, 0);
    return orderId === undefined ? undefined : await this.#ownOrder(accountId, orderId);
  }

  async order(accountId: string, orderId: string): Promise<Order | undefined> {
    const found = await this.#kept.order(accountId, orderId);
    return found && (await ordersAsOfNow(this.#kept, accountId, [found], this.#changesIn))[0];
  }

  async writtenOrder(accountId: string, orderId: string): Promise<Order | undefined> {
    return (await this.#kept.order(accountId, orderId))?.value;
  }

  async orders(accountId: string, page: Parameters<Exchange["orders"]>[1]): Promise<readonly Order[]> {
    return await listOrders(this.#kept, accountId, page, this.#changesIn);
  }

  async trades(accountId: string, page: Page): Promise<readonly Trade[]> {
    return await this.#kept.trades(accountId, page);
  }

  async portfolio(accountId: string): Promise<Portfolio> {
    const now = this.#terms.clock.now();
    let { value: account, revision } = await this.#kept.account(accountId);
    for (let attempt = 0; attempt < attempts; attempt++) {
      const markets: { readonly market: SimulatedMarket; readonly up: BroughtUp }[] = [];
      for (const ticker of account.tickers) {
        const market = this.#find(ticker);
        // oxlint-disable-next-line no-await-in-loop -- one after the other, with turns for others between
        markets.push({ market, up: (await this.#look(ticker, market, now)).up });
      }
      // oxlint-disable-next-line no-await-in-loop
      const after = await this.#kept.account(accountId);
      if (after.revision === revision)
        return portfolioOf({ ledger: this.ledger, accountId, account, markets });
      ({ value: account, revision } = after);
    }
    throw overtaken();
  }

  async depth(ticker: string): Promise<Depth | undefined> {
    const market = this.#terms.simulation.find(ticker);
    if (market === undefined) return undefined;
    return depthOf((await this.#look(ticker, market, this.#terms.clock.now())).up.ledger.book);
  }

  async activity(ticker: string): Promise<Activity | undefined> {
    const market = this.#terms.simulation.find(ticker);
    if (market === undefined) return undefined;
    const { up, revision } = await this.#look(ticker, market, this.#terms.clock.now());
    return revision === 0 ? undefined : { depth: depthOf(up.ledger.book), prints: up.ledger.end(up).prints };
  }

  async activities(): Promise<ReadonlyMap<string, Activity>> {
    const found = new Map<string, Activity>();
    for await (const ticker of this.#live()) {
      const activity = await this.activity(ticker);
      if (activity !== undefined) found.set(ticker, activity);
    }
    return found;
  }

  async advance(signal?: AbortSignal): Promise<void> {
    const faults: unknown[] = [];
    for await (const ticker of this.#live()) {
      signal?.throwIfAborted();
      await setImmediate();
      try {
        await this.#inTurn(ticker, () => this.#change(ticker, "only what has happened"));
      } catch (fault) {
        // A market that cannot be brought up holds no other back.
        faults.push(fault);
      }
    }
    if (faults.length > 0) throw faults[0];
  }

  /** The markets that somebody real has a stake in. */
  async *#live(): AsyncGenerator<string> {
    for (let after = ""; ; ) {
      // oxlint-disable-next-line no-await-in-loop -- page by page
      const tickers = await this.#kept.liveTickers(after, tickersAtOnce);
      yield* tickers;
      if (tickers.length < tickersAtOnce) return;
      after = tickers.at(-1) ?? "";
    }
  }

  #find(ticker: string): SimulatedMarket {
    const market = this.#terms.simulation.find(ticker);
    if (market === undefined)
      throw new NotFoundError(
        "there is no such market at this venue; markets.search finds those that there are",
        { details: { path: "/ticker" } },
      );
    return market;
  }

  async #ownOrder(accountId: string, orderId: string): Promise<Order> {
    const found = await this.writtenOrder(accountId, orderId);
    if (found === undefined) throw new NotFoundError("there is no such order");
    return found;
  }

  /**
   * A market as it would be now, had somebody written it down. It is not to be changed: whoever looks again within the tick gets
   * the same.
   */
  async #look(ticker: string, market: SimulatedMarket, now: number): Promise<Looked> {
    const { value, revision } = await this.#kept.market(ticker);
    const moment: Looked["moment"] = now >= market.closesAt ? "closed" : tickAt(now);
    const seen = this.#seen.get(ticker);
    if (seen?.revision === revision && seen.moment === moment) return seen;
    // What has not been gone through yet may be much: others have their turn before it.
    await setImmediate();
    const looked = { up: this.#upToNow(value, market, now), revision, moment };
    this.#seen.set(ticker, looked);
    return looked;
  }

  #upToNow(state: MarketState, market: SimulatedMarket, now: number): BroughtUp {
    return bringUp(state, market, now, this.#terms.simulation.ordersAt, unwritten);
  }

  /**
   * Brings a market up to now, lets `act` change it, and writes it all at once. What others have changed meanwhile is read
   * again, and everything is done anew on that. Nothing where the claim is somebody's already.
   */
  async #change(
    ticker: string,
    act:
      | ((up: BroughtUp, market: SimulatedMarket, now: number) => Step["fresh"] | void)
      | "only what has happened",
    claim?: ClaimWrite,
  ): Promise<ReadonlyMap<string, Order> | undefined> {
    const { clock, store, simulation } = this.#terms;
    const market = this.#find(ticker);
    for (let attempt = 0; attempt < attempts; ) {
      const now = clock.now();
      // oxlint-disable-next-line no-await-in-loop -- again, on what is there now
      const { value, revision } = await this.#kept.market(ticker);
      const up = bringUp(value, market, now, simulation.ordersAt);
      if (act === "only what has happened" && !isWorthWriting(up, value)) return new Map();
      const isLast = !up.isBehind;
      const fresh = isLast && typeof act === "function" ? (act(up, market, now) ?? undefined) : undefined;
      // oxlint-disable-next-line no-await-in-loop
      const { documents, orders } = await writeChanges(this.#kept, { ticker, revision, up, fresh });
      const claims = isLast && claim !== undefined ? [claim] : [];
      // oxlint-disable-next-line no-await-in-loop
      const result = await store.commit({ durability: "power", now, documents, claims });
      if (result.type === "committed") {
        if (isLast) return orders;
      } else if (result.on === "claim") return undefined;
      else attempt++;
    }
    throw overtaken();
  }

  async #inTurn<T>(ticker: string, act: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(ticker);
    const turn = (before ?? Promise.resolve()).then(act, act);
    this.#turns.set(ticker, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(ticker) === turn) this.#turns.delete(ticker);
    }
  }
}

/** Ticks in which nobody was met need not be gone through twice, and that they were is worth a write now and then. */
const ticksUnwritten = 60;

function isWorthWriting({ ledger, tick, phase, isBehind }: BroughtUp, before: MarketState): boolean {
  return (
    isBehind || phase !== before.phase || ledger.changes.length > 0 || tick - before.tick >= ticksUnwritten
  );
}

function overtaken(): RevisionConflictError {
  return new RevisionConflictError(
    "others have changed this market again and again meanwhile; nothing was done, try again",
  );
}
