// Armed intents under `sf up`: nobody calls, and they fire all the same, while the key that armed them may still order.
import { loadInstallation } from "@spfunctions/host/installation";
import { openSqliteStore } from "@spfunctions/host/store";
import { openMarkets } from "@spfunctions/markets";
import { openPlatform, type Platform, type PlatformOptions } from "@spfunctions/server";
import { expect, test } from "vitest";
import { Home } from "../test-data/run-sf.ts";
import {
  answerWhen,
  askMarkets,
  endMarkets,
  keyOf,
  lastingTicker,
  type MarketsUp,
  startMarkets,
} from "../test-data/run-up-markets.ts";

const trader: Parameters<Platform["createKey"]>[1] = {
  name: "trader",
  scopes: ["read", "write", "trade"],
  trade: {
    allowedVenues: ["embedded"],
    maxOrderCostCents: 1000,
    maxQuantity: 10,
    dryRunOnly: false,
    allowAutoExecute: true,
  },
};

/** An order whose trigger holds wherever the book is. */
const waitingIn = (ticker: string) => ({
  venue: "embedded",
  ticker,
  action: "buy",
  side: "yes",
  quantity: 2,
  limitPriceCents: 99,
  dryRun: false,
  trigger: { when: "ask_at_or_below", priceCents: 99 },
  autoExecute: true,
});

type Answered = {
  readonly intent: {
    readonly intentId: string;
    readonly state: string;
    readonly history: readonly { readonly state: string; readonly reason?: string }[];
  };
};

/** Looks at an intent until it waits no longer. */
async function intentAfter(home: Home, up: MarketsUp, intentId: string, key: string) {
  const ask = () => askMarkets(home, up, `/api/intents/${intentId}`, { key });
  const hasEnded = ({ intent }: Answered) => intent.state === "filled" || intent.state === "stopped";
  return (await answerWhen<Answered>(ask, hasEnded)).intent;
}

async function traderIn(home: Home, up: MarketsUp): Promise<string> {
  const made = await askMarkets(home, up, "/api/keys", { key: keyOf(home, "operator"), body: trader });
  return (made as { readonly secret: string }).secret;
}

test("an armed intent whose trigger holds fires, and nobody has called for it", async () => {
  const home = new Home();
  const body = waitingIn(await lastingTicker());
  const up = await startMarkets(home);
  const key = await traderIn(home, up);
  const { intent } = (await askMarkets(home, up, "/api/execution/orders", { key, body })) as Answered;
  const { state, history } = await intentAfter(home, up, intent.intentId, key);
  expect([intent.state, state, history.map((entry) => entry.state)]).toStrictEqual([
    "armed",
    "filled",
    ["pending", "armed", "triggered", "executing", "filled"],
  ]);
});

test("G1: one whose key was revoked meanwhile sends nothing, and says why", async () => {
  const home = new Home();
  const ticker = await lastingTicker();
  await endMarkets(await startMarkets(home), "SIGTERM");
  const intentId = await armAndRevoke(home, ticker);

  const up = await startMarkets(home);
  const key = await traderIn(home, up);
  expect(await intentAfter(home, up, intentId, key)).toMatchObject({
    state: "stopped",
    stoppedBy: { code: "invalid_api_key" },
    history: [
      { state: "pending" },
      { state: "armed" },
      { state: "triggered" },
      { state: "stopped", reason: expect.stringContaining("was revoked or has expired; order it again") },
    ],
  });
  await up.up.says(`"event":"markets.stopped"`);
  expect(await askMarkets(home, up, "/api/intents?state=stopped", { key })).toMatchObject({
    items: [{ intentId, stoppedBy: { code: "invalid_api_key" } }],
  });
  expect(await askMarkets(home, up, "/api/portfolio?ledger=live", { key })).toMatchObject({
    openOrders: 0,
    positions: [],
  });
});

/** Works on a platform that lets no time pass in its markets: nothing fires there. */
async function whileQuiet<Done>(
  home: Home,
  act: (platform: Platform) => Promise<Done>,
  rules: PlatformOptions["rules"] = [],
): Promise<Done> {
  const store = await openSqliteStore({ folder: home.path(".sf") });
  const { installation } = loadInstallation({ env: home.env });
  const mayCall: Platform["mayCall"] = (...key) => platform.mayCall(...key);
  const fire: Platform["callOrdered"] = (order) => platform.callOrdered(order);
  const { pack } = await openMarkets({ store, installation, mayCall, fire });
  const platform: Platform = await openPlatform({ store, installation, packs: [pack], rules });
  try {
    return await act(platform);
  } finally {
    await platform.close();
    await store.close();
  }
}

async function armOn(platform: Platform, ticker: string) {
  const { key, secret } = await platform.createKey("local", trader);
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const asked = { method: "POST", headers, body: JSON.stringify(waitingIn(ticker)) };
  const answer = await platform.fetch(new Request("http://localhost/api/execution/orders", asked));
  const { data } = (await answer.json()) as { readonly data: Answered };
  expect(data.intent.state).toBe("armed");
  return { key, headers, intentId: data.intent.intentId };
}

/** Arms with a key and ends that key, before anything can fire. */
async function armAndRevoke(home: Home, ticker: string): Promise<string> {
  return await whileQuiet(home, async (platform) => {
    const { key, intentId } = await armOn(platform, ticker);
    const operator = { authorization: `Bearer ${keyOf(home, "operator")}` };
    const ending = { method: "DELETE", headers: operator };
    const ended = await platform.fetch(new Request(`http://localhost/api/keys/${key.keyId}`, ending));
    expect(ended.status).toBe(200);
    return intentId;
  });
}

test("G1: a command that makes one call fires no order: it does not know under which rules the platform is", async () => {
  const home = new Home();
  const ticker = await lastingTicker();
  await endMarkets(await startMarkets(home), "SIGTERM");
  // It lets orders be armed, and none be sent.
  let calls = 0;
  const rules = [
    {
      id: "closed",
      version: "1",
      evaluatePreTool: ({ tool }: { readonly tool: string }) =>
        tool === "execution.place" && calls++ > 0
          ? ({ outcome: "deny", reason: "closed" } as const)
          : ({ outcome: "allow" } as const),
    },
  ];
  const { intentId, headers } = await whileQuiet(home, (platform) => armOn(platform, ticker), rules);
  for (const argv of [
    ["agent", "--tool", "markets.screen", "--input", '{"by":"volume"}'],
    ["keys", "ls"],
  ])
    expect((await home.run(argv)).code).toBe(0);
  const { data } = await whileQuiet(home, async (platform) => {
    const answer = await platform.fetch(new Request(`http://localhost/api/intents/${intentId}`, { headers }));
    return (await answer.json()) as { readonly data: Answered };
  });
  expect(data.intent.history.map(({ state }) => state)).toStrictEqual(["pending", "armed"]);
});
