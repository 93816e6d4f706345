// X1: an intent's order is sent once, wherever a process dies and however many go on with it.
import { canonicalJson } from "@spfunctions/contracts";
import { openSqliteStore } from "@spfunctions/host/store";
import { createMemoryStore, randomIds, type Store } from "@spfunctions/kernel";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countingIds } from "../../../kernel/test-data/call-ids.ts";
import { type Fault, FaultyStore } from "../../../kernel/test-data/call-store.ts";
import { day, opening } from "../../test-data/quiet-markets.ts";
import { offered, Prices, tradingDesk } from "../../test-data/trading-desk.ts";
import { armed } from "./arm-intent.ts";
import { cancelIntent } from "./cancel-intent.ts";
import { fireIntents } from "./fire-intents.ts";
import { type Intent, type IntentFacts, newIntent, wantedOrder } from "./intent.ts";
import { findIntent, saveIntent } from "./intent-documents.ts";

const accountId = "ann";
const wish: IntentFacts = {
  venue: "embedded",
  ticker: "RAIN",
  action: "buy",
  side: "yes",
  quantity: 10,
  limitCents: 45,
  trigger: { when: "ask_at_or_below", priceCents: 41 },
};

async function keepArmed(
  store: Store,
  now: number,
  facts: Partial<IntentFacts> = {},
  intentId = "int_00000001",
  whose = accountId,
  keyId = "key_1",
): Promise<void> {
  const draft = newIntent(intentId, { ...wish, ...facts }, now);
  const intent = armed(draft, opening + day, { keyId, now });
  await saveIntent(store, { accountId: whose, intent: draft, revision: 0 }, intent, now);
}

async function intentIn(store: Store, intentId = "int_00000001"): Promise<Intent> {
  return (await findIntent(store, accountId, intentId)).intent;
}

const states = ({ history }: Intent) => history.map(({ state }) => state);

async function ordersOf({ live }: ReturnType<typeof tradingDesk>): Promise<unknown[]> {
  const orders = await live.orders(accountId, { limit: 100 });
  return orders.map(({ status, filled }) => ({ status, filled }));
}

describe("an armed intent", () => {
  test("waits while its trigger does not hold, and fires once it does", async () => {
    const desk = tradingDesk();
    await keepArmed(desk.store, desk.clock.now());
    expect(await fireIntents(desk)).toStrictEqual({ moved: {}, failed: [] });
    expect(await ordersOf(desk)).toStrictEqual([]);
    desk.prices.move(40);
    const now = desk.clock.now();
    expect(await fireIntents(desk)).toStrictEqual({ moved: { filled: 1 }, failed: [] });
    const [order] = await desk.live.orders(accountId, { limit: 2 });
    expect(order).toMatchObject({ quantity: 10, filled: 10, filledCents: 410, status: "filled" });
    expect(await intentIn(desk.store)).toStrictEqual({
      ...wish,
      intentId: "int_00000001",
      state: "filled",
      expiresAt: opening + day,
      armedKeyId: "key_1",
      orderId: order?.orderId,
      filled: 10,
      history: [
        { state: "pending", at: opening + 60_000 },
        { state: "armed", at: opening + 60_000 },
        { state: "triggered", at: now },
        { state: "executing", at: now },
        { state: "filled", at: now },
      ],
    });
  });

  test("is met by the book as it is, not as it was before another intent of the same round took it", async () => {
    const desk = tradingDesk();
    const now = desk.clock.now();
    await keepArmed(desk.store, now, { quantity: offered });
    await keepArmed(desk.store, now, { limitCents: 90 }, "int_00000002", "bob");
    desk.prices.move(40);
    const offer = { ticker: "RAIN", action: "buy", side: "no", quantity: 10, limitCents: 20 } as const;
    await desk.live.place("cy", "an offer of yes at 80", offer);
    const fired = await fireIntents(desk);
    expect(fired).toStrictEqual({ moved: { filled: 1 }, failed: [] });
    expect((await findIntent(desk.store, "bob", "int_00000002")).intent.state).toBe("armed");
    expect(await desk.live.orders("bob", { limit: 9 })).toStrictEqual([]);
  });

  test("S1: that fails with something strange is named, without the secret in its words", async () => {
    const desk = tradingDesk();
    await keepArmed(desk.store, desk.clock.now());
    const secret = "sf_live_abcdefghijklmnopqrstuvwxyz012345";
    const depth = { value: () => Promise.reject(new Error(`no book for ${secret}`)) };
    const live = Object.create(desk.live, { depth }) as typeof desk.live;
    const { failed } = await fireIntents({ ...desk, live });
    const words = { code: "internal", message: expect.stringMatching(/^no book for (?!sf_live)/) };
    expect(failed).toStrictEqual([{ accountId, intentId: "int_00000001", ...words }]);
  });

  test("never fires once its time is over, whatever the book says", async () => {
    const desk = tradingDesk();
    await keepArmed(desk.store, desk.clock.now(), { expiresAt: desk.clock.now() + 60_000 });
    desk.prices.move(40);
    expect((await fireIntents(desk)).moved).toStrictEqual({ expired: 1 });
    expect(states(await intentIn(desk.store))).toStrictEqual(["pending", "armed", "expired"]);
    expect(await ordersOf(desk)).toStrictEqual([]);
  });

  test("that is cancelled while its book is being read sends nothing", async () => {
    const desk = tradingDesk();
    await keepArmed(desk.store, desk.clock.now());
    desk.prices.move(40);
    const now = desk.clock.now();
    const live = Object.create(desk.live, {
      depth: {
        value: async (ticker: string) => {
          const { documents } = await cancelIntent(desk, accountId, "int_00000001", now);
          await desk.store.commit({ durability: "power", now, documents });
          return await desk.live.depth(ticker);
        },
      },
    }) as typeof desk.live;
    await fireIntents({ ...desk, live });
    expect(states(await intentIn(desk.store))).toStrictEqual(["pending", "armed", "cancelled"]);
    expect(await ordersOf(desk)).toStrictEqual([]);
  });

  test("never fires once the key that armed it has ended, and says so", async () => {
    const asked: unknown[] = [];
    const mayCall = (...of: readonly string[]) => Promise.resolve(asked.push(of) === 0);
    const desk = tradingDesk({ mayCall });
    await keepArmed(desk.store, desk.clock.now());
    desk.prices.move(40);
    expect(await fireIntents(desk)).toStrictEqual({ moved: { cancelled: 1 }, failed: [] });
    expect((await intentIn(desk.store)).history.at(-1)).toMatchObject({
      state: "cancelled",
      reason: "the key that armed it may not place orders any more",
    });
    expect([asked, await ordersOf(desk)]).toStrictEqual([[[accountId, "key_1", "execution.place"]], []]);
  });

  test("G1: is cancelled, though its trigger does not hold, once the key that armed it has ended, and gives its place back", async () => {
    const ended = new Set<string>();
    const mayCall = async (_: string, keyId: string) => !ended.has(keyId);
    const desk = tradingDesk({ mayCall });
    const now = desk.clock.now();
    await keepArmed(desk.store, now);
    await keepArmed(desk.store, now, {}, "int_00000002", accountId, "key_2");
    const before = await desk.live.portfolio(accountId);
    expect((await fireIntents(desk)).moved).toStrictEqual({});
    ended.add("key_1");
    expect(await fireIntents(desk)).toStrictEqual({ moved: { cancelled: 1 }, failed: [] });
    const { history, armedKeyId } = await intentIn(desk.store);
    expect([armedKeyId, history.slice(-2)]).toStrictEqual([
      "key_1",
      [
        { state: "armed", at: now },
        { state: "cancelled", at: now, reason: "the key that armed it may not place orders any more" },
      ],
    ]);
    expect((await intentIn(desk.store, "int_00000002")).state).toBe("armed");
    const armedNow = { kind: "intent", accountId, status: "armed", limit: 9 };
    expect((await desk.store.documents(armedNow)).map(({ id }) => id)).toStrictEqual(["int_00000002"]);
    expect([await ordersOf(desk), await desk.live.portfolio(accountId)]).toStrictEqual([[], before]);
  });

  test("stays armed where nobody could say whether its key has ended, and where that cannot be said now", async () => {
    const desk = tradingDesk({ mayCall: () => Promise.reject(new Error("no answer")) });
    await keepArmed(desk.store, desk.clock.now());
    const failed = { accountId, intentId: "int_00000001", code: "internal", message: "no answer" };
    expect(await fireIntents(desk)).toStrictEqual({ moved: {}, failed: [failed] });
    expect(await fireIntents({ ...desk, mayCall: undefined })).toStrictEqual({ moved: {}, failed: [] });
    expect((await intentIn(desk.store)).state).toBe("armed");
  });

  test("that is cancelled while its key is asked about is cancelled once", async () => {
    const desk = tradingDesk();
    await keepArmed(desk.store, desk.clock.now());
    const now = desk.clock.now();
    const mayCall = async () => {
      const { documents } = await cancelIntent(desk, accountId, "int_00000001", now);
      await desk.store.commit({ durability: "power", now, documents });
      return false;
    };
    expect(await fireIntents({ ...desk, mayCall })).toStrictEqual({ moved: {}, failed: [] });
    expect(states(await intentIn(desk.store))).toStrictEqual(["pending", "armed", "cancelled"]);
  });

  test("is partial while the rest of its order stands, and filled when that is met", async () => {
    const desk = tradingDesk();
    await keepArmed(desk.store, desk.clock.now(), { quantity: offered + 30, limitCents: 41 });
    desk.prices.move(40);
    await fireIntents(desk);
    expect(await intentIn(desk.store)).toMatchObject({ state: "partial", filled: offered });
    expect((await fireIntents(desk)).moved).toStrictEqual({});
    desk.prices.move(30);
    await desk.live.advance();
    expect((await fireIntents(desk)).moved).toStrictEqual({ filled: 1 });
    expect(states(await intentIn(desk.store)).slice(-3)).toStrictEqual(["executing", "partial", "filled"]);
  });

  test("X1: follows its order as that is written, not as somebody who looks has computed it", async () => {
    const desk = tradingDesk();
    await keepArmed(desk.store, desk.clock.now(), { limitCents: 20 });
    desk.prices.move(40);
    await fireIntents(desk);
    desk.prices.move(10);
    expect(await ordersOf(desk)).toStrictEqual([{ status: "filled", filled: 10 }]);
    expect((await fireIntents(desk)).moved).toStrictEqual({});
    await desk.live.advance();
    expect((await fireIntents(desk)).moved).toStrictEqual({ filled: 1 });
  });

  test("stays executing while nothing of its order is filled, and what stands is taken back at its end", async () => {
    const desk = tradingDesk();
    const expiresAt = desk.clock.now() + 10 * 60_000;
    await keepArmed(desk.store, desk.clock.now(), { limitCents: 20, expiresAt });
    desk.prices.move(40);
    await fireIntents(desk);
    expect(await intentIn(desk.store)).toMatchObject({ state: "executing", filled: 0 });
    expect(await ordersOf(desk)).toStrictEqual([{ status: "open", filled: 0 }]);
    desk.prices.clock.advance(expiresAt - desk.clock.now());
    expect((await fireIntents(desk)).moved).toStrictEqual({ expired: 1 });
    expect(await ordersOf(desk)).toStrictEqual([{ status: "cancelled", filled: 0 }]);
  });

  test("whose rest could not be had at once is cancelled, with what was filled", async () => {
    const desk = tradingDesk();
    await keepArmed(desk.store, desk.clock.now(), { quantity: offered + 5, timeInForce: "ioc" });
    desk.prices.move(40);
    await fireIntents(desk);
    expect(await intentIn(desk.store)).toMatchObject({ state: "cancelled", filled: offered });
  });

  test("is rejected with the venue's words where the venue takes no order", async () => {
    const desk = tradingDesk();
    await keepArmed(desk.store, desk.clock.now(), { quantity: 500_000 });
    desk.prices.move(40);
    expect((await fireIntents(desk)).moved).toStrictEqual({ rejected: 1 });
    const { rejection, history } = await intentIn(desk.store);
    expect(rejection?.code).toBe("invalid_input");
    expect(history.at(-1)?.reason).toBe(rejection?.message);
    expect(await ordersOf(desk)).toStrictEqual([]);
  });

  test("B22: that is not what was written stops no other, and is named", async () => {
    const desk = tradingDesk();
    const now = desk.clock.now();
    const put = { type: "put", kind: "intent", accountId, expects: 0, status: "armed" } as const;
    const draft = newIntent("int_00000002", wish, now);
    const documents = [
      { ...put, id: "int_00000000", body: "{}" },
      { ...put, id: "int_00000002", body: canonicalJson(draft) },
      { ...put, id: "int_00000003", body: canonicalJson({ ...draft, state: "armed" }) },
    ];
    await desk.store.commit({ durability: "power", now, documents });
    await keepArmed(desk.store, now);
    desk.prices.move(40);
    expect(await fireIntents(desk)).toStrictEqual({
      moved: { filled: 1 },
      failed: ["int_00000000", "int_00000002", "int_00000003"].map((intentId) => ({
        accountId,
        intentId,
        code: "journal_corrupt",
        message: expect.stringContaining(intentId),
      })),
    });
  });

  test.each([
    ["its time is over", { expiresAt: opening + 600_000 }, {}, "expired"],
    ["its key may not order any more", {}, { mayCall: () => Promise.resolve(false) }, "cancelled"],
  ] as const)("that a dead process left executing is not sent once %s", async (_, facts, over, state) => {
    const desk = tradingDesk();
    await keepArmed(desk.store, desk.clock.now(), { quantity: 10, ...facts });
    desk.prices.move(40);
    await fireUntil(desk, 3, { type: "die", written: false });
    expect([await intentIn(desk.store), await ordersOf(desk)]).toMatchObject([{ state: "executing" }, []]);
    desk.prices.clock.advance(700_000);
    const later = { ...desk, ...over };
    expect((await fireIntents(later)).moved).toStrictEqual({ [state]: 1 });
    expect(await ordersOf(desk)).toStrictEqual([]);
    // Nor by whoever has it in hand still.
    const { intentId, ...order } = await intentIn(desk.store);
    const late = desk.live.place(accountId, `intent:${intentId}`, wantedOrder(order), { isFinal: true });
    await expect(late).rejects.toMatchObject({ code: "invalid_transition" });
  });

  test("is judged by the time at which it is looked at, however long the round takes before that", async () => {
    const desk = tradingDesk();
    desk.prices.move(40);
    const now = desk.clock.now();
    await keepArmed(desk.store, now);
    await keepArmed(desk.store, now, { expiresAt: now + 1000 }, "int_00000002");
    const place: typeof desk.live.place = async (...given) => {
      desk.prices.clock.advance(1000);
      return await desk.live.place(...given);
    };
    const depth: typeof desk.live.depth = (ticker) => desk.live.depth(ticker);
    const live = Object.create(desk.live, { place: { value: place }, depth: { value: depth } });
    const { moved } = await fireIntents({ ...desk, live: live as typeof desk.live });
    expect(moved).toStrictEqual({ filled: 1, expired: 1 });
    expect(await ordersOf(desk)).toHaveLength(1);
  });

  test("X1: that was sent long ago is not sent again: the venue knows its key for ever", async () => {
    const desk = tradingDesk();
    await keepArmed(desk.store, desk.clock.now(), { quantity: 10 });
    desk.prices.move(40);
    await fireUntil(desk, 3, { type: "die", written: true });
    expect(await intentIn(desk.store)).toMatchObject({ state: "executing" });
    desk.prices.clock.jump(400 * day);
    expect((await fireIntents(desk)).failed).toStrictEqual([]);
    expect(await intentIn(desk.store)).toMatchObject({ filled: 10 });
    expect(await ordersOf(desk)).toHaveLength(1);
  });
});

test("a draft is never fired, and not even read: whoever looks at it sees whether its time is over", async () => {
  const desk = tradingDesk();
  const now = desk.clock.now();
  const untimed = newIntent("int_00000001", wish, now);
  const timed = newIntent("int_00000002", { ...wish, expiresAt: now + 1 }, now);
  for (const intent of [untimed, timed]) {
    await saveIntent(desk.store, { accountId, intent, revision: 0 }, intent, now);
  }
  const torn = { type: "put", kind: "intent", accountId, id: "int_00000003", expects: 0 } as const;
  const documents = [{ ...torn, status: "pending", body: "{}" }];
  await desk.store.commit({ durability: "power", now, documents });
  desk.prices.move(40);
  expect(await fireIntents(desk)).toStrictEqual({ moved: {}, failed: [] });
  expect(await intentIn(desk.store)).toStrictEqual(untimed);
  expect(await intentIn(desk.store, "int_00000002")).toStrictEqual(timed);
  expect(await ordersOf(desk)).toStrictEqual([]);
});

/** Fires from a process that has this happen to it at its n-th write: how many intents it could not move, if it lived on. */
async function fireUntil(
  desk: ReturnType<typeof tradingDesk>,
  at: number,
  fault: Fault,
): Promise<number | "died"> {
  const store = new FaultyStore(desk.store);
  store.failNext(fault, at - 1);
  const fired = fireIntents(tradingDesk({ ...desk, store }));
  return await Promise.race([
    fired.then(({ failed }) => failed.length),
    store.died.promise.then(() => "died" as const),
  ]);
}

test("these are all the writes that firing makes: triggered, executing, the order, what it came to", async () => {
  const desk = tradingDesk();
  await keepArmed(desk.store, desk.clock.now());
  desk.prices.move(40);
  const store = new FaultyStore(desk.store);
  await fireIntents(tradingDesk({ ...desk, store }));
  const kinds = store.units.map(({ documents = [] }) => documents.map(({ kind }) => kind).includes("intent"));
  expect(kinds).toStrictEqual([true, true, false, true]);
});

const faults = [
  { name: "dies before", fault: { type: "die", written: false } },
  { name: "dies after", fault: { type: "die", written: true } },
  { name: "is refused by the disk before", fault: { type: "throw" } },
  { name: "loses the answer to", fault: { type: "lost" } },
] as const;
const incidents = [1, 2, 3, 4].flatMap((at) => faults.map((one) => ({ at, ...one })));

test.each(incidents)(
  "X1: a process that $name write $at has one order placed by the next",
  async ({ at, fault }) => {
    const desk = tradingDesk();
    await keepArmed(desk.store, desk.clock.now());
    desk.prices.move(40);
    // An order whose answer was lost the venue finds again at once.
    const failed = fault.type === "lost" && at === 3 ? 0 : 1;
    expect(await fireUntil(desk, at, fault)).toBe(fault.type === "die" ? "died" : failed);
    const next = tradingDesk({ ...desk, ids: countingIds(2) });
    await fireIntents(next);
    expect(await ordersOf(next)).toStrictEqual([{ status: "filled", filled: 10 }]);
    const intent = await intentIn(desk.store);
    expect(states(intent)).toStrictEqual(["pending", "armed", "triggered", "executing", "filled"]);
    const { positions } = await next.live.portfolio(accountId);
    expect(positions.map(({ ticker, yes }) => ({ ticker, yes }))).toStrictEqual([
      { ticker: "RAIN", yes: 10 },
    ]);
  },
);

/** What several processes on one store have made of eight intents at once. */
async function fireFromThree(store: Store) {
  const prices = new Prices();
  const desks = [1, 2, 3].map(() => tradingDesk({ prices, store, ids: randomIds }));
  const names = Array.from({ length: 8 }, (_, index) => `int_0000000${index}`);
  for (const name of names) {
    await keepArmed(store, prices.clock.now(), { quantity: 3 }, name);
  }
  prices.move(40);
  const fired = await Promise.all(desks.map((desk) => fireIntents(desk)));
  const kept = await Promise.all(names.map((name) => intentIn(store, name)));
  return {
    failed: fired.flatMap(({ failed }) => failed),
    orders: await ordersOf(tradingDesk({ prices, store })),
    ways: kept.map((intent) => states(intent).join(" ")),
    orderIds: new Set(kept.map(({ orderId }) => orderId)).size,
  };
}

const eachOnce = {
  failed: [],
  orders: Array.from({ length: 8 }, () => ({ status: "filled", filled: 3 })),
  ways: Array.from({ length: 8 }, () => "pending armed triggered executing filled"),
  orderIds: 8,
};

test("X1: several at once fire each intent once", async () => {
  expect(await fireFromThree(createMemoryStore())).toStrictEqual(eachOnce);
});

test("X1: several at once on a database fire each intent once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sf-intents-"));
  const store = await openSqliteStore({ folder });
  try {
    expect(await fireFromThree(store)).toStrictEqual(eachOnce);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
});
