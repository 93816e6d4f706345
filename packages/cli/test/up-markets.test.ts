// The prediction markets of `sf up`, as the real program and in processes of its own: started again, seeded, and left out.
import { createMemoryStore } from "@spfunctions/kernel";
import { openMarkets } from "@spfunctions/markets";
import { describe, expect, test } from "vitest";
import { Home } from "../test-data/run-sf.ts";
import { verified } from "../test-data/run-up.ts";
import {
  askMarkets,
  buying,
  endMarkets,
  holdingsOf,
  lastingTicker,
  startMarkets,
} from "../test-data/run-up-markets.ts";

const hour = 3_600_000;

test("a fresh start serves the world and takes orders on paper with the starter key; the next start has kept them", async () => {
  const home = new Home();
  const ticker = await lastingTicker();
  const first = await startMarkets(home);
  expect(await askMarkets(home, first, "/api/agent/world")).toMatchObject({
    synthetic: true,
    counts: { venues: 2 },
    unavailable: [],
  });
  const filled = await askMarkets(home, first, "/api/paper/orders", { body: buying(ticker) });
  expect(filled).toMatchObject({ synthetic: true, order: { status: "filled", filled: 2 } });
  const low = buying(ticker, { limitPriceCents: 1 });
  const standing = await askMarkets(home, first, "/api/paper/orders", { body: low });
  expect(standing).toMatchObject({ synthetic: true, order: { status: "open", filled: 0 } });
  const before = await holdingsOf(home, first);
  expect(before).toMatchObject({
    openOrders: 1,
    reservedCents: 2,
    positions: [{ ticker, yes: 2, no: 0 }],
  });
  await endMarkets(first, "SIGTERM");

  const second = await startMarkets(home);
  expect(await holdingsOf(home, second)).toStrictEqual(before);
  await endMarkets(second, "SIGTERM");
  expect(await verified(home)).toMatch(/^ok: the journal of local, 2 segments/);
});

test("--seed says which world there is: the same seed the same history in any process, another seed another", async () => {
  const ticker = await lastingTicker("amber");
  const to = Math.floor(Date.now() / hour) * hour;
  const range = { interval: "15m", from: to - 24 * hour, to } as const;
  const historyHere = async (seed: string) => {
    const [embedded] = (await openMarkets({ store: createMemoryStore(), seed })).readers;
    const candles = await embedded?.candles(ticker, range);
    return candles?.map((candle) => ({ ...candle, at: new Date(candle.at).toISOString() }));
  };
  const home = new Home();
  const up = await startMarkets(home, ["--seed", "amber"]);
  const [from, until] = [range.from, range.to].map((at) => new Date(at).toISOString());
  const path = `/api/public/market/${ticker}/candles?interval=15m&from=${from}&to=${until}`;
  const { items } = (await askMarkets(home, up, path)) as { items: readonly unknown[] };
  expect(items.length).toBeGreaterThan(0);
  expect(items).toStrictEqual(await historyHere("amber"));
  expect(items).not.toEqual(await historyHere("basalt"));
});

describe("the markets are a matter of the start:", () => {
  test("--no-markets has none", async () => {
    const { url } = await startMarkets(new Home(), ["--no-markets"]);
    const answer = await fetch(`${url}/api/contracts/tools?mode=review`);
    const { tools } = (await answer.json()) as { tools: { name: string }[] };
    const spaces = new Set(tools.map(({ name }) => name.split(".")[0]));
    expect(spaces).toStrictEqual(new Set(["keys", "manifest", "runtime", "tokens"]));
    expect((await fetch(`${url}/api/public/calendar`)).status).toBe(404);
  });

  test("--venue nonsense is bad usage", async () => {
    expect(await new Home().runBinary(["up", "--port", "0", "--venue", "nonsense"])).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("expected one of kalshi, polymarket"),
    });
  });
});
