import type { SimpleFunctions } from "@spfunctions/sdk";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type MarketsHouse, marketsHouse, mighty, moment, soundInputs } from "./test-data/markets-house.ts";
import { openClient, sdkPlan } from "./test-data/sdk-plan.ts";

/** The addresses and names that this process reaches for from now on. */
function reachedFrom(): ReadonlySet<string> {
  const reached = new Set<string>();
  const watch = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on("connectionAttempt", (address) => reached.add(address));
    socket.on("lookup", (_, __, ___, host) => reached.add(host));
  };
  subscribe("net.client.socket", watch);
  onTestFinished(() => void unsubscribe("net.client.socket", watch));
  return reached;
}

/** Every tool of the markets by its typed method, each with what a person would ask. */
function everyMethod(client: SimpleFunctions, { ticker }: Pick<MarketsHouse, "ticker">) {
  const order = { ticker, action: "buy", side: "yes", quantity: 2, limitPriceCents: 1 } as const;
  const draft = { ...order, venue: "embedded" } as const;
  const drafted = async () => (await client.intents.create(draft)).intent.intentId;
  return {
    "alerts.create": () =>
      client.alerts.create({ ticker, when: { type: "price_crosses", priceCents: 60, direction: "up" } }),
    "alerts.list": () => client.alerts.list(),
    "brief.write": () => client.brief.write({ tickers: [ticker] }),
    "calendar.list": () => client.calendar.list({ days: 30 }),
    "crossvenue.pairs": () => client.crossvenue.pairs({ limit: 3 }),
    "execution.place": () => client.execution.place({ ...draft, dryRun: false }),
    "index.current": () => client.index.current(),
    "index.history": () => client.index.history({ interval: "1h", points: 3 }),
    "intents.cancel": async () => await client.intents.cancel(await drafted()),
    "intents.create": () => client.intents.create(draft),
    "intents.get": async () => await client.intents.get({ intentId: await drafted() }),
    "intents.list": async () => {
      await drafted();
      return await client.intents.list({ state: "pending" });
    },
    "market.candles": () => client.market.candles({ ticker, interval: "1h" }),
    "market.inspect": () => client.market.inspect(ticker),
    "markets.screen": () => client.markets.screen({ by: "closing", limit: 2 }),
    "markets.search": () => client.markets.search({ query: "will", limit: 2 }),
    "paper.cancel": async () => await client.paper.cancel((await client.paper.order(order)).order.orderId),
    "paper.order": () => client.paper.order(order, { idempotencyKey: "once" }),
    "paper.orders": () => client.paper.orders({ status: "open" }),
    "portfolio.state": () => client.portfolio.state({ ledger: "paper" }),
    "portfolio.trades": () => client.portfolio.trades(),
    "regime.scan": () => client.regime.scan(),
    "research.query": () => client.research.query({ question: "What will close next?" }),
    "watchlists.add": () => client.watchlists.add({ name: "mine", ticker }),
    "watchlists.list": () => client.watchlists.list(),
    "world.delta": () => client.world.delta({ since: new Date(moment - 3_600_000).toISOString() }),
    "world.read": () => client.world.read(),
  };
}

sdkPlan("SDK tests on the markets", {
  house: marketsHouse,
  calls: everyMethod,
  unknown: [],
  sideEffecting: "paper.order",
  freeRead: (client) => client.calendar.list({ limit: 2 }),
  freeAnswer: expect.objectContaining({
    synthetic: true,
    items: [expect.objectContaining({ synthetic: true }), expect.objectContaining({ synthetic: true })],
  }),
  misplacedKey: (client, key, { ticker }) => {
    const order = { action: "buy", side: "yes", quantity: 1 } as const;
    const { watchlists, intents } = client;
    return [
      ["not_found", () => client.market.inspect(key)],
      ["invalid_input", () => client.markets.search({ after: key })],
      ["invalid_input", () => client.paper.order({ ticker: key, ...order })],
      ["invalid_input", () => client.brief.write({ topic: key })],
      ["invalid_input", () => watchlists.add({ name: key, ticker: key })],
      ["invalid_input", () => watchlists.add({ name: key, ticker })],
      ["invalid_input", () => watchlists.add({ name: "mine", ticker: key })],
      ["invalid_input", () => watchlists.add({ name: "mine", tickers: [ticker, key] })],
      ["invalid_input", () => watchlists.add({ name: "mine", ticker, venue: key })],
      ["invalid_input", () => intents.create({ venue: key, ticker, ...order })],
      ["invalid_input", () => intents.create({ venue: "embedded", ticker: key, ...order })],
      [
        "invalid_input",
        () => client.alerts.create({ ticker: key, when: { type: "closing_soon", withinMinutes: 5 } }),
      ],
    ];
  },
});

describe.each(["socket", "embedded"] as const)("SDK tests on the markets (%s)", (way) => {
  // proves KEY-2.2
  test("with a key every typed method of the markets answers, and nothing leaves the machine", async () => {
    const house = await marketsHouse(way);
    const { ticker } = house;
    const { client } = openClient(house, way, await house.key("acct_1", mighty));
    const reached = reachedFrom();
    const methods = everyMethod(client, house);
    expect(Object.keys(methods)).toStrictEqual(Object.keys(soundInputs(ticker)));
    const active = new Set(house.platform.manifest.tools.map(({ name }) => name));
    const own = house.markets.pack.map(({ contract }) => contract.name).filter((name) => active.has(name));
    expect(own.toSorted()).toStrictEqual(Object.keys(methods));
    const answers: Record<string, unknown> = {};
    for (const [name, call] of Object.entries(methods)) answers[name] = await call();
    expect(answers).toMatchObject({
      "world.read": { synthetic: true, at: new Date(moment).toISOString() },
      "market.inspect": { synthetic: true, ticker, venue: "embedded" },
      "paper.order": { synthetic: true, order: { status: "open" } },
      "paper.cancel": { synthetic: true, order: { status: "cancelled" } },
      "paper.orders": { synthetic: true, items: [{ ticker, limitPriceCents: 1 }] },
      "execution.place": { synthetic: true, dryRun: false, order: { status: "open" } },
      "intents.cancel": { intent: { state: "cancelled", synthetic: true } },
      "intents.get": { intent: { state: "pending", synthetic: true } },
      "intents.list": { items: expect.arrayContaining([expect.objectContaining({ state: "pending" })]) },
      "watchlists.list": { items: [{ name: "mine", markets: [{ venue: "embedded", ticker }] }] },
      "brief.write": { synthetic: true, model: "fixed-answer", sources: [{ ticker, synthetic: true }] },
    });
    const plain = new Set(["alerts.create", "alerts.list", "watchlists.add", "watchlists.list"]);
    const ofVenues = Object.entries(answers).filter(([name]) => !plain.has(name));
    const silent = ofVenues.filter(([, answer]) => !JSON.stringify(answer).includes('"synthetic":true'));
    expect(silent).toStrictEqual([]);
    expect(reached).toStrictEqual(new Set(way === "socket" ? ["127.0.0.1"] : []));
  });
});
