// What follows from rows that carry no proof, as docs/security.md says it: what is shown of them may be somebody else's words, and no order
// is sent by them. What is judged is judged as before (G1).
import { canonicalJson } from "@spfunctions/contracts";
import { expect, onTestFinished, test } from "vitest";
import { storedIn } from "../packages/kernel/test-data/call-desk.ts";
import { ask } from "../packages/server/test-data/test-platform.ts";
import { type MarketsHouse, marketsHouse, moment, trade } from "./test-data/markets-house.ts";
import { describeStores, type StoreWithSql } from "./test-data/stores-with-sql.ts";

const accountId = "acct_1";
const trader = { name: "trader", scopes: ["read", "write", "trade"], trade } as const;

function testRows(make: () => Promise<StoreWithSql>): void {
  /** A platform of which somebody has changed rows since it was up last. */
  async function changed(change: (house: MarketsHouse) => Promise<string[]>) {
    const { open, execute } = await make();
    const first = await open();
    const before = await marketsHouse("embedded", { store: first });
    const { secret: key } = await before.platform.createKey(accountId, trader);
    await ask(before, "/api/watchlists", { key, body: { name: "mine", ticker: before.ticker } });
    const statements = await change(before);
    await before.platform.close();
    await first.close();
    for (const sql of statements) await execute(sql);
    const store = await open();
    const house = await marketsHouse("embedded", { store });
    onTestFinished(async () => {
      await house.platform.close();
      await store.close();
    });
    return { house, key };
  }
  const calls = async ({ store }: MarketsHouse) => (await storedIn(store, accountId)).length;
  const put = (kind: string, id: string, status: string, body: object) =>
    `INSERT INTO documents (account, kind, id, status, revision, body) VALUES ('${accountId}', '${kind}', '${id}', '${status}', 1, '${canonicalJson(body)}')`;
  async function tendOnce({ markets, clock }: MarketsHouse): Promise<void> {
    const stop = markets.tend();
    await expect.poll(() => clock.waiting, { timeout: 30_000 }).toBeGreaterThan(0);
    await stop();
  }

  test("a watchlist that somebody has changed is listed as they wrote it, and nothing is called by it", async () => {
    const { house, key } = await changed(async ({ ticker }) => [
      `UPDATE documents SET body = replace(body, '${ticker}', 'OTHER-1') WHERE kind = 'watchlist'`,
    ]);
    const before = await calls(house);
    await tendOnce(house);
    expect(await calls(house)).toBe(before);
    const { body } = await ask(house, "/api/watchlists", { key });
    expect(JSON.stringify(body)).toContain("OTHER-1");
    expect(await house.markets.live.orders(accountId, { limit: 9 })).toStrictEqual([]);
  });

  test("an alert rule that somebody has written is checked and reported, and orders nothing", async () => {
    const { house, key } = await changed(async ({ ticker }) => {
      const alertRuleId = "al_00000000-0000-4000-8000-000000000001";
      const when = { type: "closing_soon", withinMinutes: 43_200 };
      const rule = { alertRuleId, venue: "embedded", ticker, when, status: "active", createdAt: moment };
      return [put("alert_rule", alertRuleId, "active", rule)];
    });
    const before = await calls(house);
    await tendOnce(house);
    expect(await calls(house)).toBe(before);
    const { body } = await ask(house, "/api/alert-rules", { key });
    expect(JSON.stringify(body)).toContain("al_00000000");
    expect(await house.markets.live.orders(accountId, { limit: 9 })).toStrictEqual([]);
  });

  test("money that somebody has written into the exchange's books is there, and a key's guardrails hold as before", async () => {
    const { house, key } = await changed(async () => {
      const account = { cashCents: 900_000_000, depositedCents: 100_000, tickers: [] };
      return [put("exchange.live.account", "account", "open", account)];
    });
    expect(await house.markets.live.portfolio(accountId)).toMatchObject({ cashCents: 900_000_000 });
    const order = { venue: "embedded", ticker: house.ticker, action: "buy", side: "yes", quantity: 100_000 };
    const body = { ...order, limitPriceCents: 99, dryRun: false, autoExecute: true };
    expect(await ask(house, "/api/execution/orders", { key, body })).toMatchObject({
      body: { error: { code: "trade_guardrail" } },
    });
    expect(await house.markets.live.orders(accountId, { limit: 9 })).toStrictEqual([]);
  });
}

describeStores(testRows);
