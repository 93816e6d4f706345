import { defineTool } from "@spfunctions/kernel";
import { classPack } from "../packages/server/test-data/class-pack.ts";
import { testPlatform, type TestPlatform } from "../packages/server/test-data/test-platform.ts";
import { agentPlan } from "./test-data/agent-plan.ts";
import { marketsHouse, mighty, soundInputs, trade } from "./test-data/markets-house.ts";

const order = { venue: "kalshi", side: "yes", quantity: 3, limitPriceCents: 40, dryRun: false } as const;
const rails = { allowedVenues: ["kalshi"], maxOrderCostCents: 1000, maxQuantity: 10, dryRunOnly: false };

/** Two classes of the test pack under names that the client does not know by itself: it goes where the contract says. */
const strangers = [
  defineTool({
    name: "desk.trade",
    description: "Places a live order.",
    input: { type: "object" },
    output: {},
    permissions: ["desk:trade"],
    sideEffect: "live_trade",
    costEffect: "venue_request_cost",
    trade: {
      venue: "/venue",
      side: "/side",
      quantity: "/quantity",
      limitPriceCents: "/limitPriceCents",
      dryRun: "/dryRun",
    },
    http: { method: "POST", path: "/api/desk" },
    run: (given) => given,
  }),
  defineTool({
    name: "essay.write",
    description: "Asks a model.",
    input: { type: "object" },
    output: {},
    permissions: ["essay:write"],
    sideEffect: "none",
    costEffect: "llm_cost",
    http: { method: "POST", path: "/api/essay" },
    run: (given) => given,
  }),
];

// proves KEY-12.13
agentPlan<TestPlatform>("Agent tests", {
  ways: ["socket", "embedded"],
  house: (way) => testPlatform(way, { packs: [classPack([]), strangers] }),
  mighty: { scopes: ["read", "write", "trade"], trade: rails },
  reads: () => ["world.read", { text: "hello" }],
  writes: () => ["notes.add", { text: "hello" }],
  asksModel: () => ["essay.write", { about: "hello" }],
  trades: () => ["desk.trade", order],
  tradePolicy: { maxSideEffect: "live_trade", trade: rails },
});

const inputOf = (tool: string, ticker: string) => [tool, soundInputs(ticker)[tool] ?? {}] as const;

agentPlan("Agent tests on the markets", {
  ways: ["embedded"],
  house: marketsHouse,
  mighty,
  reads: ({ ticker }) => inputOf("world.read", ticker),
  writes: ({ ticker }) => inputOf("watchlists.add", ticker),
  asksModel: ({ ticker }) => inputOf("brief.write", ticker),
  trades: ({ ticker }) => inputOf("execution.place", ticker),
  tradePolicy: { maxSideEffect: "live_trade", trade },
});
