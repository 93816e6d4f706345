// Markets that closed while `sf up` was down, and a start that is killed over and over: what is owed is paid once.
import { openSqliteStore } from "@spfunctions/host/store";
import type { Store } from "@spfunctions/kernel";
import { openMarkets } from "@spfunctions/markets";
import { expect, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { Home } from "../test-data/run-sf.ts";
import {
  answerWhen,
  askMarkets,
  endMarkets,
  holdingsOf,
  type PlacedOrder,
  startMarkets,
} from "../test-data/run-up-markets.ts";

const day = 86_400_000;
const openingCents = 100_000;

test("X1: what has closed meanwhile is settled once, however often the start is killed", async () => {
  const home = new Home();
  const store = await openSqliteStore({ folder: home.path(".sf") });
  await buyAt(store, Date.now() - 2 * day);
  await store.close();

  await endMarkets(await startMarkets(home), "SIGKILL");
  const second = await startMarkets(home);
  // What is written, not what a reader would work out: nobody but the platform itself brings the orders to their end.
  const path = "/api/paper/orders?status=open&limit=100";
  type Listed = { readonly items: readonly PlacedOrder[] };
  await answerWhen<Listed>(
    () => askMarkets(home, second, path),
    ({ items }) => items.length === 0,
  );
  const first = await holdingsOf(home, second);
  const unmet = first.items.filter(({ status }) => status !== "filled");
  expect(unmet.map(({ status, reason }) => ({ status, reason }))).toStrictEqual(
    Array.from({ length: 8 }, () => ({ status: "cancelled", reason: "market_closed" })),
  );
  await endMarkets(second, "SIGKILL");
  const third = await startMarkets(home);
  expect(await holdingsOf(home, third)).toStrictEqual(first);

  const tradesPath = "/api/portfolio/trades?ledger=paper&limit=100";
  const { items: trades } = (await askMarkets(home, third, tradesPath)) as {
    items: readonly BoughtContracts[];
  };
  let [cashCents, paidCents] = [openingCents, 0];
  for (const { ticker, side, quantity, priceCents, feeCents } of trades) {
    const market = await askMarkets(home, third, `/api/public/market/${ticker}`);
    const { outcome } = market as { outcome: string };
    cashCents -= quantity * priceCents + feeCents;
    paidCents += outcome === side ? 100 * quantity : 0;
  }
  // Somebody was paid, so paying twice would show.
  expect(paidCents).toBeGreaterThan(0);
  expect(first).toMatchObject({
    cashCents: cashCents + paidCents,
    reservedCents: 0,
    openOrders: 0,
    positions: [],
  });
});

type BoughtContracts = {
  readonly ticker: string;
  readonly side: string;
  readonly quantity: number;
  readonly priceCents: number;
  readonly feeCents: number;
};

/** Buys both sides of markets that close within a day of that time, and bids for more. */
async function buyAt(store: Store, at: number): Promise<void> {
  const { readers, paper } = await openMarkets({ store, clock: new ManualClock(at) });
  const rows = (await readers[0]?.rows()) ?? [];
  const closing = rows
    .filter(
      ({ closesAt, bidCents, askCents }) => closesAt < at + day && bidCents !== null && askCents !== null,
    )
    .slice(0, 4);
  expect(closing).toHaveLength(4);
  for (const { ticker } of closing)
    for (const side of ["yes", "no"] as const) {
      const wanted = { ticker, action: "buy", side, quantity: side === "yes" ? 3 : 2 } as const;
      await paper.place("local", `taken-${side}-${ticker}`, wanted);
      await paper.place("local", `standing-${side}-${ticker}`, { ...wanted, limitCents: 1 });
    }
}
