// A platform with the prediction markets, which ends with its test: a small world that stands still at one moment.
import { createMemoryStore } from "@spfunctions/kernel";
import { fixedAnswerModel, type Markets, type MarketsOptions, openMarkets } from "@spfunctions/markets";
import { ManualClock } from "../../packages/kernel/test-data/call-clock.ts";
import {
  installation,
  type TestPlatform,
  testPlatform,
  type Way,
} from "../../packages/server/test-data/test-platform.ts";
import type { Platform } from "../../packages/server/src/open-platform.ts";
import type { PlatformOptions } from "../../packages/server/src/platform-options.ts";

/** What the markets take for now. */
export const moment = Date.parse("2026-11-16T12:00:30.000Z");

/** Guardrails under which a small live order of these tests passes, at once or by itself later. */
export const trade = {
  allowedVenues: ["embedded"],
  maxOrderCostCents: 10_000,
  maxQuantity: 100,
  dryRunOnly: false,
  allowAutoExecute: true,
};

/** A key that may do whatever a key may. */
export const mighty = { scopes: ["read", "write", "trade", "admin"], trade } as const;

export type MarketsHouse = TestPlatform & {
  readonly markets: Markets;
  /** The markets' own: the platform lives in the time of day. */
  readonly clock: ManualClock;
  /** Open for days, with bids and asks. */
  readonly ticker: string;
};

type HouseTerms = Pick<Partial<PlatformOptions>, "log" | "store" | "policy"> & {
  /** The time of day of the platform; the machine's unless given. */
  readonly dayClock?: PlatformOptions["clock"];
  /** Where the markets are opened otherwise than these tests do. */
  readonly markets?: Omit<Partial<MarketsOptions>, "store" | "clock">;
};

/** Put together as docs/markets.md shows it: the platform is asked whether a key may still order, and fires what was armed. */
export async function marketsHouse(
  way: Way = "embedded",
  { markets: otherwise, store = createMemoryStore(), dayClock, ...options }: HouseTerms = {},
): Promise<MarketsHouse> {
  const clock = new ManualClock(moment);
  const markets = await openMarkets({
    store,
    clock,
    installation,
    model: fixedAnswerModel("Nobody real trades here."),
    series: 12,
    mayCall: (...key) => platform.mayCall(...key),
    explainCall: (...key) => platform.explainCall(...key),
    fire: (order) => platform.callOrdered(order),
    ...otherwise,
  });
  const house = await testPlatform(way, { ...options, clock: dayClock, store, packs: [markets.pack] });
  const platform: Platform = house.platform;
  return { ...house, markets, clock, ticker: await lastingTicker(markets) };
}

async function lastingTicker({ readers }: Markets): Promise<string> {
  const rows = (await readers[0]?.rows()) ?? [];
  const lasting = rows.find(
    ({ status, bidCents, askCents, closesAt }) =>
      status === "open" &&
      (bidCents ?? 0) > 5 &&
      (askCents ?? 100) < 95 &&
      closesAt > moment + 3 * 86_400_000,
  );
  if (lasting === undefined) throw new Error("no market of the embedded venue lasts");
  return lasting.ticker;
}

/** An input that each tool of the markets takes, whatever else there is. */
export function soundInputs(ticker: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const since = new Date(moment - 3_600_000).toISOString();
  const order = { ticker, action: "buy", side: "yes", quantity: 2 };
  const draft = { venue: "embedded", ...order, limitPriceCents: 1 };
  return {
    "alerts.create": { ticker, when: { type: "closing_soon", withinMinutes: 60 } },
    "alerts.list": {},
    "brief.write": { tickers: [ticker] },
    "calendar.list": {},
    "crossvenue.pairs": {},
    "execution.place": { ...draft, dryRun: false },
    "index.current": {},
    "index.history": { interval: "1d", points: 2 },
    "intents.cancel": { intentId: "int_00000000-0000-4000-8000-000000000000" },
    "intents.create": draft,
    "intents.get": { intentId: "int_00000000-0000-4000-8000-000000000000" },
    "intents.list": {},
    "market.candles": { ticker, interval: "1h" },
    "market.inspect": { ticker },
    "markets.screen": { by: "volume" },
    "markets.search": { query: "will" },
    "paper.cancel": { orderId: "ord_00000000-0000-4000-8000-000000000000" },
    "paper.order": { ...order, limitPriceCents: 1 },
    "paper.orders": {},
    "portfolio.state": { ledger: "paper" },
    "portfolio.trades": { ledger: "paper" },
    "regime.scan": {},
    "research.query": { question: "What closes next?" },
    "watchlists.add": { name: "mine", ticker },
    "watchlists.list": {},
    "world.delta": { since },
    "world.read": {},
  };
}
