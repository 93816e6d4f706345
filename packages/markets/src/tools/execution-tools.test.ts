import { type AgentPolicy, RevisionConflictError } from "@spfunctions/contracts";
import { Seat, type ToolContext } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { countingIds } from "../../../kernel/test-data/call-ids.ts";
import { FaultyStore } from "../../../kernel/test-data/call-store.ts";
import { failureOf, governedDesk, tradingPolicy } from "../../test-data/governed-desk.ts";
import { armedIntent } from "../../test-data/armed-intent.ts";
import { day, opening } from "../../test-data/quiet-markets.ts";
import { offered, tradingDesk } from "../../test-data/trading-desk.ts";
import { fireIntents } from "../intents/fire-intents.ts";
import { mostIntents, unkept, writeIntent } from "../intents/intent-documents.ts";
import { placeOrder } from "../intents/place-order.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { executionTools } from "./execution-tools.ts";

const facts = {
  venue: "embedded",
  ticker: "RAIN",
  action: "buy",
  side: "yes",
  quantity: 10,
  limitPriceCents: 60,
} as const;
const order = { ...facts, dryRun: false } as const;
const trigger = { when: "ask_at_or_below", priceCents: 41 } as const;
const waiting = { ...order, trigger, autoExecute: true } as const;

type Output = {
  readonly order?: { readonly orderId?: string; readonly filled: number; readonly status: string };
  readonly intent?: { readonly intentId: string; readonly state: string; readonly filled: number };
};
const outputOf = async (call: Promise<{ output: unknown }>) => (await call).output as Output;

async function orderCount({ live }: ReturnType<typeof tradingDesk>, accountId = "ann"): Promise<number> {
  return (await live.orders(accountId, { limit: 100 })).length;
}

type Desk = ReturnType<typeof tradingDesk>;

async function intentStates({ store }: Desk): Promise<string[]> {
  return (await store.documents({ kind: "intent", accountId: "ann", limit: 9 })).map(({ status }) => status);
}

async function keepArmed(desk: Desk, count: number): Promise<void> {
  const now = desk.clock.now();
  const { limitPriceCents: limitCents, ...rest } = facts;
  const documents = Array.from({ length: count }, (_, index) => {
    const whose = { intentId: `int_${String(index).padStart(8, "0")}`, keyId: "key-1" };
    const intent = armedIntent({ ...rest, limitCents, trigger }, now, whose);
    return writeIntent(desk, unkept("ann", intent), intent);
  });
  await desk.store.commit({ durability: "power", now, documents });
}

describe("an order that is placed at once", () => {
  test("is filled at the venue, and the answer says that nobody real trades there", async () => {
    const desk = tradingDesk();
    const at = new Date(desk.clock.now()).toISOString();
    const { output } = await governedDesk(desk).call("execution.place", order);
    const [kept] = await desk.live.orders("ann", { limit: 2 });
    const { dryRun: _, ...wanted } = order;
    expect(output).toStrictEqual({
      venue: "embedded",
      synthetic: true,
      dryRun: false,
      order: {
        orderId: kept?.orderId,
        ticker: "RAIN",
        action: "buy",
        side: "yes",
        quantity: 10,
        limitPriceCents: 60,
        status: "filled",
        filled: 10,
        filledCents: 510,
        feeCents: kept?.feeCents,
        placedAt: at,
        changedAt: at,
      },
      intent: {
        ...wanted,
        intentId: expect.stringMatching(/^int_[0-9a-f]{32}$/),
        state: "filled",
        filled: 10,
        orderId: kept?.orderId,
        armedKeyId: "key-1",
        history: ["pending", "armed", "triggered", "executing", "filled"].map((state) => ({ state, at })),
        synthetic: true,
      },
    });
  });

  test("and stands can be looked at and taken back by its intent", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const low = { ...order, limitPriceCents: 20 };
    const { intent, order: placed } = await outputOf(governed.call("execution.place", low));
    const name = { intentId: intent?.intentId };
    expect([placed?.status, intent?.state]).toStrictEqual(["open", "executing"]);
    expect((await outputOf(governed.call("intents.get", name))).intent).toStrictEqual(intent);
    const taken = await outputOf(governed.call("intents.cancel", name));
    expect(taken.intent).toMatchObject({ ...name, state: "cancelled", filled: 0 });
    expect(await desk.live.orders("ann", { limit: 9 })).toMatchObject([{ status: "cancelled", filled: 0 }]);
  });

  test("X1: with the key of another order, long after that is forgotten elsewhere, is a conflict and no order", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const options = { idempotencyKey: "monday" };
    const low = { ...order, limitPriceCents: 20, ticker: "RAIN" };
    await governed.call("execution.place", low, options);
    const context = { principal: { accountId: "ann", keyId: "key-1" }, idempotencyKey: "monday" };
    const placing = { facts: { ...facts, limitCents: 21 }, dryRun: false, input: {} };
    const again = placeOrder(desk, desk.readers[0] as VenueReader, placing, context as ToolContext);
    expect((await failureOf(again)).code).toBe("idempotency_conflict");
    expect(await orderCount(desk)).toBe(1);
  });

  test("X1: with the same key is one order", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const options = { idempotencyKey: "once-and-for-all" };
    const first = await outputOf(governed.call("execution.place", order, options));
    const again = await outputOf(governed.call("execution.place", order, options));
    expect(again).toStrictEqual(first);
    expect(await orderCount(desk)).toBe(1);
  });

  test("with the key of some intent has nothing to do with that intent's order", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const { intent } = await outputOf(governed.call("intents.create", facts));
    const options = { idempotencyKey: `intent:${intent?.intentId}` };
    await governed.call("execution.place", order, options);
    await governed.call("execution.place", { ...order, intentId: intent?.intentId });
    expect(await orderCount(desk)).toBe(2);
  });

  test.each([
    ["of a market that is not there", { ticker: "HAIL" }, "not_found"],
    ["for more than there is cash", { quantity: 2000 }, "invalid_input"],
    ["at a venue that nobody knows", { venue: "moon" }, "invalid_input"],
    ["at kalshi, for which there are no credentials", { venue: "kalshi" }, "host_configuration_needed"],
    ["at polymarket, likewise", { venue: "polymarket" }, "host_configuration_needed"],
    ["that would execute by itself without a trigger", { autoExecute: true }, "invalid_input"],
    ["with a trigger that does not say autoExecute", { trigger }, "invalid_input"],
    ["with a trigger and autoExecute: false", { trigger, autoExecute: false }, "invalid_input"],
    ["with an end, but nothing to wait for", { expiresAt: "2030-01-01T00:00:00Z" }, "invalid_input"],
    ["with an end that has passed", { ...waiting, expiresAt: "2020-01-01T00:00:00Z" }, "invalid_input"],
    ["of an intent that is not there", { intentId: "int_00000009" }, "not_found"],
  ])("%s is refused, and nothing is sent or kept", async (_, change, code) => {
    const desk = tradingDesk();
    const trade = { ...tradingPolicy.trade, allowedVenues: ["embedded", "kalshi", "polymarket", "moon"] };
    const governed = governedDesk(desk, { ...tradingPolicy, trade } as AgentPolicy);
    const failure = await failureOf(governed.call("execution.place", { ...order, ...change }));
    expect(failure.code).toBe(code);
    expect(failure.message).not.toMatch(/HAIL|moon/);
    expect(await orderCount(desk)).toBe(0);
    expect(await desk.store.documents({ kind: "intent", accountId: "ann", limit: 9 })).toStrictEqual([]);
  });
});

describe("a dry run", () => {
  test.each([
    ["of an order", {}],
    ["of one with a trigger", { trigger, autoExecute: true }],
  ])("%s says what it would come to, and writes nothing", async (_, change) => {
    const desk = tradingDesk();
    const wanted = { ...order, ...change, quantity: offered + 7, dryRun: true };
    const { order: shown, intent } = await outputOf(governedDesk(desk).call("execution.place", wanted));
    expect(shown).toMatchObject({ status: "open", filled: offered, filledCents: offered * 51 });
    expect([shown?.orderId, intent]).toStrictEqual([undefined, undefined]);
    expect(await orderCount(desk)).toBe(0);
    expect(await desk.store.accountsWith("intent", "armed")).toStrictEqual([]);
    expect((await desk.live.portfolio("ann")).cashCents).toBe(100_000);
  });

  test.each([
    ["that has too many armed already", () => ({ ...waiting }), mostIntents.armed, "invalid_input"],
    ["whose market has closed", (desk: Desk) => desk.prices.clock.jump(2 * day), 0, "invalid_input"],
    ["of a market that is not there", () => ({ ticker: "HAIL" }), 0, "not_found"],
    ["of a draft that is armed already", () => ({ intentId: "int_00000001" }), 2, "invalid_transition"],
  ] as const)("of one with a trigger %s is refused as it would be", async (_, change, waits, code) => {
    const desk = tradingDesk();
    await keepArmed(desk, waits);
    const wanted = { ...waiting, ...change(desk) };
    const governed = governedDesk(desk);
    const said = await failureOf(governed.call("execution.place", { ...wanted, dryRun: true }));
    const done = await failureOf(governed.call("execution.place", wanted));
    expect([said.code, done.code, said.message]).toStrictEqual([code, code, done.message]);
  });

  test("where nobody could say later whether the key may order is refused as arming is", async () => {
    const { mayCall: _, ...desk } = tradingDesk();
    const governed = governedDesk({ ...desk, mayCall: undefined });
    const failures = await Promise.all(
      [true, false].map((dryRun) => failureOf(governed.call("execution.place", { ...waiting, dryRun }))),
    );
    expect(failures.map(({ code }) => code)).toStrictEqual([
      "host_configuration_needed",
      "host_configuration_needed",
    ]);
  });

  test("of one with a trigger says what it would come to now: also that the cash is too little, though it can be armed", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const dear = { ...waiting, quantity: 2000 };
    const said = await failureOf(governed.call("execution.place", { ...dear, dryRun: true }));
    expect(said.code).toBe("invalid_input");
    expect((await outputOf(governed.call("execution.place", dear))).intent?.state).toBe("armed");
  });

  test("of a draft leaves it a draft", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const { intent } = await outputOf(governed.call("intents.create", facts));
    const intentId = intent?.intentId;
    await governed.call("execution.place", { ...facts, intentId, dryRun: true });
    expect((await outputOf(governed.call("intents.get", { intentId }))).intent?.state).toBe("pending");
  });
});

describe("a draft", () => {
  test("is executed at once where it has no trigger, through every state", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const { intent } = await outputOf(governed.call("intents.create", facts));
    const placed = await outputOf(governed.call("execution.place", { ...order, intentId: intent?.intentId }));
    const at = new Date(desk.clock.now()).toISOString();
    expect(placed.intent).toStrictEqual({
      ...intent,
      armedKeyId: "key-1",
      state: "filled",
      filled: 10,
      orderId: placed.order?.orderId,
      history: ["pending", "armed", "triggered", "executing", "filled"].map((state) => ({ state, at })),
    });
  });

  test.each([
    [{ ticker: "SNOW" }, "ticker"],
    [{ action: "sell" }, "action"],
    [{ side: "no" }, "side"],
    [{ quantity: 11 }, "quantity"],
    [{ limitPriceCents: 61 }, "limitPriceCents"],
    [{ limitPriceCents: undefined }, "limitPriceCents"],
    [{ timeInForce: "ioc" }, "timeInForce"],
    [{ trigger, autoExecute: true }, "trigger"],
  ])("is not armed by other facts: %j", async (change, field) => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const { intent } = await outputOf(governed.call("intents.create", facts));
    const wanted = { ...order, intentId: intent?.intentId, ...change };
    const { code, message } = await failureOf(governed.call("execution.place", wanted));
    expect(code).toBe("invalid_transition");
    expect(message).toContain(`: ${field} differ`);
    expect(await orderCount(desk)).toBe(0);
  });

  test("is armed once: a second call is told from and to", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const { intent } = await outputOf(governed.call("intents.create", facts));
    const wanted = { ...order, intentId: intent?.intentId };
    await governed.call("execution.place", wanted);
    const { code, message } = await failureOf(governed.call("execution.place", wanted));
    expect([code, message]).toStrictEqual([
      "invalid_transition",
      expect.stringContaining("an intent that is filled cannot become armed"),
    ]);
    expect(await orderCount(desk)).toBe(1);
  });

  test("I1: of another account is not there", async () => {
    const desk = tradingDesk();
    const { intent } = await outputOf(governedDesk(desk).call("intents.create", facts));
    const bob = governedDesk(desk, tradingPolicy, "bob");
    const wanted = { ...order, intentId: intent?.intentId };
    expect((await failureOf(bob.call("execution.place", wanted))).code).toBe("not_found");
  });

  test("that the venue refuses is rejected, and the call fails with the venue's code", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const dear = { ...facts, quantity: 2000 };
    const { intent } = await outputOf(governed.call("intents.create", dear));
    const intentId = intent?.intentId;
    const wanted = { ...dear, intentId, dryRun: false };
    expect((await failureOf(governed.call("execution.place", wanted))).code).toBe("invalid_input");
    const { intent: after } = await outputOf(governed.call("intents.get", { intentId }));
    expect(after?.state).toBe("rejected");
  });
});

describe("an order with a trigger", () => {
  test("is armed until its market closes, and fires once the book is there", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const { order: placed, intent } = await outputOf(governed.call("execution.place", waiting));
    expect(placed).toBeUndefined();
    expect(intent).toMatchObject({ state: "armed", expiresAt: new Date(opening + day).toISOString() });
    await fireIntents(desk);
    expect(await orderCount(desk)).toBe(0);
    desk.prices.move(40);
    await fireIntents(desk);
    const { intent: after } = await outputOf(governed.call("intents.get", { intentId: intent?.intentId }));
    expect(after).toMatchObject({ state: "filled", filled: 10 });
  });

  test("arms the draft that it names, with the draft's own end", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const expiresAt = new Date(desk.clock.now() + 120_000).toISOString();
    const { intent } = await outputOf(governed.call("intents.create", { ...facts, trigger, expiresAt }));
    const armed = await outputOf(
      governed.call("execution.place", { ...waiting, intentId: intent?.intentId }),
    );
    expect(armed.intent).toMatchObject({ intentId: intent?.intentId, state: "armed", expiresAt });
  });

  test("of a market that has closed, or is not there, is not armed", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const unknown = await failureOf(governed.call("execution.place", { ...waiting, ticker: "HAIL" }));
    desk.prices.clock.jump(2 * day);
    const closed = await failureOf(governed.call("execution.place", waiting));
    expect([unknown.code, closed.code]).toStrictEqual(["not_found", "invalid_input"]);
    expect(await desk.store.accountsWith("intent", "armed")).toStrictEqual([]);
  });
});

test("G4: nothing that a model drives places an order, whatever its policy", async () => {
  const desk = tradingDesk();
  const seat = new Seat({
    packs: [executionTools(desk)],
    levels: [{ level: "agent", policy: tradingPolicy }],
    principal: { accountId: "ann", keyId: "key-1", scopes: ["read", "write", "trade"], kind: "key" },
    origin: "model",
    surface: "agent",
    store: desk.store,
  });
  const inputs = [order, waiting, { ...order, dryRun: true }];
  const outcomes = await Promise.all(inputs.map((input) => seat.call({ tool: "execution.place", input })));
  expect(outcomes.map(({ type }) => type)).toStrictEqual(["refused", "refused", "refused"]);
  const verdict = seat.explain("execution.place", order);
  expect([verdict.outcome, verdict.gate]).toStrictEqual(["deny", "forbidden.risk"]);
  expect(await orderCount(desk)).toBe(0);
  expect(await desk.store.documents({ kind: "intent", accountId: "ann", limit: 9 })).toStrictEqual([]);
});

/** The second write is the call's intent: from then on it is under way, and recovery brings it to its end. */
const deaths = [1, 2, 3, 4, 5, 6].flatMap((at) => [
  { at, when: "before", written: false, placed: at > 2 ? 1 : 0 },
  { at, when: "after", written: true, placed: at > 1 ? 1 : 0 },
]);

/** The same call from a process that dies at its n-th write, then what recovery alone makes of it. */
async function dieAndRecover(
  desk: ReturnType<typeof tradingDesk>,
  input: object,
  { at, written }: { readonly at: number; readonly written: boolean },
) {
  const store = new FaultyStore(desk.store);
  store.failNext({ type: "die", written }, at - 1);
  const dying = governedDesk(tradingDesk({ ...desk, store, ids: countingIds(2) }));
  await Promise.race([dying.call("execution.place", input), store.died.promise]);
  const next = governedDesk(tradingDesk({ ...desk, ids: countingIds(3) }));
  const { settled } = await next.recover();
  expect(settled.filter(({ outcome }) => outcome !== "completed")).toStrictEqual([]);
  return next;
}

test.each(deaths)(
  "X1: a process that dies $when write $at of executing a draft leaves one order, or none and the draft",
  async (death) => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const { intent } = await outputOf(governed.call("intents.create", facts));
    await governed.close();
    const intentId = intent?.intentId;
    const next = await dieAndRecover(desk, { ...order, intentId }, death);
    const { intent: ended } = await outputOf(next.call("intents.get", { intentId }));
    expect(ended?.state).toBe(death.placed === 1 ? "filled" : "pending");
    expect(await orderCount(desk)).toBe(death.placed);
  },
);

test.each(deaths)(
  "X1: a process that dies $when write $at of placing an order leaves one, or none",
  async (death) => {
    const desk = tradingDesk();
    const next = await dieAndRecover(desk, order, death);
    expect(await next.unknown()).toStrictEqual([]);
    expect(await orderCount(desk)).toBe(death.placed);
  },
);

test.each(deaths)(
  "X1: a process that dies $when write $at of arming an order leaves one armed, or none",
  async (death) => {
    const desk = tradingDesk();
    await dieAndRecover(desk, waiting, death);
    const armed = await desk.store.documents({ kind: "intent", accountId: "ann", limit: 9 });
    expect(armed.map(({ status }) => status)).toStrictEqual(death.placed === 1 ? ["armed"] : []);
  },
);

/** What happens to the writes of a call once its own intent is written, and what the journal then says of it. */
const outages = [3, 4, 5].flatMap((at) => (["throw", "lost"] as const).map((type) => ({ at, type })));

describe.each(outages)("X1: a store that fails ($type) at write $at", ({ at, type }) => {
  test.each([
    ["placing an order", false],
    ["executing a draft", true],
  ])("of %s leaves it unknown, never failed, and one order at most", async (_, isDraft) => {
    const desk = tradingDesk();
    const first = governedDesk(desk);
    const drafted = isDraft ? await outputOf(first.call("intents.create", facts)) : {};
    await first.close();
    const store = new FaultyStore(desk.store);
    store.failNext({ type }, at - 1);
    const governed = governedDesk(tradingDesk({ ...desk, store, ids: countingIds(2) }));
    const input = { ...order, ...(isDraft && { intentId: drafted.intent?.intentId }) };
    const call = governed.call("execution.place", input, { idempotencyKey: "once" });
    const outcome = await call.then(
      () => "completed",
      ({ code }: { code: string }) => code,
    );
    const unknown = (await governed.unknown()).map(({ tool, reason }) => ({ tool, reason }));
    const listed = {
      tool: "execution.place",
      reason: expect.stringMatching(/look with intents\.get \(int_[0-9a-f-]{8,36}\)/),
    };
    // An order whose answer was lost the venue finds again at once.
    const isFound = at === 4 && type === "lost";
    expect([outcome, unknown]).toStrictEqual(isFound ? ["completed", []] : ["recovery_needed", [listed]]);
    // Nobody sends it any more: no call would be judged for that.
    desk.prices.clock.advance(60_000);
    await fireIntents(desk);
    const intents = await desk.store.documents({ kind: "intent", accountId: "ann", limit: 9 });
    expect(intents.filter(({ status }) => status === "filled").length).toBe(await orderCount(desk));
    expect(intents.filter(({ status }) => status === "executing")).toStrictEqual([]);
    expect(await orderCount(desk)).toBe(at === 5 || isFound ? 1 : 0);
  });
});

test("X1: an order that others keep from being placed for now is unknown: its intent is kept, and given up a minute later", async () => {
  const desk = tradingDesk();
  const place = { value: () => Promise.reject(new RevisionConflictError("others were first")) };
  const preview = { value: desk.live.preview.bind(desk.live) };
  const live = Object.create(desk.live, { place, preview }) as typeof desk.live;
  const governed = governedDesk({ ...desk, live });
  expect((await failureOf(governed.call("execution.place", order))).code).toBe("recovery_needed");
  expect(await governed.unknown()).toHaveLength(1);
  await fireIntents(desk);
  expect(await intentStates(desk)).toStrictEqual(["executing"]);
  desk.prices.clock.advance(60_000);
  await fireIntents(desk);
  expect([await intentStates(desk), await orderCount(desk)]).toStrictEqual([["cancelled"], 0]);
});
