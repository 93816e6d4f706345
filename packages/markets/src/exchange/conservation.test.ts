// Money and contracts are conserved, whatever is ordered, cancelled, settled, and wherever it is cut off.
import { createMemoryStore, randomIds, type Store, type Unit } from "@spfunctions/kernel";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { day, opening } from "../../test-data/quiet-markets.ts";
import { totalOf } from "../../test-data/total-of.ts";
import { tradedMarkets } from "../../test-data/traded-markets.ts";
import { tickMs } from "../simulation/simulated-market.ts";
import type { Exchange } from "./exchange.ts";
import { openExchange } from "./open-exchange.ts";

const accounts = ["ann", "bob", "cleo"];
const tickers = ["A", "B"];

const someAct = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("place" as const),
      who: fc.constantFrom(...accounts),
      ticker: fc.constantFrom(...tickers),
      action: fc.constantFrom("buy" as const, "sell" as const),
      side: fc.constantFrom("yes" as const, "no" as const),
      quantity: fc.integer({ min: 1, max: 40 }),
      limitCents: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
      timeInForce: fc.constantFrom("gtc" as const, "ioc" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("cancel" as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("wait" as const), ticks: fc.integer({ min: -3, max: 9 }) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("advance" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("crash" as const), after: fc.boolean() }) },
);
type Act = typeof someAct extends fc.Arbitrary<infer One> ? One : never;

/** A store that fails once when it is told to, before or after it has written. */
function frailStore(store: Store): { store: Store; breakNext: (when: "before" | "after") => void } {
  let next: "before" | "after" | undefined;
  const commit = async (unit: Unit) => {
    const when = next;
    next = undefined;
    if (when === "before") throw new Error("cut off before");
    const result = await store.commit(unit);
    if (when === "after") throw new Error("cut off after");
    return result;
  };
  return { store: { ...bound(store), commit }, breakNext: (when) => (next = when) };
}

function bound(store: Store): Store {
  return {
    commit: (unit) => store.commit(unit),
    lease: (...all) => store.lease(...all),
    release: (...all) => store.release(...all),
    readStream: (range) => store.readStream(range),
    document: (key) => store.document(key),
    documents: (query) => store.documents(query),
    documentsById: (...all) => store.documentsById(...all),
    accountsWith: (...all) => store.accountsWith(...all),
    claim: (...all) => store.claim(...all),
    renew: (...all) => store.renew(...all),
    leaseMs: () => store.leaseMs(),
    lasts: () => store.lasts(),
    abandoned: (accountId) => store.abandoned(accountId),
    abandonedWith: (...asked) => store.abandonedWith(...asked),
    undrivenRuns: (query) => store.undrivenRuns(query),
    moved: (known) => store.moved(known),
    listen: (hear) => store.listen(hear),
    close: () => store.close(),
  };
}

class Flow {
  readonly memory = createMemoryStore();
  readonly frail = frailStore(this.memory);
  now = opening + 5 * tickMs;
  placed: { readonly who: string; readonly key: string; readonly act: Extract<Act, { type: "place" }> }[] =
    [];
  /** Two processes, as far as the exchange can tell. */
  readonly exchanges: readonly [Exchange, Exchange];

  constructor() {
    const open = () =>
      openExchange({
        ledger: "live",
        store: this.frail.store,
        clock: { now: () => this.now, elapsed: () => 0, after: () => () => undefined },
        ids: randomIds,
        simulation: tradedMarkets,
        openingCents: 5000,
      });
    this.exchanges = [open(), open()];
  }

  async take(act: Act, index: number): Promise<void> {
    const [exchange] = index % 2 === 0 ? this.exchanges : this.exchanges.toReversed();
    if (exchange === undefined) return;
    try {
      if (act.type === "place") {
        const { who, type: _, ...wanted } = act;
        const key = `key-${index}`;
        this.placed.push({ who, key, act });
        await exchange.place(who, key, wanted);
      } else if (act.type === "cancel") {
        const all = await Promise.all(accounts.map((who) => exchange.orders(who, { limit: 100 })));
        const orders = all.flatMap((some, at) =>
          some.map(({ orderId }) => ({ who: accounts[at] ?? "", orderId })),
        );
        const one = orders[act.which % Math.max(1, orders.length)];
        if (one !== undefined) await exchange.cancel(one.who, one.orderId);
      } else if (act.type === "wait") this.now += act.ticks * tickMs;
      else if (act.type === "advance") await exchange.advance();
      else this.frail.breakNext(act.after ? "after" : "before");
    } catch (error) {
      const isExpected = isSimpleFunctionsError(error) || String(error).includes("cut off");
      if (!isExpected) throw error;
    }
  }
}

/** What is wrong in all that is written. */
async function faultsOf({ memory }: Flow): Promise<unknown[]> {
  const { cents, depositedCents, uneven, crossed } = await totalOf(memory, "live");
  return [...(cents === depositedCents ? [] : [cents - depositedCents]), ...uneven, ...crossed];
}

test("for any flow of orders, cancels, settlements and crashes in two exchanges at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(someAct, { minLength: 5, maxLength: 50 }),
      fc.boolean(),
      async (acts, atOnce) => {
        const flow = new Flow();
        const faults: unknown[] = [];
        if (atOnce) await Promise.all(acts.map((act, index) => flow.take(act, index)));
        else
          for (const [index, act] of acts.entries()) {
            await flow.take(act, index);
            faults.push(...(await faultsOf(flow)));
          }
        expect([...faults, ...(await faultsOf(flow))]).toStrictEqual([]);
        await endOf(flow);
      },
    ),
    { numRuns: 150 },
  );
});

/** Once all markets have closed, everything is cash, but for what the simulated participants and the fees have of it. */
async function endOf(flow: Flow): Promise<void> {
  flow.now = opening + 2 * day;
  flow.frail.breakNext("before");
  await flow.exchanges[0].advance().catch(() => undefined);
  await flow.frail.store.commit({ durability: "process", now: 0 }).catch(() => undefined);
  await Promise.all(flow.exchanges.map((exchange) => exchange.advance()));
  expect(await faultsOf(flow)).toStrictEqual([]);
  expect(
    await flow.memory.documents({ kind: "exchange.live.market", accountId: "", status: "live", limit: 9 }),
  ).toStrictEqual([]);
  for (const who of accounts) {
    const portfolio = await flow.exchanges[1].portfolio(who);
    expect(portfolio).toMatchObject({
      positions: [],
      openOrders: 0,
      reservedCents: 0,
      equityCents: portfolio.cashCents,
    });
  }
}

test("X1: whoever comes again with a key gets the same order, whatever was cut off in between", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someAct, { minLength: 5, maxLength: 30 }), async (acts) => {
      const flow = new Flow();
      for (const [index, act] of acts.entries()) {
        await flow.take(act, index);
      }
      for (const { who, key, act } of flow.placed) {
        const { who: _, type: __, ...wanted } = act;
        const claim = await flow.memory.claim(
          { accountId: who, scope: "exchange.live.order", key },
          flow.now,
        );
        if (claim === undefined) continue;
        const before = await totalOf(flow.memory, "live");
        const again = await flow.exchanges[0].place(who, key, wanted);
        expect(again).toStrictEqual(await flow.exchanges[1].writtenOrder(who, claim.ref));
        expect(await totalOf(flow.memory, "live")).toStrictEqual(before);
        await expect(
          flow.exchanges[1].place(who, key, { ...wanted, quantity: wanted.quantity + 1 }),
        ).rejects.toMatchObject({
          code: "idempotency_conflict",
        });
      }
    }),
    { numRuns: 60 },
  );
});
