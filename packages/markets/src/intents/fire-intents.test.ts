// X1: an intent's order is sent once, wherever a process dies and however many go on with it.
import { canonicalJson } from "@spfunctions/contracts";
import { openSqliteStore } from "@spfunctions/host/store";
import { createMemoryStore, type OrderedCall, randomIds, type Store } from "@spfunctions/kernel";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countingIds } from "../../../kernel/test-data/call-ids.ts";
import { type Fault, FaultyStore, kindsIn } from "../../../kernel/test-data/call-store.ts";
import { keepArmed as keepArmedIntent } from "../../test-data/armed-intent.ts";
import { day, opening } from "../../test-data/quiet-markets.ts";
import { governedDesk, tradingPolicy } from "../../test-data/governed-desk.ts";
import { fireAt, offered, Prices, tradingDesk } from "../../test-data/trading-desk.ts";
import { cancelIntent } from "./cancel-intent.ts";
import { fireIntents } from "./fire-intents.ts";
import { type Intent, type IntentFacts, keyHasEnded, newIntent, wantedOrder } from "./intent.ts";
import { findIntent, saveIntent, unkept } from "./intent-documents.ts";

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

type Kept = ReturnType<typeof tradingDesk>;

async function keepArmed(
  desk: Kept,
  now: number,
  facts: Partial<IntentFacts> = {},
  intentId = "int_00000001",
  whose = accountId,
  keyId = "key_1",
): Promise<void> {
  await keepArmedIntent(desk, { ...wish, ...facts }, now, { intentId, accountId: whose, keyId });
}

async function intentIn(desk: Kept, intentId = "int_00000001"): Promise<Intent> {
  return (await findIntent(desk, accountId, intentId)).intent;
}

const states = ({ history }: Intent) => history.map(({ state }) => state);

async function ordersOf({ live }: ReturnType<typeof tradingDesk>): Promise<unknown[]> {
  const orders = await live.orders(accountId, { limit: 100 });
  return orders.map(({ status, filled }) => ({ status, filled }));
}

describe("an armed intent", () => {
  test("waits while its trigger does not hold, and fires once it does", async () => {
    const desk = tradingDesk();
    await keepArmed(desk, desk.clock.now());
    expect(await fireIntents(desk)).toStrictEqual({ moved: {}, failed: [] });
    expect(await ordersOf(desk)).toStrictEqual([]);
    desk.prices.move(40);
    const now = desk.clock.now();
    expect(await fireIntents(desk)).toStrictEqual({ moved: { filled: 1 }, failed: [] });
    const [order] = await desk.live.orders(accountId, { limit: 2 });
    expect(order).toMatchObject({ quantity: 10, filled: 10, filledCents: 410, status: "filled" });
    expect(await intentIn(desk)).toStrictEqual({
      ...wish,
      intentId: "int_00000001",
      state: "filled",
      expiresAt: opening + day,
      armedKeyId: "key_1",
      armedCall: expect.objectContaining({ callId: "call_00000001" }),
      firingKey: "fire:int_00000001:2",
      armedBy: "fire:int_00000001:2",
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
    await keepArmed(desk, now, { quantity: offered });
    await keepArmed(desk, now, { limitCents: 90 }, "int_00000002", "bob");
    desk.prices.move(40);
    const offer = { ticker: "RAIN", action: "buy", side: "no", quantity: 10, limitCents: 20 } as const;
    await desk.live.place("cy", "an offer of yes at 80", offer);
    const fired = await fireIntents(desk);
    expect(fired).toStrictEqual({ moved: { filled: 1 }, failed: [] });
    expect((await findIntent(desk, "bob", "int_00000002")).intent.state).toBe("armed");
    expect(await desk.live.orders("bob", { limit: 9 })).toStrictEqual([]);
  });

  test("S1: that fails with something strange is named, without the secret in its words", async () => {
    const desk = tradingDesk();
    await keepArmed(desk, desk.clock.now());
    const secret = "sf_live_abcdefghijklmnopqrstuvwxyz012345";
    const depth = { value: () => Promise.reject(new Error(`no book for ${secret}`)) };
    const live = Object.create(desk.live, { depth }) as typeof desk.live;
    const { failed } = await fireIntents({ ...desk, live });
    const words = { code: "internal", message: expect.stringMatching(/^no book for (?!sf_live)/) };
    expect(failed).toStrictEqual([{ accountId, intentId: "int_00000001", ...words }]);
  });

  test("never fires once its time is over, whatever the book says", async () => {
    const desk = tradingDesk();
    await keepArmed(desk, desk.clock.now(), { expiresAt: desk.clock.now() + 60_000 });
    desk.prices.move(40);
    expect((await fireIntents(desk)).moved).toStrictEqual({ expired: 1 });
    expect(states(await intentIn(desk))).toStrictEqual(["pending", "armed", "expired"]);
    expect(await ordersOf(desk)).toStrictEqual([]);
  });

  test("that is cancelled while its book is being read sends nothing", async () => {
    const desk = tradingDesk();
    await keepArmed(desk, desk.clock.now());
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
    expect(states(await intentIn(desk))).toStrictEqual(["pending", "armed", "cancelled"]);
    expect(await ordersOf(desk)).toStrictEqual([]);
  });

  test("never fires once the key that armed it has ended, and says so", async () => {
    const asked: unknown[] = [];
    const mayCall = (...of: readonly string[]) => Promise.resolve(asked.push(of) === 0);
    const desk = tradingDesk({ mayCall });
    await keepArmed(desk, desk.clock.now());
    desk.prices.move(40);
    expect(await fireIntents(desk)).toMatchObject({ moved: { stopped: 1 }, failed: [] });
    expect((await intentIn(desk)).history.at(-1)).toMatchObject({
      state: "stopped",
      reason: expect.stringContaining("the key that armed it may not place orders any more"),
    });
    expect([asked, await ordersOf(desk)]).toStrictEqual([[[accountId, "key_1", "execution.place"]], []]);
  });

  test("G1: is stopped, though its trigger does not hold, once the key that armed it has ended, and gives its place back", async () => {
    const ended = new Set<string>();
    const mayCall = async (_: string, keyId: string) => !ended.has(keyId);
    const desk = tradingDesk({ mayCall });
    const now = desk.clock.now();
    await keepArmed(desk, now);
    await keepArmed(desk, now, {}, "int_00000002", accountId, "key_2");
    const before = await desk.live.portfolio(accountId);
    expect((await fireIntents(desk)).moved).toStrictEqual({});
    ended.add("key_1");
    expect(await fireIntents(desk)).toMatchObject({
      moved: { stopped: 1 },
      failed: [],
      stopped: [{ accountId, intentId: "int_00000001", code: "forbidden" }],
    });
    const { history, armedKeyId } = await intentIn(desk);
    expect([armedKeyId, history.slice(-2)]).toStrictEqual([
      "key_1",
      [
        { state: "armed", at: now },
        { state: "stopped", at: now, reason: keyHasEnded.reason },
      ],
    ]);
    expect((await intentIn(desk, "int_00000002")).state).toBe("armed");
    const armedNow = { kind: "intent", accountId, status: "armed", limit: 9 };
    expect((await desk.store.documents(armedNow)).map(({ id }) => id)).toStrictEqual(["int_00000002"]);
    expect([await ordersOf(desk), await desk.live.portfolio(accountId)]).toStrictEqual([[], before]);
  });

  test("stays armed where nobody could say whether its key has ended, and where that cannot be said now", async () => {
    const desk = tradingDesk({ mayCall: () => Promise.reject(new Error("no answer")) });
    await keepArmed(desk, desk.clock.now());
    const failed = { accountId, intentId: "int_00000001", code: "internal", message: "no answer" };
    expect(await fireIntents(desk)).toStrictEqual({ moved: {}, failed: [failed] });
    expect(await fireIntents({ ...desk, mayCall: undefined })).toStrictEqual({ moved: {}, failed: [] });
    expect((await intentIn(desk)).state).toBe("armed");
  });

  test("that is cancelled while its key is asked about is cancelled once", async () => {
    const desk = tradingDesk();
    await keepArmed(desk, desk.clock.now());
    const now = desk.clock.now();
    const mayCall = async () => {
      const { documents } = await cancelIntent(desk, accountId, "int_00000001", now);
      await desk.store.commit({ durability: "power", now, documents });
      return false;
    };
    expect(await fireIntents({ ...desk, mayCall })).toStrictEqual({ moved: {}, failed: [] });
    expect(states(await intentIn(desk))).toStrictEqual(["pending", "armed", "cancelled"]);
  });

  test("is partial while the rest of its order stands, and filled when that is met", async () => {
    const desk = tradingDesk();
    await keepArmed(desk, desk.clock.now(), { quantity: offered + 30, limitCents: 41 });
    desk.prices.move(40);
    await fireIntents(desk);
    expect(await intentIn(desk)).toMatchObject({ state: "partial", filled: offered });
    expect((await fireIntents(desk)).moved).toStrictEqual({});
    desk.prices.move(30);
    await desk.live.advance();
    expect((await fireIntents(desk)).moved).toStrictEqual({ filled: 1 });
    expect(states(await intentIn(desk)).slice(-3)).toStrictEqual(["executing", "partial", "filled"]);
  });

  test("X1: follows its order as that is written, not as somebody who looks has computed it", async () => {
    const desk = tradingDesk();
    await keepArmed(desk, desk.clock.now(), { limitCents: 20 });
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
    await keepArmed(desk, desk.clock.now(), { limitCents: 20, expiresAt });
    desk.prices.move(40);
    await fireIntents(desk);
    expect(await intentIn(desk)).toMatchObject({ state: "executing", filled: 0 });
    expect(await ordersOf(desk)).toStrictEqual([{ status: "open", filled: 0 }]);
    desk.prices.clock.advance(expiresAt - desk.clock.now());
    expect((await fireIntents(desk)).moved).toStrictEqual({ expired: 1 });
    expect(await ordersOf(desk)).toStrictEqual([{ status: "cancelled", filled: 0 }]);
  });

  test("whose rest could not be had at once is cancelled, with what was filled", async () => {
    const desk = tradingDesk();
    await keepArmed(desk, desk.clock.now(), { quantity: offered + 5, timeInForce: "ioc" });
    desk.prices.move(40);
    await fireIntents(desk);
    expect(await intentIn(desk)).toMatchObject({ state: "cancelled", filled: offered });
  });

  test("is rejected with the venue's words where the venue takes no order", async () => {
    const desk = tradingDesk();
    await keepArmed(desk, desk.clock.now(), { action: "sell", limitCents: 30 });
    desk.prices.move(40);
    expect((await fireIntents(desk)).moved).toStrictEqual({ rejected: 1 });
    const { rejection, history } = await intentIn(desk);
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
    await keepArmed(desk, now);
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
    await keepArmed(desk, desk.clock.now(), { quantity: 10, ...facts });
    desk.prices.move(40);
    await fireUntil(desk, await writeAt("executing"), { type: "die", written: true });
    expect([await intentIn(desk), await ordersOf(desk)]).toMatchObject([{ state: "executing" }, []]);
    desk.prices.clock.advance(700_000);
    const changed = { ...desk, ...over };
    const later = { ...changed, fire: async (order: OrderedCall) => await fireAt(changed, order) };
    expect((await fireIntents(later)).moved).toStrictEqual({ [state]: 1 });
    expect(await ordersOf(desk)).toStrictEqual([]);
    // Nor by whoever has it in hand still.
    const { intentId, ...order } = await intentIn(desk);
    const late = desk.live.place(accountId, `intent:${intentId}`, wantedOrder(order), { isFinal: true });
    await expect(late).rejects.toMatchObject({ code: "invalid_transition" });
  });

  test("is judged by the time at which it is looked at, however long the round takes before that", async () => {
    const desk = tradingDesk();
    desk.prices.move(40);
    const now = desk.clock.now();
    await keepArmed(desk, now);
    await keepArmed(desk, now, { expiresAt: now + 1000 }, "int_00000002");
    const place: typeof desk.live.place = async (...given) => {
      desk.prices.clock.advance(1000);
      return await desk.live.place(...given);
    };
    const depth: typeof desk.live.depth = (ticker) => desk.live.depth(ticker);
    const live = Object.create(desk.live, { place: { value: place }, depth: { value: depth } });
    const slow = { ...desk, live: live as typeof desk.live };
    const { moved } = await fireIntents({ ...slow, fire: async (order) => await fireAt(slow, order) });
    expect(moved).toStrictEqual({ filled: 1, expired: 1 });
    expect(await ordersOf(desk)).toHaveLength(1);
  });

  test("X1: that was sent long ago is not sent again: the venue knows its key for ever", async () => {
    const desk = tradingDesk();
    await keepArmed(desk, desk.clock.now(), { quantity: 10 });
    desk.prices.move(40);
    await fireUntil(desk, await writeAt("order"), { type: "die", written: true });
    expect(await intentIn(desk)).toMatchObject({ state: "executing" });
    desk.prices.clock.jump(400 * day);
    expect((await fireIntents(desk)).failed).toStrictEqual([]);
    expect(await intentIn(desk)).toMatchObject({ filled: 10 });
    expect(await ordersOf(desk)).toHaveLength(1);
  });
});

test("a draft is never fired, and not even read: whoever looks at it sees whether its time is over", async () => {
  const desk = tradingDesk();
  const now = desk.clock.now();
  const untimed = newIntent("int_00000001", wish, now);
  const timed = newIntent("int_00000002", { ...wish, expiresAt: now + 1 }, now);
  for (const intent of [untimed, timed]) {
    await saveIntent(desk, unkept(accountId, intent), intent, now);
  }
  const torn = { type: "put", kind: "intent", accountId, id: "int_00000003", expects: 0 } as const;
  const documents = [{ ...torn, status: "pending", body: "{}" }];
  await desk.store.commit({ durability: "power", now, documents });
  desk.prices.move(40);
  expect(await fireIntents(desk)).toStrictEqual({ moved: {}, failed: [] });
  expect(await intentIn(desk)).toStrictEqual(untimed);
  expect(await intentIn(desk, "int_00000002")).toStrictEqual(timed);
  expect(await ordersOf(desk)).toStrictEqual([]);
});

/** The same desk in a process of its own, on this store. */
const deskOn = (desk: ReturnType<typeof tradingDesk>, store: Store) =>
  tradingDesk({ ...desk, store, fire: undefined });

/** Fires from a process that has this happen to it at its n-th write: how many intents it could not move, if it lived on. */
async function fireUntil(
  desk: ReturnType<typeof tradingDesk>,
  at: number,
  fault: Fault,
): Promise<number | "died"> {
  const store = new FaultyStore(desk.store);
  store.failNext(fault, at - 1);
  const fired = fireIntents(deskOn(desk, store));
  return await Promise.race([
    fired.then(({ failed }) => failed.length),
    store.died.promise.then(() => "died" as const),
  ]);
}

/** What the writes of a firing are: the documents and the records of each. */
function writesOf({ units }: FaultyStore): string[] {
  return units.map((unit) => {
    const documents = (unit.documents ?? []).map(({ kind }) => kind);
    return documents.includes("intent") || documents.some((kind) => kind.startsWith("exchange.live.order"))
      ? documents.join(" ")
      : kindsIn(unit).join(" ");
  });
}

/** Which write of a firing it is, counted from 1. */
async function writeAt(what: "executing" | "order"): Promise<number> {
  const desk = tradingDesk();
  await keepArmed(desk, desk.clock.now());
  desk.prices.move(40);
  const store = new FaultyStore(desk.store);
  await fireIntents(deskOn(desk, store));
  const writes = writesOf(store);
  const order = writes.findIndex((write) => write.includes("exchange.live.order"));
  return what === "order" ? order + 1 : writes.lastIndexOf("intent", order) + 1;
}

test("these are the writes that firing makes: triggered, the call's intent, executing, the order, what it came to, the call's result", async () => {
  const desk = tradingDesk();
  await keepArmed(desk, desk.clock.now());
  desk.prices.move(40);
  const store = new FaultyStore(desk.store);
  await fireIntents(deskOn(desk, store));
  const writes = writesOf(store).filter((write) => /intent|order|call/.test(write));
  expect(writes.map((write) => (write.includes("exchange.live.order") ? "order" : write))).toStrictEqual([
    "intent",
    expect.stringContaining("call.intended"),
    "intent",
    "order",
    "intent",
    expect.stringContaining("call.settled"),
  ]);
});

const faults = [
  { name: "dies before", fault: { type: "die", written: false } },
  { name: "dies after", fault: { type: "die", written: true } },
  { name: "is refused by the disk before", fault: { type: "throw" } },
  { name: "loses the answer to", fault: { type: "lost" } },
] as const;
const filledOnce = {
  orders: [{ status: "filled", filled: 10 }],
  bought: [{ ticker: "RAIN", yes: 10 }],
  states: ["pending", "armed", "triggered", "executing", "filled"],
  reason: undefined,
};
const notFired = { orders: [], bought: [], reason: expect.stringMatching(/./) };
const incidents = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((at) => faults.map((one) => ({ at, ...one })));

test.each(incidents)(
  "X1: a process that $name write $at of a firing has one order placed by whoever comes next, or none, and then says why",
  async ({ at, fault }) => {
    const desk = tradingDesk();
    await keepArmed(desk, desk.clock.now());
    desk.prices.move(40);
    await fireUntil(desk, at, fault);
    const next = deskOn({ ...desk, ids: countingIds(2) }, desk.store);
    const host = governedDesk(next, tradingPolicy, accountId, undefined, "key_1");
    await host.recover();
    await host.close();
    // What could not be said at once is said a while later.
    for (let round = 0; round < 3; round++) {
      await fireIntents(next);
      next.prices.clock.advance(60_000);
    }
    const intent = await intentIn(next);
    const { positions } = await next.live.portfolio(accountId);
    const bought = positions.map(({ ticker, yes }) => ({ ticker, yes }));
    const reason = intent.stoppedBy?.reason ?? intent.history.at(-1)?.reason;
    const isFilled = intent.state === "filled";
    expect({ orders: await ordersOf(next), bought, states: states(intent), reason }).toStrictEqual(
      isFilled ? filledOnce : { ...notFired, states: states(intent) },
    );
    // A living process that cannot write says so; one that dies leaves no order that is not sent.
    expect(isFilled || fault.type !== "die").toBe(true);
    expect(["filled", "stopped", "cancelled"]).toContain(intent.state);
  },
);

/** What several processes on one store have made of eight intents at once. */
async function fireFromThree(store: Store) {
  const prices = new Prices();
  const desks = [1, 2, 3].map(() => tradingDesk({ prices, store, ids: randomIds }));
  const names = Array.from({ length: 8 }, (_, index) => `int_0000000${index}`);
  for (const name of names) {
    await keepArmed(tradingDesk({ prices, store }), prices.clock.now(), { quantity: 3 }, name);
  }
  prices.move(40);
  const fired = await Promise.all(desks.map((desk) => fireIntents(desk)));
  const kept = await Promise.all(names.map((name) => intentIn(tradingDesk({ prices, store }), name)));
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
