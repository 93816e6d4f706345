// Orders through the matcher alone, through the exchange, and through the whole governed path; a search over 100,000 markets; the
// first answer of a fresh start; reads of the past, which are computed when they are first asked for.
import { govern } from "@spfunctions/agent";
import { openSqliteStore } from "@spfunctions/host/store";
import { createMemoryStore, type Store } from "@spfunctions/kernel";
import { type MarketRow, type Markets, openMarkets } from "@spfunctions/markets";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Book, type StandingOrder } from "../packages/markets/src/exchange/book.ts";
import { matchOrder } from "../packages/markets/src/exchange/match-order.ts";
import { principal } from "./bench-tools.ts";
import type { Benchmark, Measured, Measurement } from "./side-by-side.ts";

/* oxlint-disable no-await-in-loop -- what runs at the same time is not measured alone */
const policy = { maxSideEffect: "paper_trade", maxCostEffect: "venue_request_cost" } as const;
/** Enough for as many orders as a benchmark places. */
const openingCents = { paper: 1e12 };

export const benchmarks: readonly (Benchmark | Measurement)[] = [
  await orders(),
  { title: "a search over 100,000 markets", measure: search },
  { title: "a fresh start with the default seed", measure: freshStart },
  { title: "what reads cost the first time", measure: firstReads },
];

/** One order that stands, and another's that meets it. */
async function orders(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "simplefunctions-bench-"));
  const onDisk = await openSqliteStore({ folder });
  const inMemory = createMemoryStore();
  const memory = await openMarkets({ store: inMemory, openingCents });
  const disk = await openMarkets({ store: onDisk, openingCents });
  const sides = ["yes", "no"] as const;
  const governedOn = (store: Store, { pack }: Markets) =>
    sides.map((side) =>
      govern({ packs: [pack], policy, principal: { ...principal, accountId: `acct_${side}` }, store }),
    );
  const inProcess = governedOn(inMemory, memory);
  const durable = governedOn(onDisk, disk);
  const { ticker, askCents } = await someMarket(memory);
  const wishes = sides.map((side) => {
    const yesCents = (askCents ?? 50) - 1;
    const priceCents = side === "yes" ? yesCents : 100 - yesCents;
    return { order: { ticker, side, action: "buy", quantity: 1 } as const, priceCents };
  });
  let book: Book = { bids: [], asks: [] };
  let count = 0;
  const match = (action: "buy" | "sell") => {
    const order: StandingOrder = {
      accountId: action,
      orderId: String(++count),
      action,
      side: "yes",
      priceCents: 50,
      quantity: 1,
    };
    ({ book } = matchOrder(book, order, true));
  };
  const call = async (callers: typeof durable) => {
    for (const [index, { order, priceCents }] of wishes.entries())
      await callers[index]?.call("paper.order", { ...order, limitPriceCents: priceCents });
  };
  return {
    title: "two orders, one of which meets the other",
    isAsync: true,
    turnCalls: 32,
    contenders: {
      "the matcher alone": () => {
        match("buy");
        match("sell");
      },
      "the exchange, in memory": async () => {
        for (const { order, priceCents } of wishes)
          await memory.paper.place(order.side, `k${++count}`, { ...order, limitCents: priceCents });
      },
      "the whole governed path, in memory": () => call(inProcess),
      "the whole governed path, on disk (FULL)": () => call(durable),
    },
    dispose: async () => {
      await Promise.all([...inProcess, ...durable].map((caller) => caller.close()));
      await onDisk.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const questions = [
  "rain in lisbon",
  "inflation",
  "above 24",
  "will the open model score",
  "otters league points",
];

async function search() {
  const store = createMemoryStore();
  const markets = await openMarkets({ store, series: 25_000 });
  const governed = govern({ packs: [markets.pack], policy, principal, store });
  const [rows] = await Promise.all(markets.readers.slice(0, 1).map((reader) => reader.rows()));
  const ask = async (query: string | undefined) =>
    await timed(() => governed.call("markets.search", query === undefined ? {} : { query }));
  const first = await ask(questions[0]);
  const later: number[] = [];
  const without: number[] = [];
  for (let round = 0; round < 20; round++) {
    for (const question of questions) {
      later.push(await ask(question));
    }
    without.push(await ask(undefined));
  }
  const measured = against(median(later), [
    [`a question (${rows?.length ?? 0} markets)`, median(later)],
    ["without words, by volume", median(without)],
    ["the first of a start, with all of the index", first],
  ]);
  await governed.close();
  return { title: "a search over 100,000 markets", measured };
}

async function freshStart() {
  const opened: number[] = [];
  const read: number[] = [];
  for (let round = 0; round < 7; round++) {
    const store = createMemoryStore();
    const begun = performance.now();
    const { pack } = await openMarkets({ store, seed: `bench-${round}` });
    const governed = govern({ packs: [pack], policy, principal, store });
    opened.push(performance.now() - begun);
    read.push(await timed(() => governed.call("world.read", {})));
    await governed.close();
  }
  const measured = against(median(opened), [
    ["the pack is open", median(opened)],
    ["the first world.read after that", median(read)],
  ]);
  return { title: "a fresh start with the default seed", measured };
}

async function firstReads() {
  const since = new Date(Date.now() - 86_400_000).toISOString();
  const reads = [
    ["world.delta, since a day ago", "world.delta", { since }],
    ["index.history, 90 hours", "index.history", { interval: "1h", points: 90 }],
    ["index.history, 90 days", "index.history", { interval: "1d", points: 90 }],
  ] as const;
  const measured: [string, number][] = [];
  for (const [name, tool, input] of reads) {
    const took: number[] = [];
    for (let round = 0; round < 3; round++) {
      const store = createMemoryStore();
      const { pack } = await openMarkets({ store, seed: `bench-${round}` });
      const governed = govern({ packs: [pack], policy, principal, store });
      // What is now has been read already: only the past is new.
      await governed.call("world.read", {});
      took.push(await timed(() => governed.call(tool, input)));
      await governed.close();
    }
    measured.push([name, median(took)]);
  }
  const title = "what reads cost the first time";
  return { title, measured: against(measured[0]?.[1] ?? Number.NaN, measured) };
}

/** One that is open for long, with room between bid and ask. */
async function someMarket({ readers }: Markets): Promise<MarketRow> {
  const rows = (await readers[0]?.rows()) ?? [];
  const roomy = rows.filter(({ bidCents, askCents }) => (askCents ?? 0) - (bidCents ?? 99) >= 3);
  const [lasting] = roomy.toSorted((a, b) => b.closesAt - a.closesAt);
  if (lasting === undefined) throw new Error("there is no market to trade in");
  return lasting;
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

function against(first: number, values: readonly (readonly [string, number])[]): Measured[] {
  return values.map(([name, ms]) => ({ name, nsPerOp: ms * 1000, ratio: ms / first, unit: "µs" }));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
