// G1: what was armed fires later, and only for a key that may still order then.
import { describe, expect, test } from "vitest";
import { ask } from "../packages/server/test-data/test-platform.ts";
import { type MarketsHouse, marketsHouse, mighty } from "./test-data/markets-house.ts";

/** What the best ask is, and a trade of somebody else's that takes all of it. */
async function bestAsk({ markets: { live }, ticker }: MarketsHouse) {
  const best = (await live.depth(ticker))?.asks[0];
  if (best === undefined) throw new Error("nobody asks");
  const { priceCents, quantity } = best;
  const wanted = { ticker, action: "buy", side: "yes", quantity, limitCents: priceCents } as const;
  return { priceCents, take: () => live.place("acct_other", "take", { ...wanted, timeInForce: "ioc" }) };
}

/** An order that its key has armed for when the ask is over a price. */
async function armed(house: MarketsHouse, key: string, overCents: number): Promise<string> {
  const trigger = { when: "ask_at_or_above", priceCents: overCents + 1 };
  const order = { venue: "embedded", ticker: house.ticker, action: "buy", side: "yes", quantity: 1 };
  const body = { ...order, limitPriceCents: 99, trigger, autoExecute: true, dryRun: false };
  const answer = await ask(house, "/api/execution/orders", { key, body });
  expect(answer).toMatchObject({ status: 200, body: { data: { intent: { state: "armed" } } } });
  return (answer.body as { data: { intent: { intentId: string } } }).data.intent.intentId;
}

/** Lets one round of the markets pass. */
async function tendOnce({ markets, clock }: MarketsHouse): Promise<unknown[]> {
  const faults: unknown[] = [];
  const stop = markets.tend({ onFault: (...fault) => void faults.push(fault) });
  await expect.poll(() => clock.waiting, { timeout: 30_000 }).toBeGreaterThan(0);
  await stop();
  return faults;
}

describe.each(["socket", "embedded"] as const)("what a key has armed (%s)", (way) => {
  test("G1: never fires once the key is revoked, and what another key has armed does", async () => {
    const house = await marketsHouse(way);
    const { platform, markets } = house;
    const kept = await platform.createKey("acct_1", mighty);
    const revoked = await platform.createKey("acct_1", mighty);
    const { priceCents, take } = await bestAsk(house);
    const [firing, ended] = [
      await armed(house, kept.secret, priceCents),
      await armed(house, revoked.secret, priceCents),
    ];
    const path = `/api/keys/${revoked.key.keyId}`;
    expect(await ask(house, path, { key: kept.secret, method: "DELETE" })).toMatchObject({ status: 200 });
    expect(await take()).toMatchObject({ status: "filled" });
    expect(await tendOnce(house)).toMatchObject([["orders", { intentId: ended, code: "invalid_api_key" }]]);
    const stateOf = async (intentId: string) =>
      await ask(house, `/api/intents/${intentId}`, { key: kept.secret });
    expect(await stateOf(firing)).toMatchObject({ body: { data: { intent: { state: "filled" } } } });
    expect(await stateOf(ended)).toMatchObject({
      body: { data: { intent: { state: "stopped", filled: 0 } } },
    });
    expect(await markets.live.orders("acct_1", { limit: 9 })).toMatchObject([{ filled: 1 }]);
  });
});
