// Armed orders fire as governed calls: judged now, on record, under the approval that armed them if it still fits (G1, A1, J1, X1).
import { createMemoryStore, openOperator, type Store, verifyAccount } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../packages/kernel/test-data/call-clock.ts";
import { storedIn } from "../packages/kernel/test-data/call-desk.ts";
import { ask, installation } from "../packages/server/test-data/test-platform.ts";
import { type MarketsHouse, marketsHouse, mighty, trade } from "./test-data/markets-house.ts";

const accountId = "acct_1";
const trader = { name: "trader", scopes: ["read", "write", "trade"], trade } as const;
const approving = { ...trader, approvals: { requireForSideEffectAtOrAbove: "live_trade" } } as const;
/** A server's policy that allows what these tests do. */
const wide = { maxSideEffect: "live_trade", maxCostEffect: "llm_cost", trade } as const;

/** An order whose trigger holds at once. */
const orderIn = (ticker: string, more: object = {}) => ({
  venue: "embedded",
  ticker,
  action: "buy",
  side: "yes",
  quantity: 2,
  limitPriceCents: 99,
  trigger: { when: "ask_at_or_below", priceCents: 99 },
  autoExecute: true,
  dryRun: false,
  ...more,
});

type Intent = {
  readonly intentId: string;
  readonly state: string;
  readonly stoppedBy?: object;
  readonly history: readonly { readonly state: string }[];
};

async function place(house: MarketsHouse, key: string, more: object = {}) {
  return await ask(house, "/api/execution/orders", { key, body: orderIn(house.ticker, more) });
}

async function arm(house: MarketsHouse, key: string, more: object = {}): Promise<string> {
  const answer = await place(house, key, more);
  expect(answer).toMatchObject({ status: 200, body: { data: { intent: { state: "armed" } } } });
  return (answer.body as unknown as { data: { intent: Intent } }).data.intent.intentId;
}

/** Lets one round of the markets pass, and gives what the operator is told. */
async function tendOnce({ markets, clock }: MarketsHouse): Promise<unknown[]> {
  const faults: unknown[] = [];
  const stop = markets.tend({ onFault: (...fault) => void faults.push(fault) });
  await expect.poll(() => clock.waiting, { timeout: 30_000 }).toBeGreaterThan(0);
  await stop();
  return faults;
}

async function look(house: MarketsHouse, key: string, intentId: string): Promise<Intent> {
  const { body } = await ask(house, `/api/intents/${intentId}`, { key });
  return (body as unknown as { data: { intent: Intent } }).data.intent;
}

async function listed(house: MarketsHouse, key: string, state: string): Promise<readonly Intent[]> {
  const { body } = await ask(house, `/api/intents?state=${state}`, { key });
  return (body as unknown as { data: { items: readonly Intent[] } }).data.items;
}

/** The records of the calls that place orders, in order. */
async function placingRecords(store: Store): Promise<readonly Record<string, unknown>[]> {
  const all = (await storedIn(store, accountId)).map(({ text }) => JSON.parse(text));
  const ids = new Set(all.filter(({ tool }) => tool === "execution.place").map(({ callId }) => callId));
  return all.filter(({ callId }) => ids.has(callId));
}

const ordersOf = async ({ markets }: MarketsHouse) => await markets.live.orders(accountId, { limit: 9 });

/** Arms an order that a person has approved. */
async function armApproved(house: MarketsHouse, key: string, more: object = {}): Promise<string> {
  expect(await place(house, key, more)).toMatchObject({
    status: 409,
    body: { error: { code: "approval_required" } },
  });
  const principal = { accountId, keyId: "boss", scopes: ["admin"], kind: "operator" } as const;
  const operator = openOperator({ store: house.store, principal, installation });
  const [question] = await operator.list();
  await operator.approve(question?.approvalId ?? "");
  await operator.close();
  return await arm(house, key, more);
}

async function questions(house: MarketsHouse): Promise<number> {
  const principal = { accountId, keyId: "boss", scopes: ["admin"], kind: "operator" } as const;
  const operator = openOperator({ store: house.store, principal, installation });
  const open = await operator.list();
  await operator.close();
  return open.length;
}

/** The same store, taken on by another process under another policy. */
async function reopened(
  house: MarketsHouse,
  more: Parameters<typeof marketsHouse>[1] = {},
): Promise<MarketsHouse> {
  await house.platform.close();
  return await marketsHouse("embedded", { store: house.store, ...more });
}

describe("an armed order whose price is there (platform)", () => {
  test("fires as a governed call of the key that armed it: its intent, its result and what it is for are in the journal", async () => {
    const house = await marketsHouse();
    const { key, secret } = await house.platform.createKey(accountId, trader);
    const intentId = await arm(house, secret);
    expect(await tendOnce(house)).toStrictEqual([]);
    expect(await look(house, secret, intentId)).toMatchObject({ state: "filled" });
    const [armed, , fired, ended] = await placingRecords(house.store);
    expect(armed).toMatchObject({ kind: "call.intended", origin: "direct", principal: { keyId: key.keyId } });
    expect(fired).toMatchObject({
      kind: "call.intended",
      origin: "direct",
      tool: "execution.place",
      principal: { accountId, keyId: key.keyId, kind: "key" },
      verdict: { outcome: "allow" },
      idempotencyKey: expect.stringContaining(intentId),
    });
    expect([ended?.["kind"], ended?.["status"], ended?.["callId"]]).toStrictEqual([
      "call.settled",
      "completed",
      fired?.["callId"],
    ]);
    expect(await ordersOf(house)).toMatchObject([{ filled: 2 }]);
    await house.platform.close();
    expect((await verifyAccount(house.store, accountId)).status).toBe("ok");
  });

  test("does not fire under a policy of the server that forbids it now, is listed with the gate, and can be armed again", async () => {
    const first = await marketsHouse("embedded", { policy: wide });
    const key = await first.key(accountId, trader);
    const intentId = await arm(first, key);
    const strict = await reopened(first, { policy: { ...wide, trade: { ...trade, maxQuantity: 1 } } });
    expect(await tendOnce(strict)).toMatchObject([["orders", { intentId, code: "trade_guardrail" }]]);
    const stoppedBy = {
      gate: "trade",
      code: "trade_guardrail",
      reason: expect.stringContaining("trade.maxQuantity in the server's policy"),
    };
    expect(await look(strict, key, intentId)).toMatchObject({ state: "stopped", filled: 0, stoppedBy });
    expect(await listed(strict, key, "stopped")).toMatchObject([{ intentId, stoppedBy }]);
    expect(await ordersOf(strict)).toStrictEqual([]);
    // It is said once.
    expect(await tendOnce(strict)).toStrictEqual([]);
    const later = await reopened(strict, { policy: wide });
    expect(await arm(later, key, { intentId })).toBe(intentId);
    await tendOnce(later);
    expect(await look(later, key, intentId)).toMatchObject({ state: "filled" });
    expect(await ordersOf(later)).toMatchObject([{ filled: 2 }]);
  });

  test("is listed with the gate also if its price is not there when the server's policy forbids its key to place orders", async () => {
    const first = await marketsHouse("embedded", { policy: wide });
    const key = await first.key(accountId, trader);
    const intentId = await arm(first, key, { trigger: { when: "ask_at_or_below", priceCents: 1 } });
    const strict = await reopened(first, { policy: { ...wide, maxSideEffect: "user_write" } });
    await tendOnce(strict);
    expect(await look(strict, key, intentId)).toMatchObject({
      state: "stopped",
      stoppedBy: {
        gate: "max.sideEffect",
        code: "policy_denied",
        reason: expect.stringContaining("arm it again"),
      },
    });
  });

  test("fires by the approval that armed it, once, and nobody is asked again", async () => {
    const house = await marketsHouse();
    const key = await house.key(accountId, approving);
    const intentId = await armApproved(house, key);
    expect(await tendOnce(house)).toStrictEqual([]);
    expect(await look(house, key, intentId)).toMatchObject({ state: "filled" });
    expect([await questions(house), (await ordersOf(house)).length]).toStrictEqual([0, 1]);
    const [armed, fired] = (await placingRecords(house.store)).filter(({ kind }) => kind === "call.intended");
    expect(fired).toMatchObject({ approval: { status: "used", decidedBy: { keyId: "boss" } } });
    expect(fired?.["approval"]).not.toMatchObject({
      approvalId: (armed?.["approval"] as { approvalId: string } | undefined)?.approvalId,
    });
    // The same order needs an answer of its own.
    expect(await place(house, key)).toMatchObject({ status: 409 });
    await house.platform.close();
    expect(await verifyAccount(house.store, accountId)).toMatchObject({ status: "ok", unfit: [] });
  });

  test("A1: does not fire by an approval whose policy has changed since; nobody is asked, and it can be armed again", async () => {
    const first = await marketsHouse();
    const key = await first.key(accountId, approving);
    const intentId = await armApproved(first, key);
    const other = await reopened(first, { policy: wide });
    expect(await tendOnce(other)).toMatchObject([["orders", { intentId, code: "approval_mismatch" }]]);
    expect(await look(other, key, intentId)).toMatchObject({
      state: "stopped",
      stoppedBy: {
        gate: "approval",
        code: "approval_mismatch",
        reason: expect.stringContaining("the policy was changed since"),
      },
    });
    expect([await questions(other), await ordersOf(other)]).toStrictEqual([0, []]);
    await armApproved(other, key, { intentId });
    await tendOnce(other);
    expect(await look(other, key, intentId)).toMatchObject({ state: "filled" });
  });

  test("does not fire by an approval whose approver's decisions were ended with their key, or with the key that made it", async () => {
    for (const isMade of [false, true]) {
      const house = await marketsHouse();
      const key = await house.key(accountId, approving);
      const operator = await house.key(accountId, { scopes: ["admin"] });
      const leaked = await house.platform.createKey(accountId, { scopes: ["admin"] });
      const made = await ask(house, "/api/keys", { key: leaked.secret, body: { scopes: ["admin"] } });
      const { secret } = (made.body as unknown as { data: { secret: string } }).data;
      const asked = await place(house, key);
      const { approvalId } = (asked.body as unknown as { error: { details: { approvalId: string } } }).error
        .details;
      const path = `/api/approvals/${approvalId}/answer`;
      const answerer = isMade ? secret : leaked.secret;
      expect(await ask(house, path, { key: answerer, body: { answer: "approved" } })).toMatchObject({
        status: 200,
      });
      const intentId = await arm(house, key);
      const ending = `/api/keys/${leaked.key.keyId}?decided=end`;
      expect(await ask(house, ending, { key: operator, method: "DELETE" })).toMatchObject({ status: 200 });
      await tendOnce(house);
      expect(await look(house, key, intentId)).toMatchObject({
        state: "stopped",
        stoppedBy: {
          code: "approval_mismatch",
          reason: expect.stringContaining("what its approver has decided was ended"),
        },
      });
      expect([await questions(house), await ordersOf(house)]).toStrictEqual([0, []]);
      await armApproved(house, key, { intentId });
      await tendOnce(house);
      expect(await look(house, key, intentId)).toMatchObject({ state: "filled" });
    }
  });

  test("does not fire where a person would have to be asked now, and nobody is asked", async () => {
    const first = await marketsHouse();
    const key = await first.key(accountId, trader);
    const intentId = await arm(first, key);
    const policy = { ...wide, approvals: { requireForSideEffectAtOrAbove: "live_trade" } } as const;
    const asking = await reopened(first, { policy });
    await tendOnce(asking);
    expect(await look(asking, key, intentId)).toMatchObject({
      state: "stopped",
      stoppedBy: { gate: "approval", code: "approval_required" },
    });
    expect([await questions(asking), await ordersOf(asking)]).toStrictEqual([0, []]);
  });

  test("an approval counts for the order that it armed, and not for another with its idempotency key", async () => {
    const house = await marketsHouse();
    const key = await house.key(accountId, approving);
    const intentId = await armApproved(house, key);
    for (const [idempotencyKey, more] of [
      [`fire:${intentId}:2`, {}],
      [`fire:${intentId}:2`, { quantity: 3 }],
      ["fire:int_00000000-0000-4000-8000-000000000000:2", {}],
    ] as const) {
      const body = orderIn(house.ticker, more);
      const headers = { "idempotency-key": idempotencyKey };
      expect(await ask(house, "/api/execution/orders", { key, body, headers })).toMatchObject({
        status: 409,
      });
    }
    expect(await ordersOf(house)).toStrictEqual([]);
  });
});

describe("an armed order of a key with quotas", () => {
  const quotas = { venue_request_cost: 2 } as const;

  test("counts when it fires, and does not fire once nothing is left of the day", async () => {
    const dayClock = new ManualClock(Date.parse("2026-11-16T13:00:00.000Z"));
    const house = await marketsHouse("embedded", { dayClock });
    const key = await house.key(accountId, { ...trader, quotas });
    const [first, second] = [await arm(house, key), await arm(house, key)];
    await tendOnce(house);
    for (const intentId of [first, second])
      expect(await look(house, key, intentId)).toMatchObject({
        state: "stopped",
        filled: 0,
        stoppedBy: {
          code: "rate_limited",
          reason: expect.stringContaining("2 calls of class venue_request_cost a day"),
        },
      });
    expect(await ordersOf(house)).toStrictEqual([]);
    dayClock.advance(86_400_000);
    expect(await arm(house, key, { intentId: first })).toBe(first);
    await tendOnce(house);
    expect(await look(house, key, first)).toMatchObject({ state: "filled" });
    expect(await place(house, key)).toMatchObject({ status: 429, body: { error: { code: "rate_limited" } } });
  });

  test("takes nothing of the day if it is refused", async () => {
    const first = await marketsHouse("embedded", { policy: wide });
    const key = await first.key(accountId, { ...trader, quotas });
    const intentId = await arm(first, key);
    const strict = await reopened(first, { policy: { ...wide, trade: { ...trade, maxQuantity: 1 } } });
    await tendOnce(strict);
    expect(await look(strict, key, intentId)).toMatchObject({ stoppedBy: { code: "trade_guardrail" } });
    expect(await place(strict, key, { quantity: 1 })).toMatchObject({ status: 200 });
  });
});

describe("an armed order whose key has ended", () => {
  const ending = {
    "was revoked": async (house: MarketsHouse, { keyId }: { keyId: string }, admin: string) =>
      void (await ask(house, `/api/keys/${keyId}`, { key: admin, method: "DELETE" })),
    "has expired": async (_: MarketsHouse, __: { keyId: string }, ___: string, dayClock: ManualClock) =>
      dayClock.advance(2 * 3_600_000),
    "was rotated, and its old secret is over,": async (
      house: MarketsHouse,
      { keyId }: { keyId: string },
      admin: string,
      dayClock: ManualClock,
    ) => {
      expect(await ask(house, `/api/keys/${keyId}/rotate`, { key: admin, body: {} })).toMatchObject({
        status: 200,
      });
      dayClock.advance(25 * 3_600_000);
    },
  };
  test.each(Object.entries(ending))(
    "that %s never fires, and is listed as stopped with the reason",
    async (how, end) => {
      const dayClock = new ManualClock(Date.parse("2026-11-16T13:00:00.000Z"));
      const house = await marketsHouse("embedded", { dayClock });
      const admin = await house.key(accountId, mighty);
      const expires = how === "has expired" && { expiresAt: "2026-11-16T14:00:00.000Z" };
      const { key, secret } = await house.platform.createKey(accountId, { ...trader, ...expires });
      const intentId = await arm(house, secret);
      await end(house, key, admin, dayClock);
      await tendOnce(house);
      expect(await look(house, admin, intentId)).toMatchObject({
        state: "stopped",
        filled: 0,
        stoppedBy: { code: "invalid_api_key", reason: expect.stringContaining("the key that ordered it") },
      });
      expect(await ordersOf(house)).toStrictEqual([]);
      const another = await house.key(accountId, trader);
      await arm(house, another, { intentId });
      await tendOnce(house);
      expect(await look(house, admin, intentId)).toMatchObject({ state: "filled" });
    },
  );
});

test("where no host fires orders, none is armed, and one that was armed elsewhere is listed as stopped with that reason", async () => {
  const first = await marketsHouse();
  const key = await first.key(accountId, trader);
  const intentId = await arm(first, key);
  const alone = await reopened(first, { markets: { fire: undefined } });
  await tendOnce(alone);
  expect(await look(alone, key, intentId)).toMatchObject({
    state: "stopped",
    stoppedBy: {
      code: "host_configuration_needed",
      reason: expect.stringContaining("no host fires orders here"),
    },
  });
  expect(await place(alone, key)).toMatchObject({ status: 503 });
  expect(await ordersOf(alone)).toStrictEqual([]);
});

test("a model can never arm an order, whoever's key it calls with", async () => {
  const house = await marketsHouse("embedded", { store: createMemoryStore() });
  const key = await house.key(accountId, trader);
  const headers = { "x-sf-origin": "model" };
  const body = orderIn(house.ticker);
  expect(await ask(house, "/api/execution/orders", { key, body, headers })).toMatchObject({
    status: 403,
    body: { error: { code: "policy_denied" } },
  });
  await tendOnce(house);
  expect([await ordersOf(house), await listed(house, key, "armed")]).toStrictEqual([[], []]);
});
