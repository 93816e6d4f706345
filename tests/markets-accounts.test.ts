// I1: nothing that one account trades, drafts or saves can be seen, named or changed with another account's key, and what is not
// yours is answered as what is not there.
import { type ContractTool, encodeToolInput, toolRouteOf } from "@spfunctions/contracts";
import { startOfEvents, verifyAccount } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { neutralWordsOf, textUntil } from "../packages/server/test-data/answer-words.ts";
import { type Answer, ask, type Asked } from "../packages/server/test-data/test-platform.ts";
import { type MarketsHouse, marketsHouse, mighty, soundInputs } from "./test-data/markets-house.ts";

const mark = "zebra-of-the-first-account";
const sameKey = { "idempotency-key": "same-key" };
const ownCall = /"type":"tool\.completed",[^\n]*"tool":"watchlists\.add"/;
const trigger = { when: "ask_at_or_below", priceCents: 1 } as const;

/** What was answered; a refusal is none. */
function dataOf({ status, body }: Answer): unknown {
  if (!body.ok) throw new Error(`${status}: ${body.error.message}`);
  return body.data;
}

type Ordered = { readonly order: { readonly orderId: string } };
type Drafted = { readonly intent: { readonly intentId: string } };

/** An account that has traded on both ledgers, drafted, armed and saved; and all names that belong to it. */
async function inhabited(house: MarketsHouse) {
  const key = await house.key("acct_first", { ...mighty, name: mark });
  const { ticker } = house;
  const answers: Answer[] = [];
  const act = async (path: string, body: object, headers = {}): Promise<unknown> => {
    const answer = await ask(house, path, { key, body, headers });
    answers.push(answer);
    return dataOf(answer);
  };
  const order = { ticker, action: "buy", side: "yes", quantity: 2 };
  const standing = { ...order, limitPriceCents: 1 };
  const draft = { ...standing, venue: "embedded" };
  const paper = (await act("/api/paper/orders", standing, sameKey)) as Ordered;
  await act("/api/paper/orders", order);
  const live = (await act("/api/execution/orders", { ...draft, dryRun: false }, sameKey)) as Ordered;
  await act("/api/execution/orders", { ...draft, limitPriceCents: 99, dryRun: false });
  const drafted = (await act("/api/intents", draft)) as Drafted;
  const waiting = (await act("/api/intents", { ...draft, trigger })) as Drafted;
  const armed = (await act("/api/execution/orders", {
    ...draft,
    trigger,
    autoExecute: true,
    dryRun: false,
  })) as Drafted;
  const list = (await act("/api/watchlists", { name: mark, ticker })) as {
    watchlist: { watchlistId: string };
  };
  const rule = (await act("/api/alert-rules", {
    ticker,
    when: { type: "closing_soon", withinMinutes: 7 },
  })) as { alertRule: { alertRuleId: string } };
  const trades = await Promise.all(
    ["live", "paper"].map((ledger) => ask(house, `/api/portfolio/trades?ledger=${ledger}`, { key })),
  );
  const tradeIds = trades.flatMap((answer) =>
    (dataOf(answer) as { items: { tradeId: string }[] }).items.map(({ tradeId }) => tradeId),
  );
  expect(tradeIds).toHaveLength(2);
  const receipts = answers.map(({ body }) => body.meta.receipt);
  const names = {
    orderId: paper.order.orderId,
    liveOrderId: live.order.orderId,
    intentId: drafted.intent.intentId,
    waitingId: waiting.intent.intentId,
    armedId: armed.intent.intentId,
    watchlistId: list.watchlist.watchlistId,
    alertRuleId: rule.alertRule.alertRuleId,
    tradeId: tradeIds[0] ?? "",
    otherTradeId: tradeIds[1] ?? "",
    runId: receipts[0]?.runId ?? "",
    keyId: receipts[0]?.principal.keyId ?? "",
  };
  const runs = receipts.flatMap((receipt) => [receipt?.runId ?? "", receipt?.callId ?? ""]);
  const secrets = [mark, "acct_first", key, ...Object.values(names), ...runs];
  for (const one of secrets) expect(one.length).toBeGreaterThan(5);
  return { key, names, secrets, draft };
}

/** What the first account can see of itself. */
async function ownView(house: MarketsHouse, key: string): Promise<unknown> {
  const paths = [
    "/api/paper/orders",
    "/api/portfolio?ledger=live",
    "/api/portfolio?ledger=paper",
    "/api/portfolio/trades?ledger=live",
    "/api/portfolio/trades?ledger=paper",
    "/api/watchlists",
    "/api/alert-rules",
  ];
  const answers: unknown[] = [];
  for (const path of paths) answers.push(dataOf(await ask(house, path, { key })));
  return answers;
}

/** A request to a tool, with whatever the input has that names something of another's. */
function callOf(tool: ContractTool, input: Readonly<Record<string, unknown>>): { path: string } & Asked {
  const route = toolRouteOf(tool);
  if (route === undefined) throw new Error(`${tool.name} has no route`);
  return { method: route.method, ...encodeToolInput(route, input) };
}

/** A runtime that is stopped answers nothing else. */
function stoppingLast(tools: readonly ContractTool[]): readonly ContractTool[] {
  const last = tools.filter(({ name }) => name === "runtime.stop");
  return [...tools.filter((tool) => !last.includes(tool)), ...last];
}

type Names = Awaited<ReturnType<typeof inhabited>>["names"];

/** What a stranger would send to each tool who knows every name of the first account. */
function pryingInputs(house: MarketsHouse, names: Names): Readonly<Record<string, object>> {
  const sound = soundInputs(house.ticker);
  return {
    ...sound,
    "execution.place": { ...sound["execution.place"], intentId: names.intentId },
    "intents.cancel": { intentId: names.armedId },
    "intents.get": { intentId: names.intentId },
    "paper.cancel": { orderId: names.orderId },
    "keys.create": { name: "second" },
    "keys.revoke": { keyId: names.keyId },
    "keys.rotate": { keyId: names.keyId },
    "manifest.get": { name: "world.read" },
    "tokens.create": { origin: "https://app.example.com" },
  };
}

describe.each(["socket", "embedded"] as const)("another account's key, on the markets (%s)", (way) => {
  test("I1: sees nothing of an account on any route that there is, and changes nothing of it", async () => {
    const house = await marketsHouse(way);
    const { key: first, names, secrets } = await inhabited(house);
    const before = await ownView(house, first);
    const key = await house.key("acct_second", mighty);
    const prying = pryingInputs(house, names);
    const seen = new Map<string, string>();
    for (const secret of [names.orderId, names.tradeId, names.watchlistId, names.alertRuleId, mark])
      expect(JSON.stringify(before)).toContain(secret);
    for (const tool of stoppingLast(house.platform.manifest.tools)) {
      const { path, ...asked } = callOf(tool, { ...prying[tool.name] });
      const { body } = await ask(house, path, { ...asked, key, headers: sameKey });
      seen.set(tool.name, JSON.stringify(body));
    }
    for (const path of ["/api/health", "/api/contracts/tools?mode=review", "/api/openapi.json"]) {
      const answer = await house.fetch(new Request(`${house.baseUrl}${path}`));
      seen.set(path, await answer.text());
    }
    expect(seen.size).toBe(house.platform.manifest.tools.length + 3);
    const told = [...seen].flatMap(([where, text]) =>
      secrets.filter((secret) => text.includes(secret)).map((secret) => [where, secret]),
    );
    expect(told).toStrictEqual([]);
    expect(await ownView(house, first)).toStrictEqual(before);
    expect(await ask(house, `/api/intents/${names.armedId}`, { key: first })).toMatchObject({
      body: { data: { intent: { state: "armed" } } },
    });
    for (const account of ["acct_first", "acct_second"])
      expect(await verifyAccount(house.store, account)).not.toMatchObject({ status: "broken" });
  });

  test("I1: gets for what is another's the answer for what never was, but for ids and times", async () => {
    const house = await marketsHouse(way);
    const { names, draft } = await inhabited(house);
    const key = await house.key("acct_second", mighty);
    const noOrder = "ord_00000000-0000-4000-8000-000000000000";
    const noIntent = "int_00000000-0000-4000-8000-000000000000";
    const noRun = "run_00000000-0000-4000-8000-000000000000";
    const place = (intentId: string, more: object = {}) =>
      ["/api/execution/orders", { body: { ...draft, dryRun: false, intentId, ...more } }] as const;
    const armed = { trigger, autoExecute: true };
    const pairs: readonly (readonly [readonly [string, Asked?], readonly [string, Asked?], number])[] = [
      ...[names.orderId, names.liveOrderId].map(
        (orderId) =>
          [
            [`/api/paper/orders/${orderId}/cancel`, { body: {} }],
            [`/api/paper/orders/${noOrder}/cancel`, { body: {} }],
            404,
          ] as const,
      ),
      ...[names.intentId, names.waitingId, names.armedId].flatMap(
        (intentId) =>
          [
            [[`/api/intents/${intentId}`], [`/api/intents/${noIntent}`], 404],
            [
              [`/api/intents/${intentId}/cancel`, { body: {} }],
              [`/api/intents/${noIntent}/cancel`, { body: {} }],
              404,
            ],
            [place(intentId), place(noIntent), 404],
            [place(intentId, { dryRun: true }), place(noIntent, { dryRun: true }), 404],
            [place(intentId, armed), place(noIntent, armed), 404],
          ] as const,
      ),
      [[`/api/runs/${names.runId}/events`], [`/api/runs/${noRun}/events`], 404],
      [[`/api/paper/orders?after=${names.orderId}`], [`/api/paper/orders?after=${noOrder}`], 200],
    ];
    for (const [theirs, nobodys, status] of pairs) {
      const [first, second] = [
        await ask(house, theirs[0], { ...theirs[1], key }),
        await ask(house, nobodys[0], { ...nobodys[1], key }),
      ];
      expect([theirs[0], first.status]).toStrictEqual([theirs[0], status]);
      expect(neutralWordsOf(first)).toBe(neutralWordsOf(second));
    }
    expect((await house.markets.live.portfolio("acct_second")).openOrders).toBe(0);
  });

  test("I1: pages on from a name of another's through its own things alone", async () => {
    const house = await marketsHouse(way);
    const { names, secrets } = await inhabited(house);
    const key = await house.key("acct_second", mighty);
    const cursors: readonly (readonly [string, readonly string[]])[] = [
      ["/api/paper/orders?", [names.orderId]],
      ["/api/portfolio/trades?ledger=live&", [names.tradeId, names.otherTradeId]],
      ["/api/portfolio/trades?ledger=paper&", [names.tradeId, names.otherTradeId]],
      ["/api/watchlists?", [names.watchlistId, "count", "a"]],
      ["/api/alert-rules?", [names.alertRuleId, "count", "a"]],
    ];
    for (const [path, places] of cursors)
      for (const place of places) {
        const { body } = await ask(house, `${path}after=${place}`, { key });
        expect(body.ok ? body.data : { items: [] }).toMatchObject({ items: [] });
        for (const secret of secrets) expect(JSON.stringify(body)).not.toContain(secret);
      }
  });

  test("I1: is told nothing of an idempotency key that another account traded with", async () => {
    const house = await marketsHouse(way);
    const { draft, names } = await inhabited(house);
    const key = await house.key("acct_second", mighty);
    const wanted = { ticker: house.ticker, action: "buy", side: "no", quantity: 1, limitPriceCents: 2 };
    const paper = await ask(house, "/api/paper/orders", { key, headers: sameKey, body: wanted });
    const live = await ask(house, "/api/execution/orders", {
      key,
      headers: sameKey,
      body: { ...draft, quantity: 1, dryRun: false },
    });
    for (const answer of [paper, live]) {
      expect(answer).toMatchObject({ status: 200, body: { ok: true, data: { order: { quantity: 1 } } } });
      expect(answer.body.meta).not.toHaveProperty("replayed");
      expect([names.orderId, names.liveOrderId]).not.toContain((dataOf(answer) as Ordered).order.orderId);
    }
  });

  test("I1: has its own events only, also with a cursor that was another's", async () => {
    const house = await marketsHouse(way);
    const { key: first, secrets, names } = await inhabited(house);
    const second = await house.key("acct_second", mighty);
    const stream = async (key: string, after: string) => {
      const headers = { authorization: `Bearer ${key}`, "last-event-id": after };
      return await house.fetch(new Request(`${house.baseUrl}/api/events`, { headers }));
    };
    const theirs = await textUntil(await stream(first, startOfEvents), (text) => text.includes(names.runId));
    const cursors = [...theirs.matchAll(/^id: (.*)$/gm)].map(([, id = ""]) => id);
    expect(cursors.length).toBeGreaterThan(1);
    const own = await stream(second, startOfEvents);
    await ask(house, "/api/watchlists", { key: second, body: { name: "own", ticker: house.ticker } });
    const text = await textUntil(own, (soFar) => ownCall.test(soFar));
    expect(text).toMatch(ownCall);
    for (const secret of secrets) expect(text).not.toContain(secret);
    for (const cursor of [cursors[1] ?? "", cursors.at(-1) ?? ""]) {
      const [theirPlace, noPlace] = await Promise.all(
        [cursor, cursor.replace(/^seg_[^:]+/, noSegment)].map((place) => stream(second, place)),
      );
      expect(theirPlace?.status).toBe(400);
      expect(withoutRequest(await theirPlace?.text())).toBe(withoutRequest(await noPlace?.text()));
    }
  });
});

const noSegment = "seg_00000000-0000-4000-8000-000000000000";

function withoutRequest(text = ""): string {
  return text.replace(/req_[\w-]+/, "");
}
