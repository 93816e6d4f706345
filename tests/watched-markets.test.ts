// What goes on in the markets, seen through a runtime's key: what the platform says, tick by tick, for as long as somebody looks.
import { describe, expect, test } from "vitest";
import { settlement } from "../packages/kernel/test-data/call-waiting.ts";
import { marketsHouse } from "./test-data/markets-house.ts";
import { runtimeOver } from "./test-data/runtime-house.ts";

describe.each(["socket", "embedded"] as const)("with a key (%s)", (way) => {
  async function scene() {
    const house = await marketsHouse(way);
    const apiKey = await house.key("acct_1", { scopes: ["read"] });
    const over = await runtimeOver(house, { way, apiKey, clock: house.clock });
    return { house, ...over };
  }

  test("the world is what the platform says that it is", async () => {
    const { runtime, client } = await scene();
    const world = runtime.watch.world();
    const { regime, indices, movers, at, synthetic } = await client.world.read({});
    expect((await world.next()).value).toStrictEqual({
      type: "world",
      regime,
      indices,
      movers,
      at,
      synthetic,
    });
    await world.return();
  });

  test("ticks are the prices of what is asked for, and again only what has changed", async () => {
    const { runtime, client, house } = await scene();
    const controller = new AbortController();
    const watch = runtime.watch.ticks({ tickers: [house.ticker], signal: controller.signal });
    const first = await watch.next();
    const { venue, ticker, bidCents, askCents, lastCents, synthetic } = await client.market.inspect({
      ticker: house.ticker,
    });
    expect(first.value).toMatchObject({
      type: "tick",
      venue,
      ticker,
      bidCents,
      askCents,
      lastCents,
      synthetic,
    });
    const next = watch.next();
    while ((await settlement(next)).state === "pending") house.clock.advance(60_000);
    const { value } = await next;
    expect(value).toMatchObject({ ticker });
    expect(value).not.toMatchObject({ bidCents, askCents, lastCents });
    controller.abort();
    expect(await watch.next()).toStrictEqual({ done: true, value: undefined });
  });
});
