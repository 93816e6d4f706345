// The same in a library: markets under `govern()`, which makes the call that fires an order (G1, A1, J1).
import { govern } from "@spfunctions/agent";
import type { AgentPolicy } from "@spfunctions/contracts";
import {
  createMemoryStore,
  type Installation,
  newInstallationSecret,
  openInstallation,
  openOperator,
  type Store,
} from "@spfunctions/kernel";
import { fixedAnswerModel, openMarkets } from "@spfunctions/markets";
import { describe, expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../packages/kernel/test-data/call-clock.ts";
import { storedIn } from "../packages/kernel/test-data/call-desk.ts";
import { moment, trade } from "./test-data/markets-house.ts";

const principal = {
  accountId: "me",
  keyId: "desk",
  scopes: ["read", "write", "trade"],
  kind: "local",
} as const;
const open: AgentPolicy = { maxSideEffect: "live_trade", maxCostEffect: "llm_cost", trade };
const asking: AgentPolicy = { ...open, approvals: { requireForSideEffectAtOrAbove: "live_trade" } };
const installation = openInstallation(newInstallationSecret());

type Terms = {
  readonly store: Store;
  readonly policy: AgentPolicy;
  readonly secret?: Installation | undefined;
};

/** A program with the markets, as the documentation puts it together. */
async function program({ store, policy, secret }: Terms) {
  const clock = new ManualClock(moment);
  const own = secret && { installation: secret };
  const markets = await openMarkets({
    store,
    clock,
    series: 12,
    model: fixedAnswerModel("Nobody."),
    ...own,
    mayCall: async () => true,
    fire: async ({ tool, input, idempotencyKey }) =>
      await desk.call(tool as "execution.place", input, { idempotencyKey }),
  });
  const desk = govern({ packs: [markets.pack], store, policy, principal, clock, ...own });
  onTestFinished(() => desk.close());
  const rows = (await markets.readers[0]?.rows()) ?? [];
  const ticker = rows.find(
    ({ status, askCents, closesAt }) =>
      status === "open" && (askCents ?? 100) < 95 && closesAt > moment + 3 * 86_400_000,
  )?.ticker;
  const order = {
    venue: "embedded",
    ticker,
    action: "buy",
    side: "yes",
    quantity: 2,
    limitPriceCents: 99,
    trigger: { when: "ask_at_or_below", priceCents: 99 },
    autoExecute: true,
    dryRun: false,
  };
  const say = async (tool: string, input: object) =>
    (await desk.call(tool as "intents.get", input)).output as { intent: { intentId: string; state: string } };
  const tendOnce = async () => {
    const told: unknown[] = [];
    const stop = markets.tend({ onFault: (...fault) => told.push(fault) });
    await expect.poll(() => clock.waiting, { timeout: 30_000 }).toBeGreaterThan(0);
    await stop();
    return told;
  };
  const orders = async () => await markets.live.orders("me", { limit: 9 });
  return { desk, order, say, tendOnce, orders };
}

describe("an armed order under govern()", () => {
  test("fires as a governed call, with its intent and its result in the journal", async () => {
    const store = createMemoryStore();
    const { say, order, tendOnce, orders, desk } = await program({
      store,
      policy: open,
      secret: installation,
    });
    const { intentId } = (await say("execution.place", order)).intent;
    expect(await tendOnce()).toStrictEqual([]);
    expect((await say("intents.get", { intentId })).intent.state).toBe("filled");
    expect(await orders()).toMatchObject([{ filled: 2 }]);
    const kinds = (await storedIn(store, "me"))
      .map(({ text }) => JSON.parse(text) as { kind: string; idempotencyKey?: string })
      .filter(({ idempotencyKey }) => idempotencyKey?.startsWith("fire:"));
    expect(kinds).toMatchObject([{ kind: "call.intended", verdict: { outcome: "allow" } }]);
    await desk.close();
    expect((await desk.verify()).status).toBe("ok");
  });

  test("is stopped under a policy that forbids it now, and listed with the gate; it can be armed again", async () => {
    const store = createMemoryStore();
    const first = await program({ store, policy: open, secret: installation });
    const { intentId } = (await first.say("execution.place", first.order)).intent;
    await first.desk.close();
    const strict: AgentPolicy = { ...open, trade: { ...trade, allowAutoExecute: false } };
    const next = await program({ store, policy: strict, secret: installation });
    expect(await next.tendOnce()).toMatchObject([["orders", { intentId, code: "trade_guardrail" }]]);
    expect(await next.say("intents.list", { state: "stopped" })).toMatchObject({
      items: [{ intentId, stoppedBy: { gate: "trade", code: "trade_guardrail" } }],
    });
    expect(await next.orders()).toStrictEqual([]);
    await next.desk.close();
    const later = await program({ store, policy: open, secret: installation });
    expect((await later.say("execution.place", { ...later.order, intentId })).intent.state).toBe("armed");
    await later.tendOnce();
    expect(await later.orders()).toMatchObject([{ filled: 2 }]);
  });

  test("fires by the approval that armed it, and not under another policy", async () => {
    for (const [policy, state] of [
      [asking, "filled"],
      [{ ...asking, trade: { ...trade, maxQuantity: 99 } }, "stopped"],
    ] as const) {
      const store = createMemoryStore();
      const first = await program({ store, policy: asking, secret: installation });
      await expect(first.say("execution.place", first.order)).rejects.toMatchObject({
        code: "approval_required",
      });
      const boss = { accountId: "me", keyId: "boss", scopes: ["admin"], kind: "operator" } as const;
      const operator = openOperator({ store, principal: boss, installation, clock: new ManualClock(moment) });
      const [question] = await operator.list();
      await operator.approve(question?.approvalId ?? "");
      await operator.close();
      const { intentId } = (await first.say("execution.place", first.order)).intent;
      await first.desk.close();
      const next = await program({ store, policy, secret: installation });
      await next.tendOnce();
      expect((await next.say("intents.get", { intentId })).intent.state).toBe(state);
      expect(await next.orders()).toHaveLength(state === "filled" ? 1 : 0);
      await next.desk.close();
    }
  });

  test("without an installation's secret nothing that another process has armed fires: it is stopped, and says to arm it again", async () => {
    const store = createMemoryStore();
    // Another process without a secret takes one of its own.
    const other = openInstallation(newInstallationSecret());
    const first = await program({ store, policy: open });
    const { intentId } = (await first.say("execution.place", first.order)).intent;
    await first.desk.close();
    const alone = await openMarkets({
      store,
      clock: new ManualClock(moment),
      series: 12,
      installation: other,
    });
    const get = govern({
      packs: [alone.pack],
      store,
      policy: open,
      principal,
      clock: new ManualClock(moment),
    });
    expect(await get.call("intents.get", { intentId })).toMatchObject({
      output: {
        intent: { state: "stopped", stoppedBy: { reason: expect.stringContaining("arm it again") } },
      },
    });
    await get.close();
  });
});
