// B22: a row of an intent that this installation has not written places no order.
import { canonicalJson } from "@spfunctions/contracts";
import { expect, onTestFinished, test } from "vitest";
import { ask } from "../packages/server/test-data/test-platform.ts";
import { type MarketsHouse, marketsHouse, moment, trade } from "./test-data/markets-house.ts";
import { describeStores, type StoreWithSql } from "./test-data/stores-with-sql.ts";

const accountId = "acct_1";
const trader = { name: "trader", scopes: ["read", "write", "trade"], trade } as const;
const intentId = "int_00000000-0000-4000-8000-000000000001";

/** One statement for both databases. */
function insertion(body: object, status: string): string {
  const text = canonicalJson(body).replaceAll("'", "''");
  return `INSERT INTO documents (account, kind, id, status, revision, body) VALUES ('${accountId}', 'intent', '${intentId}', '${status}', 1, '${text}')`;
}

/** An intent as an older version, or somebody with access to the database, has written it. */
function rowOf(ticker: string, keyId: string, states: readonly string[]) {
  return {
    intentId,
    venue: "embedded",
    ticker,
    action: "buy",
    side: "yes",
    quantity: 50,
    limitCents: 99,
    trigger: { when: "ask_at_or_below", priceCents: 99 },
    expiresAt: moment + 86_400_000,
    state: states.at(-1),
    history: states.map((state) => ({ state, at: moment })),
    armedKeyId: keyId,
    filled: 0,
  };
}

async function tendOnce({ markets, clock }: MarketsHouse): Promise<unknown[]> {
  const faults: unknown[] = [];
  const stop = markets.tend({ onFault: (...fault) => void faults.push(fault) });
  await expect.poll(() => clock.waiting, { timeout: 30_000 }).toBeGreaterThan(0);
  await stop();
  return faults;
}

function testRows(make: () => Promise<StoreWithSql>): void {
  test.each([
    ["armed", ["pending", "armed"]],
    ["triggered", ["pending", "armed", "triggered"]],
  ] as const)(
    "one SQL INSERT of an intent that is %s places no order; it is told once",
    async (state, states) => {
      const { open, execute } = await make();
      const first = await open();
      const before = await marketsHouse("embedded", { store: first });
      const { key, secret } = await before.platform.createKey(accountId, trader);
      await before.platform.close();
      await first.close();
      await execute(insertion(rowOf(before.ticker, key.keyId, states), state));
      const store = await open();
      const house = await marketsHouse("embedded", { store });
      onTestFinished(async () => {
        await house.platform.close();
        await store.close();
      });
      const said = await tendOnce(house);
      expect(await house.markets.live.orders(accountId, { limit: 9 })).toStrictEqual([]);
      expect(await tendOnce(house)).toStrictEqual([]);
      const { body } = await ask(house, `/api/intents/${intentId}`, { key: secret });
      expect(said).toMatchObject([["orders", { accountId, intentId, code: "journal_corrupt" }]]);
      expect(body).toMatchObject({
        data: {
          intent: {
            state: "stopped",
            stoppedBy: { code: "journal_corrupt", reason: expect.stringContaining("arm it again") },
          },
        },
      });
      // Whoever arms it says the whole order, and is judged for that.
      const order = { venue: "embedded", ticker: house.ticker, action: "buy", side: "yes", quantity: 50 };
      const waits = {
        trigger: { when: "ask_at_or_below", priceCents: 99 },
        autoExecute: true,
        dryRun: false,
      };
      const again = { ...order, ...waits, limitPriceCents: 99, intentId };
      const armed = await ask(house, "/api/execution/orders", { key: secret, body: again });
      expect(armed).toMatchObject({ status: 200, body: { data: { intent: { state: "armed" } } } });
      await tendOnce(house);
      expect(await house.markets.live.orders(accountId, { limit: 9 })).toHaveLength(1);
    },
  );

  test.each([
    ["armed", ["pending", "armed"], true],
    ["a draft", ["pending"], true],
    ["a draft", ["pending"], false],
  ] as const)(
    "an order that is armed again, or sent, from a row that was %s and names another order is one of its own",
    async (_, states, isLater) => {
      const { open, execute } = await make();
      const first = await open();
      const before = await marketsHouse("embedded", { store: first });
      const { key, secret } = await before.platform.createKey(accountId, trader);
      const order = {
        venue: "embedded",
        ticker: before.ticker,
        action: "buy",
        side: "yes",
        quantity: 50,
        limitPriceCents: 99,
      };
      const placing = { ...order, dryRun: false };
      expect(await ask(before, "/api/execution/orders", { key: secret, body: placing })).toMatchObject({
        status: 200,
      });
      const [other] = await before.markets.live.orders(accountId, { limit: 9 });
      await before.platform.close();
      await first.close();
      const { trigger, ...row } = rowOf(before.ticker, key.keyId, states);
      const poisoned = {
        ...row,
        ...(isLater && { trigger }),
        orderId: other?.orderId,
        filled: 50,
        armedBy: "a key",
        firingKey: `fire:${intentId}:2`,
      };
      await execute(insertion(poisoned, String(row.state)));
      const store = await open();
      const house = await marketsHouse("embedded", { store });
      onTestFinished(async () => {
        await house.platform.close();
        await store.close();
      });
      await tendOnce(house);
      const later = isLater && { trigger, autoExecute: true };
      const body = { ...placing, ...later, intentId };
      expect(await ask(house, "/api/execution/orders", { key: secret, body })).toMatchObject({ status: 200 });
      await tendOnce(house);
      expect(await house.markets.live.orders(accountId, { limit: 9 })).toHaveLength(2);
      const { body: shown } = await ask(house, `/api/intents/${intentId}`, { key: secret });
      expect(shown).toMatchObject({ data: { intent: { state: "filled", filled: 50 } } });
      expect(JSON.stringify(shown)).not.toContain(other?.orderId);
    },
  );

  test.each(["executing", "partial"])(
    "one SQL INSERT of an intent that is %s, and whose time is over, takes back no order that is another's",
    async (state) => {
      const { open, execute } = await make();
      const first = await open();
      const before = await marketsHouse("embedded", { store: first });
      const { key, secret } = await before.platform.createKey(accountId, trader);
      const order = {
        venue: "embedded",
        ticker: before.ticker,
        action: "buy",
        side: "yes",
        quantity: 50,
        limitPriceCents: 1,
        dryRun: false,
      };
      expect(await ask(before, "/api/execution/orders", { key: secret, body: order })).toMatchObject({
        status: 200,
        body: { data: { order: { status: "open" } } },
      });
      const [standing] = await before.markets.live.orders(accountId, { limit: 9 });
      await before.platform.close();
      await first.close();
      const row = rowOf(before.ticker, key.keyId, ["pending", "armed", "triggered", "executing", state]);
      const { orderId } = standing ?? {};
      await execute(insertion({ ...row, expiresAt: moment - 1, orderId, filled: 0 }, state));
      const store = await open();
      const house = await marketsHouse("embedded", { store });
      onTestFinished(async () => {
        await house.platform.close();
        await store.close();
      });
      for (const _ of [1, 2]) await tendOnce(house);
      expect(await house.markets.live.orders(accountId, { limit: 9 })).toMatchObject([
        { orderId, status: "open" },
      ]);
      const { body } = await ask(house, `/api/intents/${intentId}`, { key: secret });
      expect(body).toMatchObject({ data: { intent: { state: "cancelled", filled: 0 } } });
      expect(JSON.stringify(body)).not.toContain(orderId);
    },
  );

  test("an order that an older version has sent is followed, by the intent's own key, and taken back when its time is over", async () => {
    const { open, execute } = await make();
    const first = await open();
    const before = await marketsHouse("embedded", { store: first });
    const { secret } = await before.platform.createKey(accountId, trader);
    const body = {
      venue: "embedded",
      ticker: before.ticker,
      action: "buy",
      side: "yes",
      quantity: 50,
      limitPriceCents: 1,
      trigger: { when: "ask_at_or_below", priceCents: 99 },
      expiresAt: new Date(moment + 3_600_000).toISOString(),
      autoExecute: true,
      dryRun: false,
    };
    expect(await ask(before, "/api/execution/orders", { key: secret, body })).toMatchObject({ status: 200 });
    await tendOnce(before);
    const [sent] = await before.markets.live.orders(accountId, { limit: 9 });
    expect(sent).toMatchObject({ status: "open" });
    const [kept] = await first.documents({ kind: "intent", accountId, limit: 9 });
    const { value } = JSON.parse(kept?.body ?? "") as { value: Record<string, unknown> };
    const { armedCall: _, firingKey: __, ...older } = value;
    await before.platform.close();
    await first.close();
    const text = canonicalJson(older).replaceAll("'", "''");
    await execute(`UPDATE documents SET body = '${text}' WHERE kind = 'intent'`);
    const store = await open();
    const house = await marketsHouse("embedded", { store });
    onTestFinished(async () => {
      await house.platform.close();
      await store.close();
    });
    await tendOnce(house);
    const look = async () =>
      (await ask(house, `/api/intents/${String(value["intentId"])}`, { key: secret })).body;
    expect(await look()).toMatchObject({ data: { intent: { state: "executing", orderId: sent?.orderId } } });
    house.clock.advance(3_600_001);
    await tendOnce(house);
    expect(await look()).toMatchObject({ data: { intent: { state: "expired", orderId: sent?.orderId } } });
    expect(await house.markets.live.orders(accountId, { limit: 9 })).toMatchObject([{ status: "cancelled" }]);
  });

  test("one SQL INSERT of an intent that is executing places no order, and it is made sure that nobody does later", async () => {
    const { open, execute } = await make();
    const first = await open();
    const before = await marketsHouse("embedded", { store: first });
    const { key, secret } = await before.platform.createKey(accountId, trader);
    await before.platform.close();
    await first.close();
    const states = ["pending", "armed", "triggered", "executing"];
    await execute(insertion(rowOf(before.ticker, key.keyId, states), "executing"));
    const store = await open();
    const house = await marketsHouse("embedded", { store });
    onTestFinished(async () => {
      await house.platform.close();
      await store.close();
    });
    await tendOnce(house);
    expect(await house.markets.live.orders(accountId, { limit: 9 })).toStrictEqual([]);
    const { body } = await ask(house, `/api/intents/${intentId}`, { key: secret });
    expect(body).toMatchObject({ data: { intent: { state: "cancelled", filled: 0 } } });
  });

  test("nor does a row of ours that was changed, or put into another account", async () => {
    const { open, execute } = await make();
    const first = await open();
    const before = await marketsHouse("embedded", { store: first });
    const { secret } = await before.platform.createKey(accountId, trader);
    await before.platform.createKey("acct_2", trader);
    const never = { when: "ask_at_or_below", priceCents: 1 };
    const body = {
      ...rowOf(before.ticker, "", []),
      intentId: undefined,
      expiresAt: undefined,
      trigger: never,
    };
    const {
      limitCents: limitPriceCents,
      history: _,
      state: __,
      armedKeyId: ___,
      filled: ____,
      ...order
    } = body;
    const wanted = { ...order, limitPriceCents, autoExecute: true, dryRun: false };
    const armed = await ask(before, "/api/execution/orders", { key: secret, body: wanted });
    expect(armed).toMatchObject({ status: 200, body: { data: { intent: { state: "armed" } } } });
    await before.platform.close();
    await first.close();
    await execute(
      `UPDATE documents SET body = replace(body, '"priceCents":1', '"priceCents":99') WHERE kind = 'intent'`,
    );
    await execute(
      `INSERT INTO documents (account, kind, id, status, revision, body) SELECT 'acct_2', kind, id, status, revision, body FROM documents WHERE kind = 'intent'`,
    );
    const store = await open();
    const house = await marketsHouse("embedded", { store });
    onTestFinished(async () => {
      await house.platform.close();
      await store.close();
    });
    await tendOnce(house);
    expect(await house.markets.live.orders(accountId, { limit: 9 })).toStrictEqual([]);
    expect(await house.markets.live.orders("acct_2", { limit: 9 })).toStrictEqual([]);
  });

  // A proof says who has written a row, and not that it is the newest.
  const back = "(SELECT kept.body FROM documents AS kept WHERE kept.kind = 'kept_then')";
  const turns: Record<string, string[]> = {
    "as it was": [
      "DELETE FROM documents WHERE kind = 'intent'",
      "UPDATE documents SET kind = 'intent' WHERE kind = 'kept_then'",
    ],
    "with the revision that it has now": [
      `UPDATE documents SET status = 'armed', body = ${back} WHERE kind = 'intent'`,
    ],
    "and the idempotency key of its firing is freed": [
      `UPDATE documents SET status = 'armed', body = ${back} WHERE kind = 'intent'`,
      "DELETE FROM claims WHERE scope NOT LIKE 'exchange.%'",
    ],
  };
  test.each(Object.entries(turns))(
    "X1: an order that was filled fills no second time if its row is put back to armed, %s",
    async (_, sql) => {
      const { open, execute } = await make();
      const first = await open();
      const before = await marketsHouse("embedded", { store: first });
      const { secret } = await before.platform.createKey(accountId, trader);
      const order = { venue: "embedded", ticker: before.ticker, action: "buy", side: "yes", quantity: 2 };
      const trigger = { when: "ask_at_or_below", priceCents: 99 };
      const body = { ...order, trigger, limitPriceCents: 99, autoExecute: true, dryRun: false };
      const armed = await ask(before, "/api/execution/orders", { key: secret, body });
      expect(armed).toMatchObject({ status: 200, body: { data: { intent: { state: "armed" } } } });
      await before.platform.close();
      await first.close();
      await execute(
        "INSERT INTO documents (account, kind, id, status, revision, body) SELECT account, 'kept_then', id, status, revision, body FROM documents WHERE kind = 'intent'",
      );
      const second = await open();
      const filling = await marketsHouse("embedded", { store: second });
      await tendOnce(filling);
      const orders = await filling.markets.live.orders(accountId, { limit: 9 });
      expect(orders).toMatchObject([{ status: "filled", filled: 2 }]);
      const holdings = await filling.markets.live.portfolio(accountId);
      await filling.platform.close();
      await second.close();
      for (const one of sql) await execute(one);
      const store = await open();
      const house = await marketsHouse("embedded", { store });
      const listed = await ask(house, "/api/intents?state=armed", { key: secret });
      expect(listed).toMatchObject({ body: { data: { items: [{ state: "armed" }] } } });
      for (let round = 0; round < 3; round++) await tendOnce(house);
      expect(await house.markets.live.orders(accountId, { limit: 9 })).toStrictEqual(orders);
      expect(await house.markets.live.portfolio(accountId)).toStrictEqual(holdings);
      const after = await ask(house, "/api/intents?state=armed", { key: secret });
      expect(after).toMatchObject({ body: { data: { items: [] } } });
      await house.platform.close();
      await store.close();
    },
  );
}

describeStores(testRows);
