import type { StoredDocument, Unit } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { countingIds } from "../../../kernel/test-data/call-ids.ts";
import { FaultyStore } from "../../../kernel/test-data/call-store.ts";
import { failureOf, governedDesk, tradingPolicy } from "../../test-data/governed-desk.ts";
import { offered, tradingDesk } from "../../test-data/trading-desk.ts";
import { fireIntents } from "../intents/fire-intents.ts";
import { findIntent, mostIntents, readIntent, saveIntent, unkept } from "../intents/intent-documents.ts";
import { newIntent, withState } from "../intents/intent.ts";

const facts = {
  venue: "embedded",
  ticker: "RAIN",
  action: "buy",
  side: "yes",
  quantity: 10,
  limitPriceCents: 60,
} as const;

type Intent = { readonly intentId: string; readonly state: string; readonly filled: number };
const intentOf = async (call: Promise<{ output: unknown }>) =>
  ((await call).output as { readonly intent: Intent }).intent;

type Desk = ReturnType<typeof tradingDesk>;

/** Somebody writes the intent as it is, and goes away. */
async function follow(desk: Desk): Promise<void> {
  const [document] = await desk.store.documents({ kind: "intent", accountId: "ann", limit: 1 });
  const { intent, ...held } = readIntent(document as StoredDocument, desk);
  await saveIntent(desk, { intent, ...held }, intent, desk.clock.now());
}

function changesIntent({ documents = [] }: Unit): boolean {
  return documents.some(({ kind }) => kind === "intent");
}

const writer = { maxSideEffect: "user_write" } as const;

describe("a draft", () => {
  test("is kept as it was given, and answered by get", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk, writer);
    const trigger = { when: "bid_at_or_above", priceCents: 70 } as const;
    const expiresAt = new Date(desk.clock.now() + 60_000).toISOString();
    const made = await intentOf(governed.call("intents.create", { ...facts, trigger, expiresAt }));
    expect(made).toStrictEqual({
      ...facts,
      trigger,
      expiresAt,
      intentId: expect.stringMatching(/^int_/),
      state: "pending",
      filled: 0,
      history: [{ state: "pending", at: new Date(desk.clock.now()).toISOString() }],
      synthetic: true,
    });
    expect(await intentOf(governed.call("intents.get", { intentId: made.intentId }))).toStrictEqual(made);
  });

  test("never fires by itself, even where its trigger holds", async () => {
    const desk = tradingDesk();
    const trigger = { when: "ask_at_or_below", priceCents: 99 } as const;
    await governedDesk(desk, writer).call("intents.create", { ...facts, trigger });
    expect(await fireIntents(desk)).toStrictEqual({ moved: {}, failed: [] });
    expect(await desk.live.orders("ann", { limit: 9 })).toStrictEqual([]);
  });

  test("I1: of another account is as missing as one that never was", async () => {
    const desk = tradingDesk();
    const { intentId } = await intentOf(governedDesk(desk).call("intents.create", facts));
    const bob = governedDesk(desk, tradingPolicy, "bob");
    const failures = await Promise.all([
      failureOf(bob.call("intents.get", { intentId })),
      failureOf(bob.call("intents.cancel", { intentId })),
      failureOf(bob.call("intents.get", { intentId: "int_00000009" })),
    ]);
    expect(failures.map(({ code }) => code)).toStrictEqual(["not_found", "not_found", "not_found"]);
    expect(new Set(failures.map(({ message }) => message)).size).toBe(1);
  });

  test.each([
    ["with a price of nothing", { limitPriceCents: 0 }],
    ["with a price of a hundred", { limitPriceCents: 100 }],
    ["of half a contract", { quantity: 0.5 }],
    ["of nothing", { quantity: 0 }],
    ["of more than an order can be", { quantity: 1_000_001 }],
    ["at a venue that nobody knows", { venue: "moon" }],
    ["that has expired", { expiresAt: "2020-01-01T00:00:00Z" }],
    ["with something unheard of", { autoExecute: true }],
  ])("%s is refused, and nothing is kept", async (_, change) => {
    const desk = tradingDesk();
    const call = governedDesk(desk).call("intents.create", { ...facts, ...change });
    expect((await failureOf(call)).code).toBe("invalid_input");
    expect(await desk.store.documents({ kind: "intent", accountId: "ann", limit: 9 })).toStrictEqual([]);
  });

  test("is refused where there are as many as there may be, and room is made by cancelling", async () => {
    const desk = tradingDesk();
    const now = desk.clock.now();
    const { limitPriceCents: limitCents, ...rest } = facts;
    await Promise.all(
      Array.from({ length: mostIntents.pending }, async (_, index) => {
        const intent = newIntent(`int_${String(index).padStart(8, "0")}`, { ...rest, limitCents }, now);
        await saveIntent(desk, unkept("ann", intent), intent, now);
      }),
    );
    const governed = governedDesk(desk);
    expect((await failureOf(governed.call("intents.create", facts))).message).toContain("intents.cancel");
    await governed.call("intents.cancel", { intentId: "int_00000007" });
    expect((await intentOf(governed.call("intents.create", facts))).state).toBe("pending");
  });

  test("whose time is over is expired for whoever looks, since then, and can be neither cancelled nor armed", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const expiresAt = new Date(desk.clock.now() + 60_000).toISOString();
    const made = await intentOf(governed.call("intents.create", { ...facts, expiresAt }));
    const { intentId } = made;
    desk.prices.clock.jump(59_999);
    expect(await intentOf(governed.call("intents.get", { intentId }))).toStrictEqual(made);
    desk.prices.clock.jump(5_001);
    const seen = await intentOf(governed.call("intents.get", { intentId }));
    expect(seen).toStrictEqual({
      ...made,
      state: "expired",
      history: [
        { state: "pending", at: new Date(desk.clock.now() - 65_000).toISOString() },
        { state: "expired", at: expiresAt },
      ],
    });
    const { code, message } = await failureOf(governed.call("intents.cancel", { intentId }));
    expect([code, message]).toStrictEqual([
      "invalid_transition",
      expect.stringContaining("an intent that is expired cannot become cancelled"),
    ]);
    const arming = governed.call("execution.place", { ...facts, intentId, dryRun: false });
    expect((await failureOf(arming)).code).toBe("invalid_transition");
    expect(await desk.live.orders("ann", { limit: 9 })).toStrictEqual([]);
  });

  test("whose time is over takes no room: where there is none, such are ended with the draft that needs it", async () => {
    const desk = tradingDesk();
    const now = desk.clock.now();
    const { limitPriceCents: limitCents, ...rest } = facts;
    await Promise.all(
      Array.from({ length: mostIntents.pending }, async (_, index) => {
        const expiresAt = index < 3 ? now + 1_000 : undefined;
        const name = `int_${String(index).padStart(8, "0")}`;
        const intent = newIntent(name, { ...rest, limitCents, expiresAt }, now);
        await saveIntent(desk, unkept("ann", intent), intent, now);
      }),
    );
    const governed = governedDesk(desk);
    const create = () => governed.call("intents.create", facts);
    expect((await failureOf(create())).code).toBe("invalid_input");
    desk.prices.clock.jump(1_000);
    expect((await intentOf(create())).state).toBe("pending");
    const kept = async (status: string) =>
      (await desk.store.documents({ kind: "intent", accountId: "ann", status, limit: 300 })).length;
    expect([await kept("pending"), await kept("expired")]).toStrictEqual([mostIntents.pending - 2, 3]);
    await create();
    await create();
    expect((await failureOf(create())).message).toContain("intents.cancel");
  });
});

describe("cancelling", () => {
  test("ends a draft and an armed intent, which then never fires", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const trigger = { when: "ask_at_or_below", priceCents: 41 } as const;
    const draft = await intentOf(governed.call("intents.create", facts));
    const armed = await intentOf(
      governed.call("execution.place", { ...facts, trigger, autoExecute: true, dryRun: false }),
    );
    for (const { intentId } of [draft, armed]) {
      expect(await intentOf(governed.call("intents.cancel", { intentId }))).toMatchObject({
        intentId,
        state: "cancelled",
      });
    }
    desk.prices.move(40);
    expect((await fireIntents(desk)).moved).toStrictEqual({});
    expect(await desk.live.orders("ann", { limit: 9 })).toStrictEqual([]);
  });

  test("again answers the same and changes nothing", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const { intentId } = await intentOf(governed.call("intents.create", facts));
    const first = await intentOf(governed.call("intents.cancel", { intentId }));
    desk.prices.clock.jump(1000);
    expect(await intentOf(governed.call("intents.cancel", { intentId }))).toStrictEqual(first);
    expect((await findIntent(desk, "ann", intentId)).revision).toBe(2);
  });

  test("takes back what stands of an order, and keeps what was filled", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const wanted = { ...facts, quantity: offered + 20 };
    const { intentId } = await intentOf(governed.call("intents.create", wanted));
    await governed.call("execution.place", { ...wanted, intentId, dryRun: false });
    expect(await intentOf(governed.call("intents.cancel", { intentId }))).toMatchObject({
      state: "cancelled",
      filled: offered,
    });
    const [order] = await desk.live.orders("ann", { limit: 9 });
    expect(order).toMatchObject({ status: "cancelled", filled: offered });
    expect((await desk.live.portfolio("ann")).reservedCents).toBe(0);
  });

  test.each([
    ["by ending the intent", (desk: Desk) => fireIntents(desk), "cancelled"],
    ["by writing it once more", (desk: Desk) => follow(desk), "cancelled"],
  ])(
    "answers what is where somebody else has seen first that the order is taken back: %s",
    async (_, meanwhile, state) => {
      const desk = tradingDesk();
      const wanted = { ...facts, limitPriceCents: 20 };
      const { intentId } = await intentOf(
        governedDesk(desk).call("execution.place", { ...wanted, dryRun: false }),
      );
      let times = 0;
      const cancel = {
        value: async (...order: Parameters<typeof desk.live.cancel>) => {
          const taken = await desk.live.cancel(...order);
          if (times++ === 0) await meanwhile(desk);
          return taken;
        },
      };
      const live = Object.create(desk.live, { cancel }) as typeof desk.live;
      const governed = governedDesk({ ...desk, live });
      const answered = await intentOf(governed.call("intents.cancel", { intentId }));
      expect(answered.state).toBe(state);
      expect(await intentOf(governed.call("intents.get", { intentId }))).toStrictEqual(answered);
      expect(await desk.live.orders("ann", { limit: 9 })).toMatchObject([{ status: "cancelled" }]);
    },
  );

  test("X1: that the store did not answer is unknown, never failed", async () => {
    const desk = tradingDesk();
    const wanted = { ...facts, limitPriceCents: 20, dryRun: false };
    const { intentId } = await intentOf(governedDesk(desk).call("execution.place", wanted));
    const store = new FaultyStore(desk.store);
    const governed = governedDesk(tradingDesk({ ...desk, store, ids: countingIds(2) }));
    await governed.call("intents.get", { intentId });
    store.fault = (unit) => (changesIntent(unit) ? { type: "lost" } : undefined);
    const { code } = await failureOf(governed.call("intents.cancel", { intentId }));
    expect([code, (await governed.unknown()).length]).toStrictEqual(["recovery_needed", 1]);
  });

  test("what is filled is a 409 that names both states", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const { intentId } = await intentOf(governed.call("intents.create", facts));
    await governed.call("execution.place", { ...facts, intentId, dryRun: false });
    const failure = await failureOf(governed.call("intents.cancel", { intentId }));
    expect(failure).toStrictEqual({
      code: "invalid_transition",
      message: expect.stringContaining("an intent that is filled cannot become cancelled"),
    });
  });

  test("what was filled since somebody looked is a 409 too", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const wanted = { ...facts, limitPriceCents: 30 };
    const { intentId } = await intentOf(governed.call("intents.create", wanted));
    await governed.call("execution.place", { ...wanted, intentId, dryRun: false });
    desk.prices.move(20);
    const failure = await failureOf(governed.call("intents.cancel", { intentId }));
    expect(failure.message).toContain("an intent that is filled cannot become cancelled");
    expect((await fireIntents(desk)).moved).toStrictEqual({ filled: 1 });
  });

  test("while an order is being sent is refused: nobody knows yet whether the venue has it", async () => {
    const desk = tradingDesk();
    const now = desk.clock.now();
    const { limitPriceCents: limitCents, ...rest } = facts;
    const draft = newIntent("int_00000001", { ...rest, limitCents }, now);
    const steps = ["armed", "triggered", "executing"] as const;
    const sending = steps.reduce((before, state) => withState(before, state, now), draft);
    await saveIntent(desk, unkept("ann", draft), sending, now);
    const governed = governedDesk(desk);
    const { intentId } = sending;
    expect((await failureOf(governed.call("intents.cancel", { intentId }))).message).toContain("being sent");
    // Its call has ended without sending it: a minute later it is given up.
    desk.prices.clock.advance(60_000);
    await fireIntents(desk);
    expect((await intentOf(governed.call("intents.get", { intentId }))).state).toBe("cancelled");
  });
});
