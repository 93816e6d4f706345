// X1: asked what became of an order, nobody sends one, and what is said of it stays true.
import type { ToolContext } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { tradingDesk } from "../../test-data/trading-desk.ts";
import { ownIntentId } from "./execute-intent.ts";
import { driveIntent } from "./drive-intent.ts";
import { fireIntents } from "./fire-intents.ts";
import { type Intent, type IntentFacts, newIntent, withState } from "./intent.ts";
import { findIntent, saveIntent, unkept } from "./intent-documents.ts";
import { orderBegun } from "./order-begun.ts";

const accountId = "ann";
const facts: IntentFacts = {
  venue: "embedded",
  ticker: "RAIN",
  action: "buy",
  side: "yes",
  quantity: 10,
  limitCents: 60,
};
const contextOf = (key: string) =>
  ({ principal: { accountId, keyId: "key-1" }, idempotencyKey: key }) as ToolContext;

type Desk = ReturnType<typeof tradingDesk>;

/** An intent as a call with the key `mine` has left it: about to be sent. */
async function keepExecuting(desk: Desk): Promise<string> {
  const now = desk.clock.now();
  const intentId = ownIntentId({ accountId, key: "mine" });
  const draft = newIntent(intentId, facts, now);
  const steps = ["armed", "triggered", "executing"] as const;
  const intent = steps.reduce((before, state) => withState(before, state, now), draft);
  const sending: Intent = { ...intent, armedBy: "mine", armedKeyId: "key-1" };
  await saveIntent(desk, unkept(accountId, draft), sending, now);
  return intentId;
}

async function stateOf(desk: Desk, intentId: string): Promise<string> {
  return (await findIntent(desk, accountId, intentId)).intent.state;
}

const orderCount = async ({ live }: Desk) => (await live.orders(accountId, { limit: 9 })).length;

describe("an intent that a call has left executing", () => {
  test("is given up by whoever asks for that call: nothing is sent then, and nothing later", async () => {
    const desk = tradingDesk();
    const intentId = await keepExecuting(desk);
    const begun = await orderBegun(desk, { facts, dryRun: false, input: {} }, contextOf("mine"));
    await fireIntents(desk);
    const left = [begun, await stateOf(desk, intentId), await orderCount(desk)];
    expect(left).toStrictEqual([undefined, "cancelled", 0]);
  });

  test("and whose order the call itself sends at the same moment has that order", async () => {
    const desk = tradingDesk();
    const intentId = await keepExecuting(desk);
    const giveUp: Desk["live"]["giveUp"] = async (...given) => {
      const held = await findIntent(desk, accountId, intentId);
      await driveIntent(desk, held, { now: desk.clock.now(), isCall: true });
      return await desk.live.giveUp(...given);
    };
    const writtenOrder = desk.live.writtenOrder.bind(desk.live);
    const live = Object.assign(Object.create(desk.live) as Desk["live"], { giveUp, writtenOrder });
    const begun = await orderBegun({ ...desk, live }, { facts, dryRun: false, input: {} }, contextOf("mine"));
    expect(begun).toMatchObject({ order: { status: "filled" }, intent: { intentId, state: "filled" } });
    expect(await orderCount(desk)).toBe(1);
  });

  test.each([
    ["by another key", "yours", {}],
    ["for another order", "mine", { facts: { ...facts, quantity: 11 } }],
    ["in a dry run", "mine", { dryRun: true }],
    ["to wait", "mine", { facts: { ...facts, trigger: { when: "ask_at_or_below", priceCents: 41 } } }],
  ] as const)("is nothing of a call that was made %s, and is left alone", async (_, key, change) => {
    const desk = tradingDesk();
    const intentId = await keepExecuting(desk);
    const placing = { facts, dryRun: false, intentId, input: {}, ...change };
    expect(await orderBegun(desk, placing, contextOf(key))).toBeUndefined();
    expect(await stateOf(desk, intentId)).toBe("executing");
  });
});
